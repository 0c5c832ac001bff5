/**
 * The terminal adapter as a program of its own, over a small gateway in memory: what a test puts a real terminal or a pipe in front of.
 * Code is not run but recognised: `raise` raises, `forever` runs until it is stopped, `print(x)` prints, `plot` draws; anything else has
 * its own text as its value. A question is answered in three parts, with a run in between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { terminal } from '../../adapters/terminal/index.ts';
import { readIntent } from '../../src/core/addressing.ts';
import type { DayUse } from '../../src/core/budget.ts';
import { defaultChannelSettings } from '../../src/core/channel-settings.ts';
import type { CommandView } from '../../src/core/command.ts';
import { newSession } from '../../src/core/conversation.ts';
import { failure } from '../../src/core/failure.ts';
import { blobId, conversationIdOf, messageId, snapshotId, turnId } from '../../src/core/ids.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import type { MailboxItem } from '../../src/core/message.ts';
import type { OutboundOp, Post } from '../../src/core/outbound.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Run } from '../../src/core/run.ts';
import { commandHelp, commandNames, commandOf } from '../../src/commands/index.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import type { Accepted, Gateway } from '../../src/ports/adapter.ts';
import type { Outbound } from '../../src/ports/adapter.ts';
import type { Result } from '../../src/core/result.ts';
import type { Failure } from '../../src/core/failure.ts';
import { aRun } from './a-run.ts';
import { createMemoryDeps } from './memory-ports.ts';

const memory = createMemoryDeps();
const state = (n: number): Run['after'] => snapshotId(blobId(n.toString(16).padStart(32, '0')));
const picture = blobId('f'.repeat(32));
let runs = 0;
let stop: (() => void) | null = null;
let busy = false;

const evaluate = async (code: string, by: 'person' | 'model'): Promise<Run> => {
  runs += 1;
  const base = aRun({ n: runs, by, code, before: state(runs - 1), after: state(runs) });
  if (code.startsWith('raise')) {
    const traceback = `Traceback (most recent call last):\n  File "<cell ${runs}>", line 1, in <module>\n    ${code}\nValueError: no\n`;
    return { ...base, end: 'raised', error: { type: 'ValueError', value: 'no', traceback, line: 1 } };
  }
  if (code === 'forever') {
    await new Promise<void>((stopped) => {
      stop = stopped;
    });
    return { ...base, end: 'stopped', after: base.before };
  }
  if (code === 'plot') {
    const file = { name: 'figure-1.png', type: 'image/png', size: 3, blob: picture, picture: true, alt: 'A line' };
    return { ...base, files: [file] };
  }
  const print = /^print\((.*)\)$/.exec(code)?.[1];
  return print === undefined ? { ...base, value: code } : { ...base, output: `${print}\n` };
};

const post = (item: MailboxItem, fields: Partial<Post>): OutboundOp => ({
  op: 'post',
  key: systemClock.newId(),
  turn: turnId('t'),
  message: messageId('m'),
  kind: 'answer',
  text: '',
  status: 'complete',
  files: [],
  run: null,
  privateTo: null,
  origin: item.origin,
  actions: [],
  approval: null,
  ...fields,
});

const turn = async (conversation: ConversationId, item: MailboxItem, out: Outbound): Promise<void> => {
  const perform = (op: OutboundOp): Promise<unknown> => out.perform(conversation, op);
  busy = true;
  if (item.kind === 'run') {
    const run = await evaluate(item.code, 'person');
    await perform({ op: 'ran', turn: turnId('t'), message: messageId('m'), run });
    await perform(post(item, { kind: 'run', run }));
  }
  if (item.kind === 'ask') {
    const draft = (text: string): Promise<unknown> =>
      perform({ op: 'draft', turn: turnId('t'), message: messageId('m'), text, progress: [] });
    await perform({ op: 'status', turn: turnId('t'), state: 'working', text: 'Thinking', origin: {} });
    await draft('You asked: ');
    await sleep(80);
    await draft(`You asked: ${item.text}`);
    const run = await evaluate('print(7)', 'model');
    await perform({ op: 'ran', turn: turnId('t'), message: messageId('m'), run });
    await perform(post(item, { kind: 'run', run }));
    await perform(post(item, { text: `You asked: ${item.text}\n\nThat is all.` }));
  }
  await perform({ op: 'status', turn: turnId('t'), state: 'idle', text: '', origin: {} });
  busy = false;
};

const unused: DayUse = { tokens: 0, micros: 0, models: [] };
const view = (author: MailboxItem['author']): CommandView => ({
  author,
  platform: 'terminal',
  session: { ...newSession(1, author), runs },
  busy,
  entries: () => Promise.resolve(ok([])),
  manifest: () => Promise.resolve(err(failure('snapshot-lost', {}))),
  blob: () => Promise.resolve(ok(null)),
  today: () => Promise.resolve(ok({ person: unused, channel: unused })),
  sent: () => Promise.resolve(ok([])),
  approval: () => Promise.resolve(ok({ is: 'unknown' })),
  settings: defaultChannelSettings,
  commands: commandHelp,
  models: [],
});

const known = new Set(['old-thread']);
const create = (out: Outbound): Gateway => ({
  accept: async (incoming): Promise<Result<Accepted, Failure>> => {
    const conversation = conversationIdOf(incoming.address);
    if (incoming.kind !== 'command' && incoming.kind !== 'message') return ok({ conversation, duplicate: false, answer: null });
    const intent =
      incoming.kind === 'command'
        ? ok({ kind: 'command' as const, name: incoming.name, args: incoming.args })
        : readIntent(incoming.text, commandNames);
    if (!intent.ok) return intent;
    const { key, author, origin } = incoming;
    const item = { key, author, origin, at: 1, files: [] };
    const accepted = { conversation, duplicate: false, answer: null };
    if (intent.value.kind !== 'command') {
      void turn(
        conversation,
        intent.value.kind === 'run'
          ? { ...item, kind: 'run', text: '', code: intent.value.code }
          : { ...item, kind: 'ask', text: intent.value.text, earlier: [] },
        out,
      );
      return ok(accepted);
    }
    const { name, args } = intent.value;
    const command = commandOf(name);
    if (command === undefined) return err(failure('command-unknown', { name }));
    const call: MailboxItem = { kind: 'command', key, author, origin, at: 1, name, args };
    const plan = await command.run({ args, item: call, turn: turnId('t'), now: 1, files: [] }, view(author));
    if (!plan.ok) return plan;
    if (plan.value.stop === true) stop?.();
    if (plan.value.send !== undefined) void turn(conversation, plan.value.send, out);
    if (command.when === 'in-turn') void out.perform(conversation, post(call, { kind: 'command', text: plan.value.text }));
    const says = plan.value.text !== '' && command.when !== 'in-turn';
    return ok({ ...accepted, answer: says ? { text: plan.value.text, private: false, files: plan.value.files ?? [] } : null });
  },
  open: (address) => Promise.resolve(ok(conversationIdOf(address))),
  read: (conversation) => {
    const found = [...known].some((id) => conversation.endsWith(`/${id}`));
    return Promise.resolve(ok(found ? { session: { ...newSession(1), runs: 5 }, entries: [], pending: [], busy } : null));
  },
  recent: () => Promise.resolve(ok([])),
  blob: (_conversation, id) => Promise.resolve(ok(id === picture ? new Uint8Array([1, 2, 3]) : null)),
  settings: () => Promise.resolve(ok(defaultChannelSettings)),
  moveSettings: () => Promise.resolve(ok(undefined)),
  knows: () => Promise.resolve(ok(true)),
  hint: () => Promise.resolve(ok(null)),
  purge: () => Promise.resolve(ok(0)),
  complete: () => Promise.resolve([]),
  commands: commandHelp,
  model: () => ({ name: 'a-model', practice: false, toolCalls: true }),
  limits: { textChars: 10_000, files: 10, fileBytes: 1_000_000 },
});

const adapter = terminal.create(process.env);
if (!adapter.ok || adapter.value === null) throw new Error('the terminal is not set up');
const outbound = await adapter.value.outbound(memory.outbound);
if (!outbound.ok) throw new Error('no outbound half');
const ended = Promise.withResolvers<number>();
const inbound = await adapter.value.inbound({ ...memory.inbound, gateway: create(outbound.value), leave: ended.resolve });
if (!inbound.ok) {
  process.stderr.write(`${inbound.failure.code}\n`);
  process.exit(78);
}
const code = await ended.promise;
await inbound.value[Symbol.asyncDispose]();
await outbound.value[Symbol.asyncDispose]();
process.exitCode = code;
