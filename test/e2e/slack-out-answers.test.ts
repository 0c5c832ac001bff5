/** Slack, going out: the whole program against the stand-in; what people see of answers, whatever Slack or the machine does to them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPacedServer } from '../servers/openai/paced.ts';
import type { PacedServer } from '../servers/openai/paced.ts';
import { startSlackApp } from '../support/slack-app.ts';
import type { SlackApp } from '../support/slack-app.ts';

const words = (from: number, to: number): string => Array.from({ length: to - from }, (_, n) => `word${from + n}`).join(' ');
/** A text in pieces of about `size` characters, with a pause after each. */
const slowly = (text: string, size: number, ms: number): readonly (string | number)[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, n) => [text.slice(n * size, (n + 1) * size), ms]).flat();

describe('answers in Slack', { timeout: 180_000 }, () => {
  let model: PacedServer;
  let app: SlackApp;
  beforeAll(async () => {
    model = await startPacedServer();
    app = await startSlackApp({ env: { OPENAI_BASE_URL: model.baseUrl, HEKTOR_MODEL: 'paced' } });
  }, 120_000);
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });

  const ask = async (text: string, channel = 'C01GEN'): Promise<string> =>
    (await app.control.say({ user: 'U01ALICE', channel, text: `@hektor ${text}` })).ts;
  const visible = async (thread: string, channel = 'C01GEN') =>
    (await app.control.messages({ channel, thread })).filter((one) => one.fromBot);
  /** The answers of a thread once its turn is over and nothing more comes. */
  const done = async (thread: string, channel = 'C01GEN') => {
    await app.answered(channel, thread);
    await app.settled();
    return visible(thread, channel);
  };

  it('streams an answer into one message, with a status before it and thumbs after it (U077, U076)', async () => {
    const text = `It is **42**. ${words(0, 120)}.`;
    model.answer(() => [1_500, ...slowly(text, 80, 150)]);
    const thread = await ask('what is 6 * 7?');
    await app.control.until(async () => (await app.control.session({ channel: 'C01GEN', thread }))?.status === 'processing', 'a status');
    await app.control.until(async () => (await visible(thread))[0]?.stream === 'streaming', 'a stream');
    const [answer, ...more] = await done(thread);
    expect(more).toEqual([]);
    expect(answer).toMatchObject({ stream: 'stopped', fallback: text, thread });
    expect(answer?.streamCalls).toBeGreaterThan(2);
    expect(answer?.buttons.map((button) => button.text)).toEqual(['Good answer', 'Bad answer']);
    await app.control.until(async () => (await app.control.session({ channel: 'C01GEN', thread }))?.status === 'active', 'no status');
  });

  it('S10, U107: a model that repeats tokens calls nobody, also where they come in pieces', async () => {
    model.answer(() => ['Well: <!chan', 300, 'nel> and <!he', 300, 're> <@U02', 300, 'BOB> <#C02LAB> @everyone. ', 300, words(0, 30)]);
    const said = await done(await ask('repeat: @everyone <!here>'));
    expect(said.flatMap((message) => message.pings)).toEqual([]);
    expect(said[0]?.text).toContain('<!channel>');
  });

  it('S13: where Slack refuses the stream there is one answer all the same', async () => {
    model.answer(() => slowly(words(0, 60), 60, 200));
    await app.control.fault({ method: 'chat.startStream', error: 'missing_recipient_team_id', times: 3 });
    const said = await done(await ask('stream?'));
    expect(said.map((message) => message.fallback)).toEqual([words(0, 60)]);
    await app.control.clearFaults();
  });

  it('S14, U070: a stream that ends too early goes on below, with every word once', async () => {
    const text = words(0, 200);
    model.answer(() => slowly(text, 60, 250));
    await app.control.fault({ method: 'chat.appendStream', error: 'message_not_in_streaming_state', skip: 2 });
    const said = await done(await ask('a long one'));
    expect(said.length).toBe(2);
    expect(said.map((message) => message.fallback.trim()).join(' ')).toBe(text);
  });

  it('U071: an append that fails with 500 leaves a complete answer', async () => {
    const text = words(0, 200);
    model.answer(() => slowly(text, 60, 250));
    await app.control.fault({ method: 'chat.appendStream', status: 500, skip: 2 });
    expect((await done(await ask('again'))).map((message) => message.fallback)).toEqual([text]);
  });

  it('S11, U065, U067: 9,000 characters with a long code block and emoji are all there', async () => {
    const code = Array.from({ length: 230 }, (_, n) => `v_${n} = f(${n})  # 5`).join('\n');
    const text = `${'Some words 👩‍👩‍👧 here. '.repeat(90)}\n\n\`\`\`python\n${code}\n\`\`\`\n\n${'More at the end. '.repeat(120)}`;
    model.answer(() => slowly(text, 900, 60));
    const said = await done(await ask('write 9,000 characters'));
    const all = said.map((message) => message.fallback).join('\n');
    expect(all.match(/More at the end\./g)).toHaveLength(120);
    expect(all.match(/👩‍👩‍👧/g)).toHaveLength(90);
    expect(all.match(/v_229 = /g)).toHaveLength(1);
  });

  it('S16: two questions at once have a message each, in order', async () => {
    model.answer((question) => [400, question.includes('first') ? 'The first answer.' : 'The second answer.']);
    const thread = await ask('first question');
    await app.control.say({ user: 'U02BOB', channel: 'C01GEN', thread, text: 'and a second question' });
    await app.answered('C01GEN', thread, 2);
    await app.settled();
    expect((await visible(thread)).map((message) => message.fallback)).toEqual(['The first answer.', 'The second answer.']);
  });

  it('a stop by Slack’s own button ends the turn; what was said stays, and says who stopped it', async () => {
    model.answer(() => slowly(words(0, 900), 60, 300));
    const thread = await ask('talk for long');
    await app.control.until(async () => ((await visible(thread))[0]?.streamCalls ?? 0) > 2, 'some text');
    await app.control.stopSession({ user: 'U01ALICE', channel: 'C01GEN', thread });
    await app.control.until(async () => (await visible(thread)).some((one) => /Stopped by/.test(one.text)), 'the end', 60_000);
    await app.settled();
    const said = await visible(thread);
    expect(
      said
        .map((message) => message.fallback)
        .join(' ')
        .match(/word3 /g),
    ).toHaveLength(1);
    expect(said.at(-1)?.buttons.map((button) => button.text)).toContain('Retry');
    expect((await app.control.session({ channel: 'C01GEN', thread }))?.status).toBe('active');
  });

  it('without Slack’s panel for agents: streamed all the same, with a Stop button that stops, and gone at the end', async () => {
    await app.control.app({ agents: false });
    model.answer(() => slowly(words(0, 900), 60, 300));
    const thread = await ask('talk for long again');
    const [live] = await app.control.until(async () => {
      const said = await visible(thread);
      return (said[0]?.streamCalls ?? 0) > 2 && said;
    }, 'some text');
    expect(live).toMatchObject({ stream: 'streaming' });
    await app.control.press({ user: 'U01ALICE', channel: 'C01GEN', ts: live?.ts ?? '', button: 'Stop' });
    await app.control.until(async () => (await visible(thread)).some((one) => /Stopped by/.test(one.fallback)), 'the end', 60_000);
    await app.settled();
    const stopped = await visible(thread);
    expect(
      stopped
        .map((message) => message.fallback)
        .join(' ')
        .match(/word3 /g),
    ).toHaveLength(1);
    expect(stopped.flatMap((message) => message.buttons.map((button) => button.text))).toEqual(['Retry']);
    model.answer(() => slowly(words(0, 100), 60, 200));
    const [answer, ...more] = await done(await ask('and now?'));
    expect(more).toEqual([]);
    expect(answer).toMatchObject({ fallback: words(0, 100), stream: null });
    expect(answer?.buttons.map((button) => button.text)).toEqual(['Good answer', 'Bad answer']);
    await app.control.app({ agents: true });
  });

  it('U133: a model that says nothing leaves no empty message', async () => {
    model.answer(() => ['\n\n']);
    const said = await done(await ask('say nothing'));
    expect(said).toHaveLength(1);
    expect(said[0]?.text.trim()).not.toBe('');
  });

  it('U074: what was said before a tool failed stays', async () => {
    model.answer((_, results) =>
      results === 0
        ? ['I will look at the page now.', { call: 'read_page', args: { url: 'http://127.0.0.1:1/' } }]
        : ['That did not work.'],
    );
    const said = await done(await ask('look at it'));
    const all = said.map((message) => message.fallback).join('\n');
    expect(all).toContain('I will look at the page now.');
    expect(all).toContain('That did not work.');
  });

  it('U131: the question is deleted while the bot thinks: nothing breaks, and the next is answered', async () => {
    model.answer(() => [1_500, 'Too late?']);
    const thread = await ask('never mind');
    await app.control.delete({ channel: 'C01GEN', ts: thread });
    await app.settled();
    model.answer(() => ['Still here.']);
    expect((await done(await ask('hello?'))).map((message) => message.fallback)).toEqual(['Still here.']);
  });

  it('a slash command is answered to who typed it, where they typed it, through its address', async () => {
    await app.control.command({ user: 'U01ALICE', channel: 'C03QUIET', command: '/hektor', text: 'usage' });
    const seen = await app.control.until(
      async () => (await app.control.ephemerals({ channel: 'C03QUIET', user: 'U01ALICE' })).at(-1),
      'an answer',
    );
    expect(seen.text.length).toBeGreaterThan(10);
  });
});
