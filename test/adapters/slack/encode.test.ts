/** What Slack's methods are called with: the looks of each kind of message, and what can be pressed. */
import { describe, expect, it } from 'vitest';
import { actionIds, readPress } from '../../../adapters/slack/actions.ts';
import { foldedCell } from '../../../src/core/run-text.ts';
import { plainer } from '../../../adapters/slack/encode/encode-plainer.ts';
import { changedTasks, toTask } from '../../../adapters/slack/encode/encode-tasks.ts';
import { escapeText, shortText } from '../../../adapters/slack/encode/encode-text.ts';
import { encodeDraft, encodeOutput, encodePost, toPostArgs, toUpdateArgs } from '../../../adapters/slack/encode.ts';
import type { OutMessage } from '../../../adapters/slack/encode.ts';
import { renderFor } from '../../../adapters/slack/markdown/render.ts';
import { blobId, messageId, snapshotId, turnId } from '../../../src/core/ids.ts';
import type { Post } from '../../../src/core/outbound.ts';
import { aRun } from '../../support/a-run.ts';
import { aPost } from '../../support/samples.ts';

const SAVED = snapshotId(blobId('a'.repeat(32)));
const render = renderFor({ user: 'U01ALICE' });
const place = { workspace: 'T1', channel: 'C1', thread: '1700000000.000100' };
const post = (fields: Partial<Post>): Post => aPost('T:answer', { turn: turnId('T'), message: messageId('T'), text: '', ...fields });

/** A message as one reads it: the kinds of its blocks with their words. */
const words = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(words).filter(Boolean).join(' ');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, one]) => (typeof one === 'string' ? (['text', 'title', 'status'].includes(name) ? one : '') : words(one)))
    .filter(Boolean)
    .join(' ');
};
const look = (message: OutMessage | undefined): readonly string[] =>
  (message?.blocks ?? []).map((block) => `${block.type}: ${words(block)}`);

describe('the looks of messages', () => {
  it('an answer: its text, what was run folded under it, buttons, thumbs', () => {
    const cells = [foldedCell(aRun({ n: 2, code: 'print(6 * 7)', output: '42\n', after: SAVED, durationMs: 20 }))];
    const { messages } = encodePost(post({ text: 'It is **42**.', actions: ['retry', 'feedback'] }), render, cells);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.text).toBe('It is *42*.');
    expect(look(messages[0])).toEqual([
      'rich_text: It is  42 .',
      'plan: What I ran: 1 piece of Python Run 2: 1 line of Python, 20 ms complete print(6 * 7) 42',
      'context: Written by a language model. Check what matters.',
      'actions: Retry',
      'context_actions: Good answer Bad answer',
    ]);
  });

  it('a person’s run: the output as a Python prompt shows it, and small print', () => {
    const run = aRun({
      by: 'person',
      n: 7,
      code: 'f()',
      output: 'a < b\n',
      value: "'x'",
      durationMs: 61_000,
      after: SAVED,
      lost: [{ name: 'g', type: 'generator', why: 'it runs', path: '' }],
    });
    const { messages, files } = encodePost(post({ kind: 'run', run, actions: ['undo'] }), render, []);
    expect(look(messages[0])).toEqual([
      "rich_text: a < b\n'x'",
      'context: Run 7 · 1 min 1 s · not kept for later runs: g (generator: it runs)',
      'actions: Undo',
    ]);
    expect(messages[0]?.text).toBe("```\na &lt; b\n'x'\n```\nRun 7 · 1 min 1 s · not kept for later runs: g (generator: it runs)");
    expect(files).toEqual([]);
  });

  it('long output is shown in part and goes whole into a file', () => {
    const run = aRun({ by: 'person', n: 1, output: 'line of output\n'.repeat(2_000), after: SAVED });
    const { messages, files } = encodePost(post({ kind: 'run', run }), render, []);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.text).toMatch(/characters left out/);
    expect(files.map((file) => [file.name, file.content.length])).toEqual([['run-1-output.txt', 29_999]]);
  });

  it('a draft says what is being done and can be stopped; running code shows its last lines', () => {
    const [draft] = encodeDraft(
      'So far',
      [
        { call: 'a', text: 'Reading e.org', state: 'done' },
        { call: 'b', text: 'Running Python', state: 'running' },
      ],
      render,
    );
    expect(look(draft)).toEqual(['rich_text: So far', 'context: ✓ Reading e.org\n… Running Python', 'actions: Stop']);
    expect(look(encodeOutput('1\n2\n', render)[0])).toEqual(['rich_text: 1\n2', 'actions: Stop']);
  });

  it('code that an answer shows and nobody ran can be run; what was run already cannot', () => {
    const text = '```python\nx = 1\n```\n\n```python\ny = 2\n```\n\n```sh\nls\n```';
    const cells = [foldedCell(aRun({ n: 1, code: 'x = 1\n', after: SAVED }))];
    const { under } = encodePost(post({ text }), render, cells);
    const actions = under.find((block) => block.type === 'actions');
    if (actions?.type !== 'actions') throw new Error('no buttons');
    const buttons = actions.elements.flatMap((one) =>
      one.type === 'button' ? [[one.text.text, readPress(one.action_id ?? '', one.value ?? '')]] : [],
    );
    expect(buttons).toEqual([['Run block 2', { kind: 'run', message: 'T', block: 1 }]]);
  });

  it('every button means a command', () => {
    const { under } = encodePost(
      post({ actions: ['retry', 'undo', 'approve', 'deny', 'feedback'], approval: 'abc', kind: 'notice' }),
      render,
      [],
    );
    const ids = under.flatMap((block) =>
      'elements' in block ? block.elements.map((one) => ('action_id' in one ? one.action_id : '')) : [],
    );
    expect(ids).toEqual([actionIds.retry, actionIds.undo, actionIds.approve, actionIds.deny, actionIds.feedback]);
  });

  it('U146, U107: posts unfurl nothing and link no names; updates name their blocks, also none', () => {
    const message = { text: 'x', blocks: [] };
    expect(toPostArgs(place, message, 'T:answer:0')).toEqual({
      channel: 'C1',
      thread_ts: '1700000000.000100',
      text: 'x',
      unfurl_links: false,
      unfurl_media: false,
      link_names: false,
      parse: 'none',
      metadata: { event_type: 'hektor_post', event_payload: { key: 'T:answer:0' } },
    });
    expect(toUpdateArgs(place, '1.2', message, null)).toEqual({
      channel: 'C1',
      ts: '1.2',
      text: 'x',
      blocks: [],
      link_names: false,
      parse: 'none',
    });
  });
});

describe('tasks of a stream', () => {
  it('a failed call is a step that was made; what the end of the turn cut off is an error', () => {
    expect(toTask({ call: 'c', text: 'Reading <b>', state: 'running' })).toEqual({
      type: 'task_update',
      id: 'c',
      title: 'Reading &lt;b&gt;',
      status: 'in_progress',
    });
    expect(toTask({ call: 'c', text: 'Reading', state: 'failed' })).toMatchObject({ title: 'Reading (failed)', status: 'complete' });
    expect(toTask({ call: 'c', text: 'Reading', state: 'running' }, true)).toMatchObject({ status: 'error' });
    expect(changedTasks([{ call: 'c', text: 'Reading', state: 'running' }], new Map([['c', 'in_progress Reading']]))).toEqual([]);
    expect(toTask({ call: 'c', text: '&'.repeat(500), state: 'running' }).title.length).toBeLessThanOrEqual(256);
  });
});

describe('small texts', () => {
  it('U055, U107: signs are escaped once, calls to everybody are broken, cuts keep signs and families whole', () => {
    expect(escapeText('a<b && @here')).toBe('a&lt;b &amp;&amp; @\u2060here');
    expect(shortText('a & b', 100)).toBe('a &amp; b');
    const cut = shortText(`${'x'.repeat(10)}👩‍👩‍👧&&&`, 14);
    expect(cut).toBe('xxxxxxxxxx…');
    expect(shortText('<'.repeat(50), 20)).toMatch(/^(?:&lt;)+…$/);
  });

  it('S11: what is refused is said more plainly, nothing cut within an entity, a link or a code block', () => {
    const text = `${'&amp;'.repeat(700)}\n\`\`\`\n${'code\n'.repeat(100)}\`\`\``;
    const [plain, pieces] = plainer({ text, blocks: [] });
    expect(plain).toEqual([{ text, blocks: [] }]);
    expect(
      pieces
        ?.map((piece) => piece.text.replaceAll(/```\n?/g, ''))
        .join('')
        .replaceAll('\n', ''),
    ).toBe(`${'&amp;'.repeat(700)}${'code'.repeat(100)}`);
    for (const piece of pieces ?? []) {
      expect(piece.text).not.toMatch(/&[a-z]*$/);
      expect((piece.text.match(/```/g) ?? []).length % 2).toBe(0);
    }
  });
});
