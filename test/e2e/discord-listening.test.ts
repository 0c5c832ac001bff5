/** Discord, the whole program: who is answered, where, and once, whatever happens to the gateway and to processes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ids } from '../servers/discord/places.ts';
import { startDiscordApp } from '../support/discord-app.ts';
import type { DiscordApp } from '../support/discord-app.ts';

describe('Discord', { timeout: 180_000 }, () => {
  let app: DiscordApp;
  beforeAll(async () => {
    app = await startDiscordApp();
  }, 120_000);
  afterAll(() => app[Symbol.asyncDispose]());
  const reply = (words: string): void => app.model.answer(() => words);
  /** The bot's answers; its notices and receipts aside. */
  const texts = async (channel: string): Promise<readonly string[]> => (await app.answers(channel)).map((one) => one.text);

  it('D05, U031, U037: a mention is answered in a thread on its message, and the thread goes on without one', async () => {
    reply('The answer is 41.');
    const said = await app.control.say({ user: 'alice', channel: 'general', text: '@hektor my number is 41' });
    await app.said(said.id, 'The answer is 41.');
    expect(await app.answers('general')).toEqual([]);
    const [thread] = await app.control.threads({ channel: 'general' });
    expect(thread).toMatchObject({ id: said.id, name: 'my number is 41' });
    reply('42, I think.');
    await app.control.say({ user: 'bob', channel: said.id, text: 'add one' });
    await app.said(said.id, '42, I think.');
    const sent = JSON.stringify(app.model.asked.at(-1)?.messages);
    expect(sent).toContain('my number is 41');
    expect(sent).toContain('Bob');
  });

  it('D16, D17: @everyone, webhooks and bots wake nobody', async () => {
    const before = app.model.asked.length;
    const me = `<@${app.discord.applicationId}>`;
    await app.control.say({ user: 'carol', channel: 'random', text: '@everyone lunch?' });
    for (let n = 0; n < 10; n += 1)
      await app.control.say({ user: 'alice', channel: 'random', raw: true, text: `${me} hello`, webhook: 'CI' });
    await app.settled();
    expect(app.model.asked.length).toBe(before);
    expect(await app.answers('random')).toEqual([]);
  });

  it('D04: dropped in mid-run and resumed, it answers once', async () => {
    app.model.answer(() => 'Slow but sure.', 2_000);
    const said = await app.control.say({ user: 'alice', channel: 'general', text: '@hektor take your time' });
    await app.control.until(
      async () => app.model.asked.length > 0 && app.model.questions().at(-1)?.includes('take your time'),
      'the request',
    );
    await app.control.drop({ code: 4000 });
    await app.said(said.id, 'Slow but sure.');
    await app.settled();
    expect((await texts(said.id)).filter((text) => text.includes('Slow but sure.'))).toHaveLength(1);
  });

  it('D10, U131: the question deleted at once, it stops or answers, and the next one works', async () => {
    app.model.answer(() => 'Too late.', 1_500);
    const said = await app.control.say({ user: 'alice', channel: 'general', text: '@hektor never mind' });
    await app.control.delete({ id: said.id });
    await app.settled();
    reply('Here I am.');
    const next = await app.control.say({ user: 'alice', channel: 'general', text: '@hektor are you there?' });
    await app.said(next.id, 'Here I am.');
  });

  it('U026: two threads at once are each answered in their own', async () => {
    app.model.answer((asked) => (JSON.stringify(asked.messages).includes('about apples') ? 'Apples.' : 'Pears.'), 500);
    const [one, two] = [
      await app.control.say({ user: 'alice', channel: 'general', text: '@hektor about apples' }),
      await app.control.say({ user: 'bob', channel: 'general', text: '@hektor about pears' }),
    ];
    await app.said(one.id, 'Apples.');
    await app.said(two.id, 'Pears.');
    expect((await texts(one.id)).join()).not.toContain('Pears');
  });

  it('U041: set to reply, a channel is answered by a reply, and a reply to that goes on', async () => {
    const channel = await app.control.channel({ name: 'quiet-corner' });
    await app.control.command({ user: 'carol', channel, name: 'settings', options: { threads: 'reply' } });
    await app.settled();
    reply('In short: yes.');
    const said = await app.control.say({ user: 'alice', channel, text: '@hektor is it so?' });
    const answer = await app.said(channel, 'In short: yes.');
    expect(answer.replyTo).toBe(said.id);
    expect(await app.control.threads({ channel })).toEqual([]);
    reply('Because.');
    await app.control.say({ user: 'alice', channel, text: 'why?', replyTo: answer.id });
    await app.said(channel, 'Because.');
    expect(JSON.stringify(app.model.asked.at(-1)?.messages)).toContain('is it so?');
  });

  it('U043, D14: a forum post is answered in the post', async () => {
    reply('Have you tried it twice?');
    const { thread } = await app.control.openThread({
      user: 'alice',
      channel: 'help',
      name: 'It crashes',
      first: { text: '@hektor help' },
    });
    await app.said(thread, 'Have you tried it twice?');
    expect(JSON.stringify(app.model.asked.at(-1)?.messages)).toContain('It crashes');
  });

  it('U032: called into a thread of people, it knows what it hangs on', async () => {
    reply('It is red.');
    const ticket = await app.control.say({ user: 'alice', channel: 'general', text: 'ticket: red button' });
    const { thread } = await app.control.openThread({ user: 'bob', channel: 'general', name: 'Ticket', from: ticket.id });
    await app.control.say({ user: 'bob', channel: thread, text: '@hektor what colour?' });
    await app.said(thread, 'It is red.');
    expect(JSON.stringify(app.model.asked.at(-1)?.messages)).toContain('ticket: red button');
  });

  it('U044: direct messages are answered there, and /reset begins anew', async () => {
    reply('Noted.');
    await app.control.dm({ user: 'bob', text: 'my cat is called Mio' });
    const channel = await app.control.directChannel({ user: 'bob' });
    await app.said(channel, 'Noted.');
    await app.control.command({ user: 'bob', channel, name: 'reset' });
    await app.settled();
    reply('I do not know.');
    await app.control.dm({ user: 'bob', text: 'what is she called?' });
    await app.said(channel, 'I do not know.');
    expect(JSON.stringify(app.model.asked.at(-1)?.messages)).not.toContain('Mio');
  });

  it('U019: /ask is deferred at once, and answered', async () => {
    reply('A monoid in the category of endofunctors.');
    const outcome = await app.control.command({ user: 'alice', channel: 'random', name: 'ask', options: { question: 'what is a monad?' } });
    expect(outcome).toMatchObject({ state: 'answered', answer: 5, ephemeral: false });
    await app.control.until(
      async () => {
        const there = [...(await app.answers('random')), ...(outcome.original === null ? [] : await app.answers(outcome.original))];
        return there.some((one) => one.text.includes('A monoid'));
      },
      'the answer',
      60_000,
    );
    await app.settled();
    expect((await app.answers('random')).filter((one) => one.loading)).toEqual([]);
  });

  it('"Ask about this" quotes a message, and its answer is seen by all', async () => {
    reply('It says that it is down.');
    const shown = await app.control.say({ user: 'bob', channel: 'random', text: 'the deploy failed' });
    const opened = await app.control.menu({ user: 'alice', message: shown.id, name: 'Ask about this' });
    const sent = await app.control.submit({ interaction: opened.id, values: { question: 'what does this mean?' } });
    await app.control.until(
      async () => {
        const there = [...(await app.answers('random')), ...(sent.original === null ? [] : await app.answers(sent.original))];
        return there.some((one) => one.text.includes('It says that it is down.'));
      },
      'the answer',
      60_000,
    );
    expect(JSON.stringify(app.model.asked.at(-1)?.messages)).toContain('the deploy failed');
  });

  it('U010, U011: an edit of the last question asks it anew; previews ask nothing', async () => {
    reply('For 2024.');
    const said = await app.control.say({ user: 'alice', channel: 'general', text: '@hektor figures for 2024 https://example.org' });
    await app.said(said.id, 'For 2024.');
    await app.settled();
    const before = app.model.asked.length;
    for (let n = 0; n < 10; n += 1) await app.control.unfurl({ id: said.id, url: 'https://example.org' });
    await app.settled();
    expect(app.model.asked.length).toBe(before);
    reply('For 2025.');
    await app.control.edit({ id: said.id, text: '@hektor figures for 2025 https://example.org' });
    await app.said(said.id, 'For 2025.');
    expect(app.model.asked.length).toBe(before + 1);
  });

  it('U106: a channel that is not allowed binds commands in its threads as well', async () => {
    await using guarded = await startDiscordApp({ env: { HEKTOR_CHANNELS: `discord/${ids.guild}/${ids.random}` } });
    const before = await guarded.control.say({ user: 'alice', channel: 'general', text: 'a message' });
    const { thread } = await guarded.control.openThread({ user: 'alice', channel: 'general', name: 'x', from: before.id });
    await guarded.control.until(async () => (await guarded.control.commands()).length > 0, 'the commands');
    await guarded.control.command({ user: 'alice', channel: thread, name: 'ask', options: { question: 'hello?' } });
    await guarded.control.until(
      async () => (await guarded.control.ephemerals({ user: 'alice', channel: thread })).find((one) => one.text.includes('may not')),
      'a refusal',
    );
    expect(guarded.model.asked).toEqual([]);
  });
});

describe('Discord, through restarts', { timeout: 240_000 }, () => {
  it('U034, D11, D22: killed and started anew, it takes part in its threads, reads up what it missed, and hands in no commands twice', async () => {
    await using app = await startDiscordApp();
    app.model.answer((_, n) => `Answer ${n}.`);
    const said = await app.control.say({ user: 'alice', channel: 'general', text: '@hektor hello' });
    await app.said(said.id, 'Answer 1.');
    await new Promise((done) => setTimeout(done, 5_500));
    await app.apps()[0]?.kill();
    await app.control.say({ user: 'bob', channel: said.id, text: 'are you back?' });
    const missed = await app.control.say({ user: 'bob', channel: 'random', text: '@hektor and here?' });
    await app.start();
    await app.control.until(async () => (await app.answers(said.id)).length >= 2, 'the follow-up answered', 60_000);
    await app.control.until(async () => (await app.answers(missed.id)).length >= 1, 'the mention answered', 60_000);
    await app.control.say({ user: 'alice', channel: said.id, text: 'one more' });
    await app.control.until(async () => (await app.answers(said.id)).length >= 3, 'the next answered', 60_000);
    await app.settled();
    expect(app.model.asked).toHaveLength(4);
    expect(await app.control.calls({ method: 'PUT', path: '/commands' })).toHaveLength(1);
  });

  it('U002, U128: with two gateways that both hear everything, one answer', async () => {
    await using app = await startDiscordApp();
    await app.start();
    app.model.answer(() => 'Once.');
    const said = await app.control.say({ user: 'alice', channel: 'general', text: '@hektor hello' });
    await app.said(said.id, 'Once.');
    await app.settled();
    expect(app.model.asked).toHaveLength(1);
    expect((await app.answers(said.id)).filter((one) => one.text.includes('Once.'))).toHaveLength(1);
  });

  it('D28: refused the intent, it stays up, /readyz is red and says which switch', async () => {
    await using app = await startDiscordApp({ start: false });
    await app.control.app({ messageContent: false });
    const starting = app.start().catch(() => undefined);
    await app.control.until(
      async () =>
        app.apps().length > 0 &&
        app
          .apps()[0]
          ?.logs()
          .some((line) => line.includes('4014')),
      'the words',
      60_000,
    );
    const ready = await fetch(`${app.apps()[0]?.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain('Privileged Gateway Intents');
    expect(app.apps()[0]?.process.exitCode).toBe(null);
    expect(
      app
        .apps()[0]
        ?.logs()
        .filter((line) => line.includes('4014')),
    ).toHaveLength(1);
    void starting;
  });
});
