/** A running turn in Slack's native streams: the real SDK against the stand-in, with its states, limits and refusals. */
import { afterEach, describe, expect, it } from 'vitest';
import { createSlackOutOwner } from '../../support/slack-out.ts';
import { until } from '../../support/until.ts';

const words = (from: number, to: number): string => Array.from({ length: to - from }, (_, n) => `word${from + n}`).join(' ');

describe('a turn in native streams', { timeout: 60_000 }, () => {
  const { start, end } = createSlackOutOwner();
  afterEach(end);

  it('shows a status until the first text, then one message that grows, and ends it with buttons (U077)', async () => {
    const out = await start();
    const turn = out.turn();
    await turn.begin();
    await until(async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.status === 'processing', 'a status');
    await turn.draft('', [{ call: 'c1', text: 'Searching the web for foxes', state: 'running' }]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await out.said()).toEqual([]);
    const text = `Foxes are **small** dogs. ${words(0, 60)}.`;
    const progress = [{ call: 'c1', text: 'Searching the web for foxes', state: 'done' }] as const;
    await turn.draft(text.slice(0, 120), progress);
    await until(async () => (await out.said()).length === 1, 'a stream');
    await turn.draft(text.slice(0, 300), progress);
    expect(await turn.post({ text, actions: ['feedback'] })).toMatchObject({ ok: true });
    await turn.end();
    const [only, ...more] = await out.said();
    expect(more).toEqual([]);
    expect(only).toMatchObject({ stream: 'stopped' });
    expect(only?.fallback).toBe(`Foxes are **small** dogs. ${words(0, 60)}.`);
    expect(only?.buttons.map((button) => button.text)).toEqual(['Good answer', 'Bad answer']);
    expect(JSON.stringify(only?.blocks)).toMatch(/"plan".*"Searching the web for foxes","status":"complete"/);
    await until(async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.status === 'active', 'no status');
    // No status came after the stream had begun, but for the one that takes it away.
    const calls = await out.control.calls();
    const started = calls.findIndex((call) => call.method === 'chat.startStream');
    expect(
      calls.slice(started).filter((call) => call.method === 'agents.sessions.setStatus' && call.args['status'] === 'processing'),
    ).toEqual([]);
    expect(await out.control.calls({ method: 'chat.postMessage' })).toEqual([]);
  });

  it('S13: sends both ids and the thread always; where Slack refuses all the same there is exactly one answer', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.startStream', error: 'missing_recipient_team_id', times: 9 });
    const turn = out.turn();
    await turn.begin();
    await turn.draft(words(0, 40));
    await until(async () => (await out.said()).length === 1, 'a message in place of a stream');
    await turn.post({ text: words(0, 60) });
    await turn.end();
    const said = await out.said();
    expect(said.map((message) => message.fallback)).toEqual([words(0, 60)]);
    expect((await out.control.calls({ method: 'chat.startStream' }))[0]?.args).toMatchObject({
      thread_ts: out.thread,
      recipient_user_id: 'U01ALICE',
      recipient_team_id: 'T01LAB',
    });
  });

  it('asks a workspace without streams once, and never again in this process', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.startStream', error: 'unknown_method', times: 99 });
    for (const name of ['T1', 'T2']) {
      const turn = out.turn(name);
      await turn.begin();
      await turn.draft(words(0, 40));
      await until(async () => (await out.said()).length === (name === 'T1' ? 1 : 2), 'a message');
      await turn.post({ text: words(0, 41) });
      await turn.end();
    }
    expect(await out.control.calls({ method: 'chat.startStream' })).toHaveLength(1);
    expect((await out.said()).map((message) => message.fallback)).toEqual([words(0, 41), words(0, 41)]);
  });

  it('S14, U070: goes on in another message where a stream has ended by itself, without loss or repeat', async () => {
    const out = await start();
    const turn = out.turn();
    const text = `${words(0, 80)}.\n\n${words(80, 160)}.\n\n${words(160, 240)}.`;
    await turn.begin();
    await turn.draft(text.slice(0, 200));
    await until(async () => (await out.said()).length === 1, 'a stream');
    await out.control.fault({ method: 'chat.appendStream', error: 'message_not_in_streaming_state', times: 1 });
    await turn.draft(text.slice(0, 700));
    await until(async () => (await out.said()).length === 2, 'a second stream');
    await turn.draft(text.slice(0, 1200));
    await turn.post({ text });
    await turn.end();
    const said = await out.said();
    expect(
      said
        .map((message) => message.fallback.trim())
        .join(' ')
        .replace(/\s+/g, ' '),
    ).toBe(text.replace(/\s+/g, ' '));
  });

  it('U070: rolls over by its own clock after four minutes, also while nothing happens; open tasks go on below', async () => {
    const out = await start();
    const turn = out.turn();
    await turn.begin();
    const running = [{ call: 'c1', text: 'Running Python', state: 'running' }] as const;
    await turn.draft('Let me work that out', running);
    await until(async () => (await out.said()).length === 1, 'a stream');
    out.clock.advance(241_000);
    await until(async () => (await out.said())[0]?.stream === 'stopped', 'the end of the first stream');
    out.clock.advance(120_000);
    await out.control.advance({ ms: 361_000 });
    const text = `Let me work that out\n\n${words(0, 100)}`;
    await turn.draft(text.slice(0, 300), [{ call: 'c1', text: 'Running Python', state: 'done' }]);
    await until(async () => (await out.said()).length === 2, 'a second stream');
    await turn.post({ text });
    await turn.end();
    const said = await out.said();
    expect(said.map((message) => message.fallback.trim())).toEqual(['Let me work that out', words(0, 100)]);
    // Nothing in the first message looks as if it were still going on.
    expect(JSON.stringify(said[0]?.blocks)).not.toContain('in_progress');
    expect(JSON.stringify(said[0]?.blocks)).toContain('goes on below');
    expect(JSON.stringify(said[0]?.blocks)).toContain('One step');
  });

  it('U071: the third append fails with 500: the final message is complete and alone', async () => {
    const out = await start();
    const turn = out.turn();
    const text = words(0, 200);
    await turn.begin();
    await turn.draft(text.slice(0, 100));
    await until(async () => (await out.said()).length === 1, 'a stream');
    await out.control.fault({ method: 'chat.appendStream', status: 500, skip: 2 });
    for (let end = 200; end < text.length; end += 100) {
      await turn.draft(text.slice(0, end));
      const before = (await out.control.calls({ method: 'chat.appendStream' })).length;
      if (before < 3) await until(async () => (await out.control.calls({ method: 'chat.appendStream' })).length > before, 'an append');
    }
    await turn.post({ text });
    await turn.end();
    expect((await out.said()).map((message) => message.fallback)).toEqual([text]);
  });

  it('U073: an answer that took long ends in a new message, so that the thread is unread; nothing stands twice', async () => {
    const out = await start();
    const turn = out.turn();
    const text = words(0, 120);
    await turn.begin();
    await turn.draft(text.slice(0, 300));
    await until(async () => (await out.said()).length === 1, 'a stream');
    const before = (await out.said())[0]?.ts ?? '';
    out.clock.advance(60_000);
    await out.control.advance({ ms: 60_000 });
    await turn.post({ text });
    await turn.end();
    const said = await out.said();
    expect(said.map((message) => message.fallback)).toEqual([text]);
    expect(Number(said[0]?.ts)).toBeGreaterThan(Number(before) + 50);
  });

  it('U073: text that comes after a long silence is a message of its own, and what was said before stays', async () => {
    const out = await start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft('I will look that up', [{ call: 'c1', text: 'Searching', state: 'running' }]);
    await until(async () => (await out.said()).length === 1, 'a stream');
    out.clock.advance(25_000);
    const text = `I will look that up\n\n${words(0, 60)}.\n\n${words(60, 80)}`;
    await turn.draft(text.slice(0, 250), [{ call: 'c1', text: 'Searching', state: 'done' }]);
    await until(async () => (await out.said()).length === 2, 'a second message');
    await turn.draft(text.slice(0, text.lastIndexOf('\n\n')), [
      { call: 'c1', text: 'Searching', state: 'done' },
      { call: 'c2', text: 'Running Python', state: 'running' },
    ]);
    await until(async () => JSON.stringify((await out.said())[1]?.blocks).includes('Running Python'), 'the second task');
    await turn.post({ text });
    await turn.end();
    const said = await out.said();
    expect(said.map((message) => message.fallback.trim())).toEqual(['I will look that up', `${words(0, 60)}.\n\n${words(60, 80)}`]);
    // A task stands in one message.
    expect(said.map((message) => JSON.stringify(message.blocks).match(/Searching|Running Python/g))).toEqual([
      ['Searching'],
      ['Running Python'],
    ]);
  });

  it('a stop by Slack’s own button keeps what stands and says only what is new', async () => {
    const out = await start();
    const turn = out.turn();
    const text = words(0, 120);
    await turn.begin();
    await turn.draft(text.slice(0, 300));
    await until(async () => (await out.said()).length === 1, 'a stream');
    await out.control.fault({ method: 'chat.appendStream', error: 'stopped_by_user', times: 9 });
    await out.control.fault({ method: 'chat.stopStream', error: 'stopped_by_user', times: 9 });
    await turn.draft(text.slice(0, 600));
    await until(async () => (await out.control.calls({ method: 'chat.appendStream' })).length > 0, 'an append');
    out.clock.advance(40_000);
    await turn.post({ text: `${text.slice(0, 600)}\n\nStopped by Alice.`, status: 'stopped', actions: ['retry'] });
    await turn.end();
    const said = await out.said();
    expect(said).toHaveLength(2);
    expect(said.map((message) => message.fallback.trim()).join(' ')).toMatch(/^word0 .*Stopped by Alice\.$/s);
    expect(
      said
        .map((message) => message.fallback)
        .join(' ')
        .match(/word5 /g),
    ).toHaveLength(1);
    expect(said[1]?.buttons.map((button) => button.text)).toEqual(['Retry']);
    expect(await out.control.calls({ method: 'chat.delete' })).toEqual([]);
  });

  it('an answer that turned out otherwise than its draft takes the draft’s place', async () => {
    const out = await start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft(`The first try was this: ${words(0, 20)}`);
    await until(async () => (await out.said()).length === 1, 'a stream');
    await turn.status('The model did not answer; trying again');
    await turn.draft('Quite another answer comes here.');
    await turn.post({ text: 'Quite another answer comes here.' });
    await turn.end();
    expect((await out.said()).map((message) => message.fallback)).toEqual(['Quite another answer comes here.']);
  });

  it('keeps to one call at a time, and to the rate that all streams of a workspace share', async () => {
    const out = await start();
    const turn = out.turn();
    await turn.begin();
    const text = words(0, 400);
    for (let end = 40; end <= text.length; end += 40) {
      await turn.draft(text.slice(0, end));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await turn.post({ text });
    await turn.end();
    const calls = (await out.control.calls()).filter((call) => call.method.endsWith('Stream'));
    expect(calls.filter((call) => call.method === 'chat.startStream')).toHaveLength(1);
    const appends = calls.filter((call) => call.method === 'chat.appendStream').map((call) => call.at);
    for (const [n, at] of appends.slice(1).entries()) expect(at - (appends[n] ?? 0)).toBeGreaterThanOrEqual(500);
    expect((await out.said()).map((message) => message.fallback)).toEqual([text]);
  });

  it('a limit on appends holds up neither the turn nor its answer', async () => {
    const out = await start();
    const turn = out.turn();
    const text = words(0, 100);
    await turn.begin();
    await turn.draft(text.slice(0, 100));
    await until(async () => (await out.said()).length === 1, 'a stream');
    await out.control.fault({ method: 'chat.appendStream', retryAfter: 30, times: 9 });
    await turn.draft(text.slice(0, 300));
    await until(async () => (await out.control.calls({ method: 'chat.appendStream' })).length > 0, 'an append');
    await turn.post({ text });
    expect((await out.said()).map((message) => message.fallback)).toEqual([text]);
  });

  it('an append that Slack takes its time over holds up no answer, and nothing of it shows twice', async () => {
    const out = await start();
    const turn = out.turn();
    const text = words(0, 100);
    await turn.begin();
    await turn.draft(text.slice(0, 100));
    await until(async () => (await out.said()).length === 1, 'a stream');
    await out.control.fault({ method: 'chat.appendStream', delayMs: 12_000 });
    await turn.draft(text.slice(0, 300));
    // Its time to be made has come; its answer comes long after.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const late = until(async () => (await out.control.calls({ method: 'chat.appendStream' })).length > 0, 'the append');
    out.clock.advance(4_100);
    expect(await Promise.race([turn.post({ text }), late])).toMatchObject({ ok: true });
    expect((await out.said()).map((message) => message.fallback)).toEqual([text]);
  });

  it('a limit on ending streams holds up no answer: its words are there at once, and the stream is ended later', async () => {
    const out = await start();
    const turn = out.turn();
    const text = words(0, 100);
    await turn.begin();
    await turn.draft(text.slice(0, 100));
    await until(async () => (await out.said()).length === 1, 'a stream');
    await out.control.fault({ method: 'chat.stopStream', retryAfter: 60, times: 1 });
    await turn.post({ text });
    await turn.end();
    expect((await out.said()).map((message) => message.fallback)).toEqual([text]);
    out.clock.advance(241_000);
    await out.control.advance({ ms: 241_000 });
    await until(async () => (await out.said())[0]?.stream === 'stopped', 'the end of the stream');
    expect((await out.said()).map((message) => message.fallback)).toEqual([text]);
  });

  it('S10, U107: no token of the model or of a tool gets out, not in pieces and not in titles', async () => {
    const out = await start();
    const turn = out.turn();
    const text = `Hello <!channel> and <@U02BOB> and <!subteam^S1|@x> and @everyone and <#C02LAB>, says the model. ${words(0, 40)}`;
    await turn.begin();
    for (let end = 5; end < text.length; end += 11) {
      await turn.draft(text.slice(0, end), [{ call: 'c1', text: 'Reading <!here> now', state: 'running' }]);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await turn.post({ text });
    await turn.end();
    expect((await out.said()).flatMap((message) => message.pings)).toEqual([]);
    for (const call of await out.control.calls()) expect(JSON.stringify(call.args)).not.toMatch(/<[!@#]/);
  });

  it('where Slack shows no Stop of its own a button is sent along, and is gone at the end', async () => {
    const out = await start();
    await out.control.app({ agents: false });
    const turn = out.turn();
    const text = words(0, 80);
    await turn.begin();
    await turn.draft(text.slice(0, 100));
    await until(async () => (await out.said()).length === 1, 'a stream');
    expect((await out.said())[0]?.buttons.map((button) => button.text)).toEqual(['Stop']);
    await turn.post({ text });
    await turn.end();
    const said = await out.said();
    expect(said.map((message) => message.fallback)).toEqual([text]);
    expect(said[0]?.buttons).toEqual([]);
  });

  it('where a stream takes no blocks the Stop button stands below it, and goes with the end', async () => {
    const out = await start();
    await out.control.app({ agents: false });
    await out.control.fault({ method: 'chat.startStream', error: 'invalid_blocks', times: 1 });
    const turn = out.turn();
    const text = words(0, 80);
    await turn.begin();
    await turn.draft(text.slice(0, 100));
    await until(async () => (await out.said()).length === 2, 'a stream and its Stop');
    expect((await out.said()).map((message) => message.buttons.map((button) => button.text))).toEqual([[], ['Stop']]);
    await turn.post({ text });
    await turn.end();
    expect((await out.said()).map((message) => [message.fallback, message.buttons])).toEqual([[text, []]]);
  });

  it('a thread whose status Slack refuses to show has a Stop button, also where others have Slack’s own', async () => {
    const out = await start();
    await out.control.fault({ method: 'agents.sessions.setStatus', error: 'channel_not_supported', times: 9 });
    const turn = out.turn();
    const text = words(0, 80);
    await turn.begin();
    await turn.draft(text.slice(0, 100));
    await until(async () => (await out.said()).length === 1, 'a stream');
    expect((await out.said())[0]?.buttons.map((button) => button.text)).toEqual(['Stop']);
    await turn.post({ text });
    await turn.end();
    expect((await out.said()).map((message) => [message.fallback, message.buttons])).toEqual([[text, []]]);
  });

  it('without Slack’s own Stop a long answer keeps the place where it began, and goes on below', async () => {
    const out = await start();
    await out.control.app({ agents: false });
    const turn = out.turn();
    const text = Array.from({ length: 12 }, (_, n) => `Paragraph ${n}: ${words(0, 90)} end${n}.`).join('\n\n');
    await turn.begin();
    await turn.draft(text.slice(0, 900), [{ call: 'c', text: 'Running Python', state: 'running' }]);
    await until(async () => (await out.said()).length === 1, 'a stream');
    const first = (await out.said())[0]?.ts;
    await turn.post({ text, actions: ['feedback'] });
    await turn.end();
    const said = await out.said();
    expect(said.length).toBeGreaterThan(1);
    expect(said[0]?.ts).toBe(first);
    for (let n = 0; n < 12; n += 1)
      expect(
        said
          .map((message) => message.fallback)
          .join('\n')
          .split(` end${n}.`),
      ).toHaveLength(2);
    expect(said.map((message) => message.buttons.length)).toEqual([...said.slice(1).map(() => 0), 2]);
    expect(await out.control.calls({ method: 'chat.delete' })).toEqual([]);
  });

  it('U130: what a worker that died left half said is gone when another has answered', async () => {
    const out = await start();
    const first = out.turn();
    const text = words(0, 80);
    await first.begin();
    await first.draft(text.slice(0, 200));
    await until(async () => (await out.said()).length === 1, 'a stream');
    out.restart();
    const second = out.turn();
    await second.begin();
    await second.draft(text.slice(0, 100));
    await until(async () => (await out.control.calls({ method: 'chat.startStream' })).length === 2, 'a stream of the second');
    await second.post({ text });
    await second.end();
    expect((await out.said()).map((message) => message.fallback)).toEqual([text]);
  });

  it('U130: a stream whose start was carried out, but whose reply was lost, does not stay beside the answer', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.startStream', drop: 'reply' });
    const turn = out.turn();
    await turn.begin();
    await turn.draft(words(0, 40));
    await until(async () => (await out.said()).length === 1, 'a stream that nobody knows of');
    await turn.post({ text: words(0, 60) });
    await turn.end();
    await until(async () => (await out.said()).length === 1, 'the answer alone');
    expect((await out.said()).map((message) => [message.fallback, message.stream])).toEqual([[words(0, 60), null]]);
    await until(async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.status === 'active', 'no status');
  });

  it('U076: the status of a process that died is taken away by the one that answers in its place', async () => {
    const out = await start();
    const before = out.turn();
    await before.begin();
    await until(async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.status === 'processing', 'a status');
    out.restart();
    await out.turn().post({ text: 'Here it is.' });
    await until(async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.status === 'active', 'no status');
  });

  it('U076: the status goes at every end, also of a turn without words', async () => {
    const out = await start();
    const turn = out.turn();
    await turn.begin();
    await until(async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.status === 'processing', 'a status');
    await turn.end();
    await until(async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.status === 'active', 'no status');
    // A turn whose worker is told nothing more has an end, too.
    const lost = out.turn('T2');
    await lost.begin();
    await until(async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.status === 'processing', 'a status');
    out.clock.advance(25 * 60_000);
    await until(async () => (await out.control.session({ channel: out.channel, thread: out.thread }))?.status === 'active', 'no status');
  });
});
