/** What a running turn shows in Discord, against the stand-in. */
import { afterEach, describe, expect, it } from 'vitest';
import { conversationIdOf } from '../../../src/core/ids.ts';
import { createDiscordOutOwner } from '../../support/discord-out.ts';
import type { DiscordOut } from '../../support/discord-out.ts';
import { ids } from '../../servers/discord/places.ts';
import { until } from '../../support/until.ts';

const owner = createDiscordOutOwner();
afterEach(() => owner.end());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const texts = async (out: DiscordOut, where?: string) => (await out.said(where)).map(({ text }) => text);
const edits = (out: DiscordOut) => out.control.calls({ method: 'PATCH', path: '/messages/' });

describe('drafts', { timeout: 90_000 }, () => {
  it('U077: typing at first, then one message with Stop that becomes the answer', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin();
    await until(async () => (await out.control.calls({ path: `/channels/${out.asked}/typing` })).length === 1, 'typing');
    expect(await out.said()).toEqual([]);
    await turn.draft('Well, it');
    await until(async () => (await out.said()).length === 1, 'a draft');
    const [draft] = await out.said();
    expect(draft).toMatchObject({ text: 'Well, it', flags: 4 });
    expect(draft?.buttons.map(({ label }) => label)).toEqual(['Stop']);
    await turn.draft('Well, it is', [{ call: '1', text: 'Searching the web', state: 'running' }]);
    await until(async () => (await texts(out))[0]?.includes('⏳ Searching the web') === true, 'progress');
    await turn.post({ text: 'Well, it is 42.', actions: ['feedback'] });
    await turn.end();
    const [said, ...more] = await out.said();
    expect(more).toEqual([]);
    expect(said).toMatchObject({ id: draft?.id, text: 'Well, it is 42.', nonce: draft?.nonce });
    expect(said?.buttons.map(({ label }) => label)).not.toContain('Stop');
    expect(said?.editPings).toEqual([]);
  });

  it('rule 40: where the bot may not write, the draft and the answer that it becomes tell the asker where they come from', async () => {
    const out = await owner.start();
    await out.control.permit({
      channel: out.channel,
      user: 'hektor',
      deny: ['CreatePublicThreads', 'SendMessages', 'SendMessagesInThreads'],
    });
    const direct = await out.control.directChannel({ user: 'alice' });
    const turn = out.turn();
    await turn.begin();
    await turn.draft('Well, it');
    await until(async () => (await out.said(direct)).length === 1, 'a draft for the asker alone');
    await turn.post({ text: 'Well, it is 42.', actions: ['feedback'] });
    await turn.end();
    const [said, ...more] = await out.said(direct);
    expect(more).toEqual([]);
    expect(said?.content).toBe(`Well, it is 42.\n-# I may not write in <#${out.channel}>, so this comes to you.`);
    expect(said?.buttons).toEqual([]);
    expect(await texts(out, out.channel)).toEqual([]);
  });

  it('rule 22: latest wins, at least a second and a half apart, one request under way, over all sessions of a channel', async () => {
    const out = await owner.start({ threads: 'reply' });
    const others = await Promise.all(
      [1, 2].map(async (n) => {
        const asked = await out.control.say({ user: 'bob', channel: out.channel, text: `@hektor ${n}` });
        const of = conversationIdOf({ platform: 'discord', workspace: ids.guild, channel: out.channel, thread: asked.id });
        return out.turn(`O${n}`, { ...out.origin, message: asked.id }, of);
      }),
    );
    const turns = [out.turn(), ...others];
    for (const turn of turns) await turn.begin();
    for (let n = 0; n < 40; n += 1) {
      for (const [k, turn] of turns.entries()) await turn.draft(`turn ${k} word ${n}`);
      await pause(200);
    }
    const shown = (await out.control.calls({ path: `/channels/${out.channel}/messages` })).filter(({ method }) => method !== 'GET');
    const times = shown.map(({ at }) => at);
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.length).toBeLessThan(9);
    for (const [n, at] of times.entries()) if (n > 0) expect(at - (times[n - 1] ?? 0)).toBeGreaterThan(1_300);
    for (const [k, turn] of turns.entries()) await turn.post({ text: `turn ${k} is done` });
    expect((await texts(out, out.channel)).toSorted()).toEqual(['turn 0 is done', 'turn 1 is done', 'turn 2 is done']);
    expect((await out.control.invalidRequests()).count).toBe(0);
  });

  it('rule 22: a 429 makes it slower, and the final words land all the same', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft('one');
    await until(async () => (await out.said()).length === 1, 'a draft');
    await out.control.fault({ method: 'PATCH', path: '/messages/', retryAfter: 3 });
    await turn.draft('two');
    await until(async () => (await edits(out)).some(({ status }) => status === 429), 'a 429');
    await turn.draft('three');
    await turn.post({ text: 'All of it, to the end.' });
    expect(await texts(out)).toEqual(['All of it, to the end.']);
    expect((await edits(out)).filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it('rule 23: what is open is closed for display', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft('See:\n```python\nx = 1');
    await until(async () => (await out.said()).length === 1, 'a draft');
    expect(await texts(out)).toEqual(['See:\n```python\nx = 1\n```']);
  });

  it('U065: a long draft goes over several messages, and becomes the answer without a sentence twice', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin();
    const words = Array.from({ length: 700 }, (_, n) => `word${n}`).join(' ');
    await turn.draft(words.slice(0, 3_000));
    await until(async () => (await out.said()).length === 2, 'two messages');
    await turn.post({ text: words });
    const said = await texts(out);
    expect(said.length).toBeGreaterThanOrEqual(3);
    expect(said.join(' ').match(/word\d+/g)).toEqual(words.split(' '));
  });

  it('D08, U076: typing ends with every end', async () => {
    const out = await owner.start();
    for (const [n, stop] of [
      async (turn: ReturnType<typeof out.turn>) => turn.post({ text: 'Done.' }),
      async (turn: ReturnType<typeof out.turn>) => turn.end(),
      async (turn: ReturnType<typeof out.turn>) => turn.post({ text: '' }),
    ].entries()) {
      const turn = out.turn(`T${n}`);
      const before = (await out.control.calls({ path: '/typing' })).length;
      await turn.begin();
      await until(async () => (await out.control.calls({ path: '/typing' })).length > before, 'typing');
      out.clock.advance(9_000);
      await until(async () => (await out.control.calls({ path: '/typing' })).length > before + 1, 'typing again');
      await stop(turn);
      const ended = (await out.control.calls({ path: '/typing' })).length;
      for (let k = 0; k < 4; k += 1) {
        out.clock.advance(9_000);
        await pause(50);
      }
      expect((await out.control.calls({ path: '/typing' })).length).toBe(ended);
      await turn.end();
    }
  });

  it('U073: after a long turn the answer is a new message and the preview is gone', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft('thinking aloud');
    await until(async () => (await out.said()).length === 1, 'a draft');
    const [draft] = await out.said();
    out.clock.advance(60_000);
    await turn.post({ text: 'The answer.' });
    const [said, ...more] = await out.said();
    expect(more).toEqual([]);
    expect(said?.text).toBe('The answer.');
    expect(said?.id).not.toBe(draft?.id);
  });

  it('D07: a delete that fails once is tried again', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft('a preview');
    await until(async () => (await out.said()).length === 1, 'a draft');
    out.clock.advance(60_000);
    await out.control.fault({ method: 'DELETE', path: '/messages/', status: 500 });
    await turn.post({ text: 'The answer.' });
    expect(await texts(out)).toEqual(['The answer.']);
  });

  it('rule 20: a turn of more than an hour goes on in a new message', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft('the beginning');
    await until(async () => (await out.said()).length === 1, 'a draft');
    const [first] = await out.said();
    out.clock.advance(61 * 60_000);
    await turn.draft('the beginning and more');
    await until(async () => (await texts(out)).join() === 'the beginning and more', 'a new draft');
    expect((await out.said())[0]?.id).not.toBe(first?.id);
    await turn.post({ text: 'the end' });
    expect(await texts(out)).toEqual(['the end']);
  });

  it('U130: another process goes on with the messages of one that died', async () => {
    const out = await owner.start();
    await out.turn().begin();
    await out.turn().draft('half a sen');
    await until(async () => (await out.said()).length === 1, 'a draft');
    const [first] = await out.said();
    out.restart();
    await out.turn().begin();
    await out.turn().draft('half a sentence');
    await until(async () => (await texts(out))[0] === 'half a sentence', 'the draft goes on');
    await out.turn().post({ text: 'A whole sentence.' });
    expect(await out.said()).toMatchObject([{ id: first?.id, text: 'A whole sentence.' }]);
  });

  it('U130: a post that another process sends takes the place of what stands, too', async () => {
    const out = await owner.start();
    await out.turn().begin();
    await out.turn().draft('half');
    await until(async () => (await out.said()).length === 1, 'a draft');
    out.restart();
    await out.turn().post({ text: 'Whole.' });
    await out.turn().post({ text: 'Whole.' });
    expect(await texts(out)).toEqual(['Whole.']);
  });

  it('a preview that was deleted by a moderator is no loss', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft('some words');
    await until(async () => (await out.said()).length === 1, 'a draft');
    await out.control.delete({ id: (await out.said())[0]?.id ?? '' });
    await turn.draft('some more words');
    await turn.post({ text: 'All words.' });
    expect(await texts(out)).toEqual(['All words.']);
  });

  it("a person's code that takes its time shows what it prints, with Stop; what ends sooner does not", async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin('Running');
    await turn.output('step 1\n');
    await pause(300);
    expect(await out.said()).toEqual([]);
    out.clock.advance(2_500);
    await until(async () => (await texts(out))[0]?.includes('step 1') === true, 'output');
    expect((await out.said())[0]?.buttons.map(({ label }) => label)).toEqual(['Stop']);
    await turn.post({ kind: 'answer', text: 'Stopped.', status: 'stopped' });
    expect(await texts(out)).toEqual(['Stopped.']);
  });

  it('U074, U128: a turn that ends without an answer leaves its words, without Stop', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft('What I have so far');
    await until(async () => (await out.said()).length === 1, 'a draft');
    await out.outbound()[Symbol.asyncDispose]();
    expect((await out.said()).map(({ text, buttons }) => [text, buttons.length])).toEqual([['What I have so far', 0]]);
  });
});
