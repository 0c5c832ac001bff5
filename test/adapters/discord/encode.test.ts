/** What goes out to Discord, as the API is called with it. */
import { describe, expect, it } from 'vitest';
import { encodeDraft, encodeOutput, encodePost, toCreateBody, toEditBody, toFollowUpBody } from '../../../adapters/discord/encode.ts';
import { runningOutput, smallLine } from '../../../adapters/discord/encode-cell.ts';
import { nextWay, firstWay } from '../../../adapters/discord/post/ways.ts';
import { shortened } from '../../../adapters/discord/post/shortened.ts';
import type { Target } from '../../../adapters/discord/post/target.ts';
import { tokenOf } from '../../../adapters/discord/post/target.ts';
import { RestError } from '../../../adapters/discord/rest/failure.ts';
import { failure } from '../../../src/core/failure.ts';
import { blobId, messageId, snapshotId, turnId } from '../../../src/core/ids.ts';
import type { Post } from '../../../src/core/outbound.ts';
import { foldedCell } from '../../../src/core/run-text.ts';
import { aRun } from '../../support/a-run.ts';
import { aPost } from '../../support/samples.ts';

const post = (fields: Partial<Post> = {}): Post =>
  aPost('T1:answer', { turn: turnId('T1'), message: messageId('T1:m'), text: 'Hello.', ...fields });
const after = snapshotId(blobId('a'.repeat(32)));
const plain = { reply: '', nonce: null };
const picture = (name: string, size = 1_000) => ({ name, type: 'image/png', size, blob: blobId('b'.repeat(32)), picture: true, alt: '' });
const labels = (
  rows: readonly { readonly components: readonly { readonly label?: string; readonly emoji?: { readonly name?: string } }[] }[],
) => rows.flatMap((row) => row.components.map((one) => one.label ?? one.emoji?.name));

describe('posts', () => {
  it('look as people should see them', () => {
    const cells = [
      foldedCell(
        aRun({
          after,
          n: 3,
          code: "import pandas as pd\ndf = pd.read_csv('sales.csv')\ndf.price.mean()",
          value: '41.5',
          durationMs: 1_234,
        }),
      ),
      foldedCell(
        aRun({
          after,
          n: 4,
          code: 'df.plot()',
          end: 'raised',
          error: { type: 'NameError', value: "name 'df' is not defined", traceback: '', line: 1 },
          durationMs: 80,
        }),
      ),
    ];
    const text =
      'The mean is **41.5**.\n\n| item | price |\n|---|---|\n| tea | 3 |\n\nSee [the docs](https://example.org/a).\n\n```python\nprint(1)\n```';
    const [message] = encodePost(post({ text, files: [picture('plot.png')], actions: ['feedback'] }), cells);
    expect(message).toMatchSnapshot('the message');
    expect(toCreateBody(message ?? { content: '', rows: [], files: [] }, { reply: '123', nonce: 'n' })).toMatchSnapshot(
      'as the API is called',
    );
  });

  it("a person's run is answered as a Python prompt would, with small print and its pictures", () => {
    const run = aRun({ after, n: 5, by: 'person', output: 'hello\n', value: '42', durationMs: 20, files: [picture('plot-1.png')] });
    const messages = encodePost(post({ kind: 'run', text: '', run, files: run.files, actions: ['undo'] }));
    expect(messages).toEqual([
      {
        content: '```\nhello\n42\n```\n-# Run 5 · 20 ms',
        rows: [expect.objectContaining({ type: 1 })],
        files: [expect.objectContaining({ name: 'plot-1.png', alt: 'A plot: plot-1.png' })],
      },
    ]);
    const silent = encodePost(post({ kind: 'run', text: '', run: aRun({ after, n: 6, by: 'person', durationMs: 5 }) }));
    expect(silent.map(({ content }) => content)).toEqual(['-# Run 6 · 5 ms · nothing to show']);
    const long = aRun({ after, by: 'person', output: 'line\n'.repeat(2_000) });
    const [shown, ...more] = encodePost(post({ kind: 'run', text: '', run: long }));
    expect(more).toEqual([]);
    expect(shown?.content.length).toBeLessThanOrEqual(2_000);
    expect(shown?.files).toEqual([expect.objectContaining({ name: 'run-1-output.txt', text: long.output.trimEnd() })]);
  });

  it('U019: code that came by /py is shown where nothing else shows it: not for >>>, nor below the thread’s own root', () => {
    const run = aRun({ after, n: 5, by: 'person', code: 'x = 6\nx * 7\n', value: '42', durationMs: 20 });
    const shown = (origin: Readonly<Record<string, string>>) =>
      encodePost(post({ kind: 'run', text: '', run, origin })).map(({ content }) => content);
    const result = '```\n42\n```\n-# Run 5 · 20 ms';
    expect(shown({ answered: 'public', threads: 'reply' })).toEqual([`\`\`\`python\nx = 6\nx * 7\n\`\`\`\n${result}`]);
    expect(shown({ answered: 'public', threads: 'thread' })).toEqual([result]);
    expect(shown({ threads: 'reply' })).toEqual([result]);
  });

  it('D01, D02, U013, U059: parts of at most 2,000 units, the controls and files under the last', () => {
    const text = `Here:\n\`\`\`py\n${'v = f(1)\n'.repeat(400)}\`\`\`\nDone.`;
    const messages = encodePost(post({ text, actions: ['retry'], files: [picture('a.png')] }));
    expect(messages.length).toBeGreaterThan(1);
    for (const { content } of messages) {
      expect(content.length).toBeLessThanOrEqual(2_000);
      expect((content.match(/```/g)?.length ?? 0) % 2).toBe(0);
    }
    expect(messages.slice(0, -1).every(({ rows, files }) => rows.length === 0 && files.length === 0)).toBe(true);
    expect(messages.at(-1)?.rows).not.toEqual([]);
    expect(messages.at(-1)?.files).toHaveLength(1);
  });

  it('U133: nothing is made of nothing', () => {
    expect(encodePost(post({ text: '\n\n' }))).toEqual([]);
    expect(encodeDraft('', [])).toEqual([]);
  });

  it('ten files to a message, and one that is too large alone', () => {
    const files = [...Array.from({ length: 12 }, (_, n) => picture(`p${n}.png`)), picture('huge.png', 11 * 1024 * 1024)];
    const messages = encodePost(post({ files, actions: ['feedback'] }));
    expect(messages.map((message) => message.files.length)).toEqual([10, 2, 1]);
    expect(messages.map((message) => message.rows.length)).toEqual([0, 0, 1]);
    const heavy = encodePost(post({ files: [picture('a', 9e6), picture('b', 9e6), picture('c', 9e6)] }));
    expect(heavy.map((message) => message.files.length)).toEqual([2, 1]);
  });

  it('has buttons for what can be done: run, retry, undo, approvals, feedback, five to a row', () => {
    const code = '```python\na\n```\n\n```py\nb\n```\n\n```js\nc\n```\n\n```python\nd\n```';
    const rows = encodePost(post({ text: code, actions: ['retry', 'feedback'] })).at(-1)?.rows ?? [];
    expect(labels(rows)).toEqual(['Run block 1', 'Run block 2', 'Run block 3', 'Retry', '👍', '👎']);
    expect(rows.map((row) => row.components.length)).toEqual([5, 1]);
    const ran = encodePost(post({ text: '```python\nprint(1)\n```' }), [foldedCell(aRun({ code: 'print(1)' }))]).at(-1)?.rows ?? [];
    expect(labels(ran)).toEqual([]);
    const asks = encodePost(post({ kind: 'notice', actions: ['approve', 'deny'], approval: 'abc123' })).at(-1)?.rows ?? [];
    expect(asks[0]?.components.map((one) => one.custom_id)).toEqual(['hektor:approve:abc123', 'hektor:deny:abc123']);
  });

  it('U107: nobody is pinged, in no message and in no edit; previews are kept away (U146, D19)', () => {
    const [message] = encodePost(post({ text: '@everyone <@123456> hello https://example.org/x' }));
    if (message === undefined) throw new Error('no message');
    for (const body of [toCreateBody(message, plain), toEditBody(message)])
      expect(body).toMatchObject({ allowed_mentions: { parse: [], replied_user: false }, flags: 4 });
    expect(message.content).toContain('<https://example.org/x>');
    expect(message.content).not.toMatch(/@everyone|<@\d/);
    expect(toFollowUpBody(message, true)).toMatchObject({ flags: 68, allowed_mentions: { parse: [] } });
  });

  it('many runs are one line and one file', () => {
    const cells = Array.from({ length: 6 }, (_, n) =>
      foldedCell(aRun({ after, n: n + 2, code: `x = ${n}`, end: n === 1 ? 'raised' : 'finished' })),
    );
    const [message] = encodePost(post(), cells);
    expect(message?.content).toBe('Hello.\n-# Ran Python 6 times (runs 2 to 7), 1 of them failed');
    expect(message?.files.map(({ name }) => name)).toEqual(['runs-2-7.py']);
  });
});

describe('what is alive', () => {
  it('shows the text so far, what is being done, and Stop', () => {
    const progress = [
      { call: '1', text: 'Searching for *tea*', state: 'done' as const },
      { call: '2', text: 'Running 3 lines of Python', state: 'running' as const },
    ];
    const [message] = encodeDraft('Let me look.', progress);
    expect(message?.content).toBe('Let me look.\n-# ✓ Searching for \\*tea\\*\n-# ⏳ Running 3 lines of Python');
    expect(labels(message?.rows ?? [])).toEqual(['Stop']);
    expect(encodeOutput(runningOutput('a\nb\n'), 'Running…')[0]?.content).toBe('```\na\nb\n```\n-# Running…');
    expect(encodeOutput(runningOutput(''), 'Running…')[0]?.content).toBe('-# Running…');
  });

  it('D01: progress never makes a part too long', () => {
    const parts = encodeDraft('word '.repeat(399), [{ call: '1', text: 'x'.repeat(400), state: 'running' }]);
    expect(parts.every(({ content }) => content.length <= 2_000)).toBe(true);
    expect(parts.at(-1)?.rows).toHaveLength(1);
  });

  it('small print is one escaped line', () => {
    expect(smallLine('a\n**b** @everyone', 50)).toBe('-# a \\*\\*b\\*\\* @\u200beveryone');
    expect(smallLine('x'.repeat(80), 20)).toHaveLength(23);
  });
});

describe('another way to say it', () => {
  const target: Target = {
    channel: '200',
    parent: '100',
    direct: false,
    reply: '7',
    question: '7',
    session: '7',
    user: '9',
    token: null,
    member: true,
  };
  const refusedBy = (code: number, status = 403) =>
    failure('delivery-refused', {}, 'said no', new RestError('no', { status, code, sent: true }));
  const message = { content: 'words', rows: [], files: [{ name: 'a.txt', alt: '', text: 'a' }] };
  const after = (code: number, from = firstWay(target, true, 0), status = 403) => {
    const next = from === null ? null : nextWay(from, refusedBy(code, status), target, message);
    return next === null || 'wait' in next ? next : { ...next, message: next.change(message) };
  };

  it('D10, U131: without the reference where that is refused', () => {
    expect(after(50_035, undefined, 400)).toMatchObject({ by: 'channel', reply: '' });
    expect(after(160_002)).toMatchObject({ reply: '' });
  });

  it('rule 18: without the files where they are refused, and says so', () => {
    expect(after(40_005, undefined, 413)).toMatchObject({
      form: 'no-files',
      message: { content: 'words\n-# Without a.txt: Discord says that this is too large.' },
    });
    expect(after(50_013)).toMatchObject({
      form: 'no-files',
      message: { content: 'words\n-# Without a.txt: I may not attach files here.', files: [] },
    });
  });

  it('rule 40: from the thread to its channel, from there to the asker, then nowhere', () => {
    const up = after(50_001);
    expect(up).toMatchObject({ by: 'channel', channel: '100', reply: '7' });
    const alone = up === null || 'wait' in up ? null : after(50_001, up);
    expect(alone).toMatchObject({ by: 'direct', message: { rows: [] } });
    expect(alone === null || 'wait' in alone ? alone : after(50_007, alone)).toBeNull();
    expect(after(10_003, undefined, 404)).toBeNull();
    expect(after(160_005)).toMatchObject({ channel: '100' });
  });

  it('waits for slow mode and the limit of a channel; says that AutoMod held it back', () => {
    expect(after(20_016)).toEqual({ wait: 15 });
    expect(after(20_028)).toEqual({ wait: 15 });
    expect(after(200_000, undefined, 400)).toMatchObject({ form: 'sorry', message: { files: [] } });
  });
});

describe('tokens of interactions', () => {
  const origin = { interaction: '1', application: '2', token: 't', at: '1000', member: 'yes' };
  const answer = { kind: 'answer', privateTo: null } as const;
  it('fill what was deferred, take away what was for one person, and end after 14 minutes', () => {
    expect(tokenOf({ ...origin, answered: 'public' }, answer, 2_000)).toMatchObject({ first: 'fill', hidden: false });
    expect(tokenOf({ ...origin, answered: 'private' }, answer, 2_000)).toMatchObject({ first: 'remove', hidden: false });
    expect(tokenOf({ ...origin, answered: 'private' }, { ...answer, kind: 'command' }, 2_000)).toMatchObject({
      first: 'fill',
      hidden: true,
    });
    expect(tokenOf({ ...origin, answered: 'public' }, { ...answer, privateTo: { id: '3', name: 'A' } }, 2_000)).toMatchObject({
      first: 'remove',
      hidden: true,
    });
    expect(tokenOf({ ...origin, answered: 'update' }, answer, 2_000)).toBeNull();
    expect(tokenOf({ ...origin, answered: 'update', member: 'no' }, answer, 2_000)).toMatchObject({ first: 'none' });
    expect(tokenOf({ ...origin, answered: 'public' }, answer, 1_000 + 14 * 60_000)).toBeNull();
  });

  it('rule 35: where the bot is no member, what needs more than five follow-ups is a file', () => {
    const long = Array.from({ length: 9 }, (_, n) => ({ content: `part ${n}`, rows: [], files: [] }));
    const short = shortened(long, 'the whole');
    expect(short).toEqual([
      { content: 'part 0\n-# The whole answer is in answer.md.', rows: [], files: [{ name: 'answer.md', alt: '', text: 'the whole' }] },
    ]);
    expect(shortened(long.slice(0, 6), 'x')).toHaveLength(6);
  });
});
