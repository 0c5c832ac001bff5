/** A running turn where Slack has no streams: messages that are posted and edited; and the output of people's code. */
import { afterEach, describe, expect, it } from 'vitest';
import { blobId, snapshotId } from '../../../src/core/ids.ts';
import { aRun } from '../../support/a-run.ts';
import { createSlackOutOwner } from '../../support/slack-out.ts';
import type { SlackOut } from '../../support/slack-out.ts';
import { until } from '../../support/until.ts';

const SAVED = snapshotId(blobId('a'.repeat(32)));
const words = (from: number, to: number): string => Array.from({ length: to - from }, (_, n) => `word${from + n}`).join(' ');

describe('a turn in edited messages', { timeout: 60_000 }, () => {
  const owner = createSlackOutOwner();
  afterEach(owner.end);
  const start = async (): Promise<SlackOut> => {
    const out = await owner.start();
    await out.control.app({ agents: false });
    await out.control.fault({ method: 'chat.startStream', error: 'unknown_method', times: 99 });
    return out;
  };

  it('U047: shows links as links in every state, with a Stop button while it is alive', async () => {
    const out = await start();
    const turn = out.turn();
    await turn.begin();
    const states = [
      'See [the page](https://e.org/x) ',
      'See [the page](https://e.org/x) and **more',
      'See [the page](https://e.org/x) and **more**. Done.',
    ];
    for (const [n, text] of states.entries()) {
      await turn.draft(text);
      out.clock.advance(3_000);
      await until(async () => (await out.said())[0]?.text.includes(['See', 'more', 'Done'][n] ?? '') === true, `state ${n}`);
      const [message] = await out.said();
      expect(message?.fallback).toContain('<https://e.org/x|the page>');
      expect(message?.fallback).not.toContain('**');
      expect(message?.buttons.map((button) => button.text)).toEqual(['Stop']);
    }
    await turn.post({ text: states[2] ?? '', actions: ['feedback'] });
    await turn.end();
    const [message, ...more] = await out.said();
    expect(more).toEqual([]);
    expect(message?.buttons.map((button) => button.text)).toEqual(['Good answer', 'Bad answer']);
  });

  it('U065: 9,000 characters roll over to three messages and more, without an error and without a word lost or twice', async () => {
    const out = await start();
    const turn = out.turn();
    const paragraphs = Array.from({ length: 30 }, (_, n) => `Paragraph ${n}: ${'long words '.repeat(26)}end${n}.`);
    const text = paragraphs.join('\n\n');
    expect(text.length).toBeGreaterThan(9_000);
    await turn.begin();
    for (let end = 1_000; end < text.length; end += 1_000) {
      await turn.draft(text.slice(0, end));
      out.clock.advance(3_100);
      await out.control.advance({ ms: 3_100 });
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    await turn.post({ text });
    await turn.end();
    const said = await out.said();
    expect(said.length).toBeGreaterThanOrEqual(3);
    const all = said.map((message) => message.fallback).join('\n');
    for (let n = 0; n < 30; n += 1) expect(all.split(`end${n}.`)).toHaveLength(2);
    expect(all.indexOf('Paragraph 3:')).toBeLessThan(all.indexOf('Paragraph 29:'));
    for (const call of await out.control.calls({ method: 'chat.update' })) expect(call.reply).toMatchObject({ ok: true });
  });

  it('edits at most every three seconds', async () => {
    const out = await start();
    const turn = out.turn();
    await turn.begin();
    for (let n = 1; n <= 20; n += 1) {
      await turn.draft(words(0, n * 5));
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect((await out.control.calls({ method: 'chat.update' })).length).toBeLessThanOrEqual(1);
    await turn.post({ text: words(0, 100) });
    expect((await out.said()).map((message) => message.fallback)).toEqual([words(0, 100)]);
  });

  it('U073: after a minute the answer is a new message, and the draft is gone', async () => {
    const out = await start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft(words(0, 50));
    await until(async () => (await out.said()).length === 1, 'a draft');
    const first = (await out.said())[0]?.ts;
    out.clock.advance(60_000);
    await turn.post({ text: words(0, 60) });
    await turn.end();
    const said = await out.said();
    expect(said.map((message) => message.fallback)).toEqual([words(0, 60)]);
    expect(said[0]?.ts).not.toBe(first);
  });

  it('a preview that Slack limits or loses delays no answer and doubles none', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.postMessage', drop: 'reply' });
    const turn = out.turn();
    await turn.begin();
    await turn.draft(words(0, 50));
    await until(async () => (await out.said()).length === 1, 'a draft whose reply is lost');
    await turn.draft(words(0, 60));
    await turn.post({ text: words(0, 70) });
    await turn.end();
    expect((await out.said()).map((message) => message.fallback)).toEqual([words(0, 70)]);
    const limited = out.turn('T2');
    await limited.begin();
    out.clock.advance(5_000);
    await out.control.advance({ ms: 5_000 });
    await limited.draft(words(0, 5));
    await until(async () => (await out.said()).length === 2, 'a draft');
    await out.control.fault({ method: 'chat.update', retryAfter: 60, times: 99 });
    out.clock.advance(3_000);
    await limited.draft(words(0, 6));
    await limited.post({ text: words(0, 7) });
    expect((await out.said()).map((message) => message.fallback)).toEqual([words(0, 70), words(0, 7)]);
  });

  it('where nothing shows a status, work that takes longer is told by a message that becomes the answer', async () => {
    const out = await start();
    await out.control.fault({ method: 'agents.sessions.setStatus', error: 'unknown_method', times: 99 });
    await out.control.fault({ method: 'assistant.threads.setStatus', error: 'unknown_method', times: 99 });
    const turn = out.turn();
    await turn.begin();
    await turn.draft('', [{ call: 'c', text: 'Reading e.org', state: 'running' }]);
    await until(async () => (await out.control.calls({ method: 'assistant.threads.setStatus' })).length === 1, 'the last try');
    expect(await out.said()).toEqual([]);
    out.clock.advance(3_500);
    await until(async () => (await out.said()).length === 1, 'a message');
    expect((await out.said())[0]?.text).toContain('Reading e.org');
    await turn.post({ text: 'It says 42.' });
    await turn.end();
    expect((await out.said()).map((message) => message.fallback)).toEqual(['It says 42.']);
    // A workspace without it is not asked again.
    expect(await out.control.calls({ method: 'agents.sessions.setStatus' })).toHaveLength(1);
  });

  it('the older status has words of its own, and is taken away', async () => {
    const out = await owner.start();
    await out.control.fault({ method: 'agents.sessions.setStatus', error: 'unknown_method', times: 99 });
    const turn = out.turn();
    await turn.begin();
    await until(
      async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.legacyStatus === 'is working…',
      'a status',
    );
    await turn.post({ text: 'Done.' });
    await turn.end();
    await until(async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.legacyStatus === '', 'no status');
    expect((await out.control.calls({ method: 'assistant.threads.setStatus' }))[0]?.args['loading_messages']).toBe('["Thinking…"]');
  });

  it('shows what a person’s code prints while it runs, then what came of it, in one message', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin('Running');
    await turn.output('step 1\n');
    out.clock.advance(2_500);
    await until(async () => (await out.said()).length === 1, 'output');
    out.clock.advance(3_000);
    await turn.output('step 1\nstep 2\n');
    await until(async () => (await out.said())[0]?.text.includes('step 2') === true, 'more output');
    expect((await out.said())[0]?.buttons.map((button) => button.text)).toEqual(['Stop']);
    await turn.ran(aRun({ by: 'person', n: 3, output: 'step 1\nstep 2\n', value: '42', durationMs: 4_200, after: SAVED }));
    await turn.end();
    const said = await out.said();
    expect(said).toHaveLength(1);
    expect(said[0]?.text).toBe('step 1\nstep 2\n42\nRun 3 · 4.2 s');
    expect(said[0]?.buttons).toEqual([]);
  });
});
