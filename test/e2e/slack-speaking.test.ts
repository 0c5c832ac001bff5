/** Slack, who is spoken to: mentions, threads, rules of channels, other people, strangers, edits, deletions, restarts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSlackApp } from '../support/slack-app.ts';
import type { SlackApp } from '../support/slack-app.ts';

describe('Slack, who is spoken to', { timeout: 180_000 }, () => {
  let app: SlackApp;
  beforeAll(async () => {
    app = await startSlackApp({ env: { HEKTOR_OPERATORS: 'slack/U01ALICE' } });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(() => app.model.answer((_, n) => `Answer ${n}.`));

  const say = (text: string, more: { readonly user?: string; readonly channel?: string; readonly thread?: string } = {}) =>
    app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text, ...more });
  /** What is said here is answered by nobody. */
  const unanswered = async (write: () => Promise<unknown>): Promise<void> => {
    const before = app.model.asked.length;
    await write();
    await app.settled();
    expect(app.model.asked).toHaveLength(before);
  };
  const settings = async (channel: string, args: string): Promise<void> => {
    const outcome = await app.control.command({ user: 'U01ALICE', channel, command: '/hektor', text: `settings ${args}` });
    expect(outcome.acked).toBe(true);
    await app.settled();
  };

  it('leaves people alone: no mention, mentions of others, of everybody, in code and in quotations', async () => {
    await unanswered(async () => {
      await say('lunch?');
      await say('@bob what is 6 * 7?');
      await say('`@hektor` is its name', {});
      await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: '&gt; <@U0BOT> do it\nwhat did she mean?', raw: true });
      await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: '<!channel> lunch', raw: true });
    });
  });

  it('in its own thread it answers what is not for somebody else (U037)', async () => {
    const { ts } = await say('@hektor begin');
    await app.answered('C01GEN', ts);
    await unanswered(() => say('@bob and you?', { thread: ts }));
    await say('and then?', { thread: ts, user: 'U02BOB' });
    await app.answered('C01GEN', ts, 2);
    await app.control.say({ user: 'U02BOB', channel: 'C01GEN', thread: ts, text: 'for all to see: why?', broadcast: true });
    await app.answered('C01GEN', ts, 3);
  });

  it('U035, U038: where a channel is strict, follow-ups need a mention, and one hint says so', async () => {
    await settings('C02LAB', 'speak=strict');
    const { ts } = await say('@hektor begin', { channel: 'C02LAB' });
    await app.answered('C02LAB', ts);
    await unanswered(async () => {
      await say('and then?', { channel: 'C02LAB', thread: ts });
      await say('hello?', { channel: 'C02LAB', thread: ts });
    });
    const hints = (await app.control.ephemerals({ channel: 'C02LAB', user: 'U01ALICE' })).filter((one) =>
      one.text.includes('only when I am mentioned'),
    );
    expect(hints).toHaveLength(1);
    await say('@hektor and then?', { channel: 'C02LAB', thread: ts });
    await app.answered('C02LAB', ts, 2);
    await settings('C02LAB', 'speak=all');
    const plain = await say('is anybody there?', { channel: 'C02LAB' });
    await app.answered('C02LAB', plain.ts);
    await settings('C02LAB', 'speak=mention');
  });

  it('S08: somebody of another organisation is refused in private, nothing of theirs reaches the model', async () => {
    await unanswered(() => say('@hektor read it', { user: 'U0EXTERN', channel: 'C0SHARED' }));
    const told = await app.control.ephemerals({ channel: 'C0SHARED', user: 'U0EXTERN' });
    expect(told.at(-1)?.text).toMatch(/may not/);
    // Told once in a thread, and never of what was not for the bot.
    const { ts } = await say('@hektor begin', { channel: 'C0SHARED' });
    await app.answered('C0SHARED', ts);
    const refusals = async (): Promise<number> => (await app.control.ephemerals({ channel: 'C0SHARED', user: 'U0EXTERN' })).length;
    const before = await refusals();
    await unanswered(async () => {
      for (const text of ['good morning', 'as I said']) await say(text, { user: 'U0EXTERN', channel: 'C0SHARED', thread: ts });
    });
    expect(await refusals()).toBe(before);
    await unanswered(async () => {
      for (const text of ['@hektor and now?', '@hektor please']) await say(text, { user: 'U0EXTERN', channel: 'C0SHARED', thread: ts });
    });
    expect(await refusals()).toBe(before + 1);
    await settings('C0SHARED', 'outsiders=on');
    const asked = await say('@hektor read it now', { user: 'U0EXTERN', channel: 'C0SHARED' });
    await app.answered('C0SHARED', asked.ts);
  });

  it('what was set for a channel holds when Slack gives it another id', async () => {
    await settings('C02LAB', 'speak=all');
    await app.control.event({
      event: { type: 'channel_id_changed', old_channel_id: 'C02LAB', new_channel_id: 'C01GEN', event_ts: '1.1' },
      channel: 'C02LAB',
    });
    await app.settled();
    const { ts } = await say('is anybody there?');
    await app.answered('C01GEN', ts);
    await settings('C01GEN', 'speak=mention');
    await unanswered(() => say('is anybody there?', { channel: 'C02LAB' }));
  });

  it('U110: what somebody said in direct messages is not known to others, nor elsewhere', async () => {
    const told = await say('my cat is called Mio', { channel: 'D01ALICE' });
    await app.answered('D01ALICE', told.ts);
    for (const user of ['U02BOB', 'U01ALICE']) {
      const { ts } = await say('@hektor what is the cat called?', { user });
      await app.answered('C01GEN', ts);
      expect(JSON.stringify(app.model.asked.at(-1)?.messages)).not.toContain('Mio');
    }
  });

  it('U142: the model reads names, not ids', async () => {
    const { ts } = await say('@hektor @alice and @bob argue: who is right?');
    await app.answered('C01GEN', ts);
    const question = app.model.questions().at(-1) ?? '';
    expect(question).toContain('@Alice Archer and @Bob Baker argue');
    expect(question).not.toMatch(/U01ALICE|U02BOB|<@/);
  });

  it('a mention without words is greeted, not refused', async () => {
    const { ts } = await say('@hektor');
    expect((await app.answered('C01GEN', ts)).text).toMatch(/Ask me anything/);
  });

  it('U011: an edit of the last question asks it anew, a deletion takes it back', async () => {
    const { ts } = await say('@hektor wrong question');
    await app.answered('C01GEN', ts);
    await app.control.edit({ channel: 'C01GEN', ts, text: '@hektor corrected question' });
    await app.control.until(
      async () => app.model.questions().some((one) => one.includes('corrected question')),
      'the corrected question',
      60_000,
    );
    await app.settled();
    await app.control.delete({ channel: 'C01GEN', ts });
    await app.settled();
    const look = app.redis.look();
    const entries = await look.lrange(`{c:slack/T01LAB/C01GEN/${ts}}:entries`, 0, -1);
    expect(entries.join('\n')).not.toContain('corrected question');
    expect(entries.join('\n')).not.toContain('wrong question');
  });

  it('a mention that is edited into a message asks it, once', async () => {
    const { ts } = await say('what is five and five?');
    await app.settled();
    expect(await app.answers('C01GEN', ts)).toEqual([]);
    await app.control.edit({ channel: 'C01GEN', ts, text: '@hektor what is five and five?' });
    // Slack tells of it as a change, and as a mention of the same message.
    await app.control.event({
      event: {
        type: 'app_mention',
        user: 'U01ALICE',
        team: 'T01LAB',
        text: '<@U0BOT> what is five and five?',
        ts,
        channel: 'C01GEN',
        event_ts: ts,
        edited: { user: 'U01ALICE', ts: `${ts}1` },
      },
      channel: 'C01GEN',
    });
    await app.answered('C01GEN', ts);
    await app.settled();
    expect(await app.answers('C01GEN', ts)).toHaveLength(1);
  });

  it('U137, U139: stop, as a word, ends what runs at once and never reaches the model; a sentence with it is a sentence', async () => {
    app.model.answer(() => 'Too late.', 60_000);
    const { ts } = await say('@hektor take a minute');
    await app.control.until(async () => app.model.questions().at(-1)?.includes('take a minute'), 'the request to the model', 60_000);
    await say('stop', { thread: ts });
    await app.control.until(
      async () => (await app.control.messages({ channel: 'C01GEN', thread: ts })).some((one) => /Stopped/i.test(one.text)),
      'the stop',
      50_000,
    );
    app.model.answer((_, n) => `Answer ${n}.`);
    await say('stop the deploy', { thread: ts });
    await app.control.until(async () => app.model.questions().at(-1)?.includes('stop the deploy'), 'the sentence', 60_000);
    await app.settled();
    expect(app.model.questions().filter((one) => /\bstop\n/.test(one))).toEqual([]);
  });

  it('U034: after a restart it still knows its threads', async () => {
    const { ts } = await say('@hektor begin');
    await app.answered('C01GEN', ts);
    expect(await app.apps()[0]!.stop()).toBe(0);
    await app.start();
    await say('and then?', { thread: ts });
    await app.answered('C01GEN', ts, 2);
  });
});

describe('Slack, lists and rates', { timeout: 180_000 }, () => {
  it('U106, U082: lists of channels bind slash commands too, and who asks too often is told in private when to come back', async () => {
    await using app = await startSlackApp({ env: { HEKTOR_CHANNELS: 'slack/T01LAB/C01GEN', HEKTOR_RATE_PERSON: '3' } });
    const bots = async (channel: string) => (await app.control.messages({ channel })).filter((one) => one.fromBot);
    const told = async (channel: string): Promise<string> =>
      (await app.control.ephemerals({ channel, user: 'U02BOB' })).map((one) => one.text).join('\n');
    await app.control.command({ user: 'U02BOB', channel: 'C02LAB', command: '/hektor', text: 'ask what is for lunch?' });
    await app.control.say({ user: 'U02BOB', channel: 'C02LAB', text: '@hektor what is for lunch?' });
    await app.settled();
    await app.control.until(async () => ((await told('C02LAB')).match(/may not/g) ?? []).length === 2, 'two refusals');
    expect(await bots('C02LAB')).toEqual([]);
    expect(app.model.asked).toEqual([]);

    for (let n = 1; n <= 3; n += 1) {
      const { ts } = await app.control.say({ user: 'U02BOB', channel: 'C01GEN', text: `@hektor question ${n}` });
      await app.answered('C01GEN', ts);
    }
    const asked = app.model.asked.length;
    await app.control.say({ user: 'U02BOB', channel: 'C01GEN', text: '@hektor question 4' });
    await app.control.command({ user: 'U02BOB', channel: 'C01GEN', command: '/hektor', text: 'ask question 5' });
    await app.control.until(async () => ((await told('C01GEN')).match(/Please wait \d+ seconds?/g) ?? []).length === 2, 'two notices');
    await app.settled();
    expect(app.model.asked).toHaveLength(asked);
    expect((await bots('C01GEN')).filter((one) => one.text.includes('question 5'))).toEqual([]);
  });
});
