import { describe, expect, it } from 'vitest';
import { readTerminalConfig } from '../../../adapters/terminal/config.ts';
import { addressOfThread, decodeOp, isLast, toIncoming } from '../../../adapters/terminal/decode.ts';
import { emptyScreen, pass, show, tell } from '../../../adapters/terminal/encode.ts';
import type { Look } from '../../../adapters/terminal/encode.ts';
import { terminal } from '../../../adapters/terminal/index.ts';
import { createOutbound } from '../../../adapters/terminal/outbound.ts';
import { plainMarkdown } from '../../../adapters/terminal/plain-markdown.ts';
import { safeText } from '../../../adapters/terminal/safe-text.ts';
import { blobId, conversationIdOf, messageId, turnId } from '../../../src/core/ids.ts';
import type { OutboundOp, Post } from '../../../src/core/outbound.ts';
import type { Run } from '../../../src/core/run.ts';
import { aRun } from '../../support/a-run.ts';
import { ann, state } from '../../support/command-world.ts';
import { createMemoryDeps } from '../../support/memory-ports.ts';
import { aPost } from '../../support/samples.ts';

const turn = turnId('t');
const message = messageId('m');
const live: Look = { live: true, colour: false, columns: 60 };
const plain: Look = { live: false, colour: false, columns: 80 };

const draft = (text: string, ...progress: readonly (readonly [string, 'running' | 'done' | 'failed'])[]): OutboundOp => ({
  op: 'draft',
  turn,
  message,
  text,
  progress: progress.map(([line, at]) => ({ call: line, text: line, state: at })),
});
const output = (run: number, text: string): OutboundOp => ({ op: 'output', turn, run, text });
const ran = (run: Partial<Run>): OutboundOp => ({ op: 'ran', turn, message, run: aRun({ before: state(1), after: state(2), ...run }) });
const post = (fields: Partial<Post>): OutboundOp => ({ op: 'post', ...aPost('k', { turn, message, text: '', ...fields }) });

const shown = (ops: readonly OutboundOp[], look = live, paths = new Map()): string => {
  let screen = emptyScreen;
  let text = '';
  for (const op of ops) {
    const [next, more] = show(screen, op, look, { paths, watching: true });
    screen = next;
    text += more;
  }
  return text;
};
/** What remains on the screen when passing lines have been cleared. */
const left = (text: string): string => text.replace(/[^\n]*\r\u001b\[K/g, '');

describe('what is shown', () => {
  it('appends what is new of an answer, and nothing twice', () => {
    expect(shown([draft('Hel'), draft('Hello '), draft('Hello'), post({ text: 'Hello\n\nthere' })])).toBe('Hello \n\nthere');
  });

  it('begins anew where an attempt failed', () => {
    expect(shown([draft('Once'), draft('Twice upon')])).toBe('Once\nTwice upon');
  });

  it('shows a cell of the model once, between the parts of its answer', () => {
    const cell = ran({ n: 3, code: 'for i in x:\n  print(i)', output: '1\n2\n', value: '3' });
    expect(
      shown([draft('Look:'), cell, cell, post({ kind: 'run', run: cell.op === 'ran' ? cell.run : null }), draft('Look:\n\nThere.')]),
    ).toBe('Look:\n>>> for i in x:\n...   print(i)\n1\n2\n3\nThere.');
  });

  it('shows output as it comes, and only the rest at the end', () => {
    const ops = [output(1, 'a\n'), output(1, 'a\nb'), ran({ n: 1, by: 'person', output: 'a\nb\nc\n', value: '4' })];
    expect(shown(ops)).toBe('a\nb\nc\n4\n');
    expect(shown(ops, plain)).toBe('a\nb\nc\n4\n');
  });

  it('shows output that was cut in its middle, after what was seen of it', () => {
    expect(shown([output(1, 'a\nb\nc\n'), ran({ n: 1, by: 'person', output: 'a\n[… cut …]\nz\n', droppedBytes: 2_000_000 })])).toBe(
      'a\nb\nc\n\n[…]\na\n[… cut …]\nz\n[2.0 MB of output left out]\n',
    );
  });

  it('tells progress in lines that give way, and what was done in lines that stay', () => {
    const text = shown([
      { op: 'status', turn, state: 'working', text: 'Thinking', origin: {} },
      draft('', ['Searching', 'running']),
      draft('', ['Searching', 'done'], ['Reading', 'running']),
      draft('', ['Searching', 'done'], ['Reading', 'failed']),
      draft('Found.', ['Searching', 'done'], ['Reading', 'failed']),
    ]);
    expect(left(text)).toBe('· Searching\n· Reading: failed\nFound.');
  });

  it('lets a cell stand for the call that ran it', () => {
    const call = 'Running Python';
    expect(
      left(
        shown([
          draft('', [call, 'running']),
          ran({ n: 1, code: 'x', value: '1' }),
          draft('', [call, 'done']),
          draft('So.', [call, 'done']),
        ]),
      ),
    ).toBe('>>> x\n1\nSo.');
  });

  it('shows nothing live where nobody watches', () => {
    expect(shown([draft('Hel'), output(1, 'x'), { op: 'status', turn, state: 'working', text: 'Thinking', origin: {} }], plain)).toBe('');
  });

  it('tells how a run ended, what was lost, and where its files are', () => {
    const blob = blobId('a'.repeat(32));
    const file = { name: 'a.csv', type: 'text/csv', size: 2_500, blob, picture: false, alt: '' };
    const lost = [{ name: 'g', type: 'generator', why: 'it cannot be saved', path: 'g[0]' }];
    expect(shown([ran({ by: 'person', files: [file], lost })], plain, new Map([[blob, 'x/a.csv']]))).toBe(
      '[g[0] (generator) could not be kept: it cannot be saved]\n[file a.csv, 2.5 kB: x/a.csv]\n',
    );
    expect(shown([ran({ by: 'person', end: 'out-of-memory', after: state(1) })], plain)).toBe(
      'Run 1 ran out of memory; the state stayed as it was before it.\n',
    );
  });

  it('keeps a passing line within the terminal, and off a line that is begun', () => {
    const [, text] = pass(emptyScreen, 'x'.repeat(500), live);
    expect(text.length).toBeLessThan(60);
    expect(pass({ ...emptyScreen, fresh: false }, 'x', live)[1]).toBe('');
  });

  it('shows Markdown of commands as a terminal has it', () => {
    const [, text] = tell(emptyScreen, '| a | b |\n| --- | --- |\n| `x\\|y` | 1 |\n| 日本 | \\*2\\* |\n\nSee `help`.', live);
    expect(text).toBe('a     b\nx|y   1\n日本  *2*\n\nSee help.\n');
  });

  it('reads code spans with backticks in them', () => {
    expect(plainMarkdown('``a `b` c``, `d`', (code) => `<${code}>`)).toBe('<a `b` c>, <d>');
    expect(plainMarkdown('`` `b` ``', (code) => `<${code}>`)).toBe('<`b`>');
    expect(plainMarkdown('one ` alone', (code) => `<${code}>`)).toBe('one ` alone');
  });
});

describe('foreign text', () => {
  it.each([
    ['\u001b]0;title\u0007x', 'x'],
    ['\u001b]0;never ended\nshown', '\nshown'],
    ['\u001b]52;c;ZXZpbA==\u001b\\x', 'x'],
    ['\u001b[2J\u001b[Hx', 'x'],
    ['\u001bPq#0\u001b\\x', 'x'],
    ['a\u0007b\u0008c\u009b31m', 'abc31m'],
    ['\u202eevil', 'evil'],
    ['\u001b', ''],
    ['x\u001b[31', 'x'],
    ['\u001b[31é', '31é'],
  ])('cannot command the terminal: %j', (text, safe) => {
    expect(safeText(text, { live: true, colour: true })).toBe(safe);
    expect(safeText(text, { live: true, colour: true })).not.toMatch(/\u001b(?!\[[0-9;]*m)|[\u0000-\u0008\u009b]/);
  });
  it('keeps colours where colours are wanted', () => {
    expect(safeText('\u001b[1;31mx\u001b[0m', { live: true, colour: true })).toBe('\u001b[1;31mx\u001b[0m');
    expect(safeText('\u001b[1;31mx\u001b[0m', { live: true, colour: false })).toBe('x');
  });
  it('reads a stream so that what comes later only adds to it', () => {
    const text = 'a\r\nb\u001b[1;31mred\u001b[0m\r\n50 %\r60 %';
    let before = '';
    for (let end = 0; end <= text.length; end += 1) {
      const safe = safeText(text.slice(0, end), { live: true, colour: true });
      expect(safe.startsWith(before)).toBe(true);
      before = safe;
    }
    expect(before).toBe('a\nb\u001b[1;31mred\u001b[0m\n50 %\r60 %');
  });
  it('overwrites lines as a terminal does', () => {
    expect(safeText('10 %\r20 %\r30 %\r\nend\r', { live: false, colour: false })).toBe('30 %\nend');
    expect(safeText('10 %\r20 %', { live: true, colour: false })).toBe('10 %\r20 %');
  });
});

describe('what goes in', () => {
  const address = addressOfThread('t1');
  it('sends code as a message, and a pasted session as it is', () => {
    expect(toIncoming({ kind: 'code', code: '1' }, address, ann, 'id')).toMatchObject({
      kind: 'message',
      text: '>>> 1',
      origin: { entry: 'id' },
    });
    expect(toIncoming({ kind: 'code', code: 'a\nb' }, address, ann, 'id')).toMatchObject({ text: '>>>\na\nb' });
    expect(toIncoming({ kind: 'code', code: '>>> a\n>>> b' }, address, ann, 'id')).toMatchObject({ text: '>>> a\n>>> b' });
  });
  it('sends a question as the command ask, so that its words are never taken for a command (U139)', () => {
    expect(toIncoming({ kind: 'question', text: 'stop' }, address, ann, 'id')).toMatchObject({
      kind: 'command',
      name: 'ask',
      args: 'stop',
    });
  });
  it('knows the post that ends an entry', () => {
    const origin = { entry: 'id' };
    expect(isLast(post({ origin }), 'id')).toBe(true);
    expect(isLast(post({ origin, kind: 'run', run: aRun({ by: 'model' }) }), 'id')).toBe(false);
    expect(isLast(post({ origin, kind: 'run', run: aRun({ by: 'person' }) }), 'id')).toBe(true);
    expect(isLast(post({ origin: { entry: 'other' } }), 'id')).toBe(false);
    expect(isLast(draft('x'), 'id')).toBe(false);
  });
});

describe('what is stored', () => {
  const ops = [draft('x', ['a', 'done']), output(1, 'x'), ran({}), post({ run: aRun() })];
  it('reads back every operation as it was', () => {
    for (const op of ops) expect(decodeOp(JSON.stringify(op))).toEqual(op);
  });
  it.each(['', '{', 'null', '{"op":"dance"}', '{"op":"draft"}'])('does not believe %j', (data) => expect(decodeOp(data)).toBeUndefined());

  it('keeps order, lets later drafts stand for earlier ones, and drops none that was last', async () => {
    const { outbound: deps } = createMemoryDeps();
    const { events } = deps;
    const conversation = conversationIdOf(addressOfThread('t1'));
    const out = createOutbound(deps);
    for (let i = 1; i <= 50; i += 1) await out.perform(conversation, draft('x'.repeat(i)));
    await out.perform(conversation, ran({ n: 1 }));
    for (let i = 1; i <= 50; i += 1) await out.perform(conversation, output(2, 'y'.repeat(i)));
    await out[Symbol.asyncDispose]();
    const read: OutboundOp[] = [];
    const signal = AbortSignal.timeout(300);
    for await (const event of events.read(conversation, '0', signal)) read.push(...[decodeOp(event.data)].filter((op) => op !== undefined));
    expect(read.length).toBeLessThan(50);
    const at = read.findIndex((op) => op.op === 'ran');
    expect(read[at - 1]).toEqual(draft('x'.repeat(50)));
    expect(read.at(-1)).toEqual(output(2, 'y'.repeat(50)));
  });
});

describe('settings', () => {
  it.each([
    [{}, { listening: false, thread: { at: 'last' }, colour: true }],
    [
      { HEKTOR_TERMINAL: '1', HEKTOR_TERMINAL_THREAD: 'new' },
      { listening: true, thread: { at: 'new' } },
    ],
    [
      { HEKTOR_TERMINAL: '0', HEKTOR_TERMINAL_THREAD: ' abc ' },
      { listening: false, thread: { at: 'id', id: 'abc' } },
    ],
    [{ NO_COLOR: '1' }, { colour: false }],
    [{ TERM: 'dumb' }, { colour: false }],
  ])('%j', (env, config) => expect(readTerminalConfig(env)).toMatchObject({ ok: true, value: config }));
  it('refuses a thread that cannot be one', () => {
    expect(readTerminalConfig({ HEKTOR_TERMINAL_THREAD: 'a/b' })).toMatchObject({ ok: false, failure: { code: 'config-invalid' } });
  });
  it('has an outbound half in every process, and listens only where it is asked to', async () => {
    const made = terminal.create({});
    if (!made.ok || made.value === null) throw new Error('not made');
    const gateway = new Proxy(
      {},
      {
        get: () => {
          throw new Error('nothing may be asked');
        },
      },
    ) as never;
    const inbound = await made.value.inbound({ ...createMemoryDeps().inbound, gateway });
    expect(inbound).toMatchObject({ ok: true, value: { mounts: [] } });
  });
});
