/** Slack: slash commands, `!commands`, shortcuts, modals, buttons, the App Home, coming and going. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSlackApp } from '../support/slack-app.ts';
import type { SlackApp, Transport } from '../support/slack-app.ts';

describe.each<Transport>(['socket', 'http'])('Slack, commands and surfaces over %s', { timeout: 180_000 }, (transport) => {
  let app: SlackApp;
  beforeAll(async () => {
    app = await startSlackApp({ transport, env: { HEKTOR_OPERATORS: 'slack/U01ALICE' } });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(() => app.model.answer((_, n) => `Answer ${n}.`));

  const command = async (text: string, channel = 'C01GEN', user = 'U01ALICE', name = '/hektor') => {
    const outcome = await app.control.command({ user, channel, command: name, text });
    expect(outcome.acked).toBe(true);
    return outcome;
  };
  const told = async (user = 'U01ALICE'): Promise<string> =>
    (await app.control.ephemerals({ user })).map((one) => one.text).join('\n---\n');
  const tells = (what: RegExp, user?: string): Promise<unknown> =>
    app.control.until(async () => what.test(await told(user)), `to be told ${what.source}`, 60_000);

  it('answers help, and what nobody knows with help at hand', async () => {
    await command('');
    await tells(/Commands, written as/);
    await command('frobnicate');
    await tells(/There is no command frobnicate/);
    // A command of another name, as an older manifest may have it: acknowledged, and understood where its name is one.
    const { n } = await app.control.payload({
      kind: 'slash_commands',
      payload: {
        token: 'x',
        team_id: 'T01LAB',
        api_app_id: 'A01APP',
        is_enterprise_install: 'false',
        channel_id: 'C01GEN',
        channel_name: 'general',
        user_id: 'U01ALICE',
        user_name: 'alice',
        command: '/unheard-of',
        text: '',
        trigger_id: '1.2.3',
        response_url: '',
      },
    });
    await app.control.until(async () => (await app.control.sent()).find((one) => one.n === n)?.acked, 'an acknowledgement');
  });

  it('`/hektor ask` opens a thread that begins with the question, and answers in it', async () => {
    await command('ask is 2 < 3 & why?');
    const root = await app.control.until(
      async () => (await app.control.messages({ channel: 'C01GEN' })).find((one) => one.fromBot && one.text.includes('is 2 < 3 & why?')),
      'the first message',
      60_000,
    );
    await app.answered('C01GEN', root.ts);
    expect(app.model.questions().at(-1)).toContain('is 2 < 3 & why?');
    await app.control.say({ user: 'U02BOB', channel: 'C01GEN', thread: root.ts, text: 'and 4?' });
    await app.answered('C01GEN', root.ts, 2);
  });

  it('`/hektor py` shows its code as code, below the name by which Slack knows who asked', async () => {
    await command('py 2 * 3 * 4', 'C01GEN', 'U02BOB');
    const root = await app.control.until(
      async () => (await app.control.messages({ channel: 'C01GEN' })).find((one) => one.fromBot && one.text.includes('2 * 3 * 4')),
      'the first message',
      60_000,
    );
    expect(root.fallback).toBe('*Bob Baker* runs:\n\n```\n2 * 3 * 4\n```');
    expect((await app.answered('C01GEN', root.ts)).text).toMatch(/^24\n/);
  });

  it('where the bot is no member it says so, and how to mend it, and keeps the question', async () => {
    const asked = app.model.asked.length;
    await command('ask what is for lunch?', 'C03QUIET');
    await tells(/not a member[\s\S]*\/invite[\s\S]*what is for lunch\?/);
    expect(app.model.asked).toHaveLength(asked);
  });

  it('U136: a command of a thread cannot be a slash command in Slack; it says what to write, and that works', async () => {
    await command('reset');
    await tells(/Write `?!reset`? in the thread/);
    const { ts } = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: '@hektor remember 41' });
    await app.answered('C01GEN', ts);
    await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', thread: ts, text: '!reset' });
    await app.answered('C01GEN', ts, 2);
    await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', thread: ts, text: 'what was it?' });
    await app.answered('C01GEN', ts, 3);
    expect(JSON.stringify(app.model.asked.at(-1)?.messages)).not.toContain('remember 41');
    await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', thread: ts, text: '@hektor !usage' });
    await tells(/This thread/);
  });

  it('opens the settings of a channel in a modal, and keeps what is sent off; others may not', async () => {
    await command('settings', 'C02LAB');
    const modal = await app.control.until(() => app.control.modal({ user: 'U01ALICE' }), 'the modal');
    expect(JSON.stringify(modal)).toMatch(/Whom I answer[\s\S]*present myself[\s\S]*Save|Save[\s\S]*Whom I answer[\s\S]*present myself/);
    await app.control.submit({
      user: 'U01ALICE',
      values: {
        speak: { speak: { type: 'static_select', selected_option: { value: 'all', text: { type: 'plain_text', text: 'all' } } } },
        persona: { persona: { type: 'plain_text_input', value: 'a pirate' } },
      },
    });
    await tells(/all[\s\S]*a pirate/);
    const plain = await app.control.say({ user: 'U02BOB', channel: 'C02LAB', text: 'anybody there?' });
    await app.answered('C02LAB', plain.ts);
    await command('settings speak=mention persona=none', 'C02LAB');
    await command('settings speak=all', 'C02LAB', 'U02BOB');
    await tells(/may not/, 'U02BOB');
  });

  it('"Ask about this" asks in the thread of the message, which the model reads quoted', async () => {
    const { ts } = await app.control.say({ user: 'U02BOB', channel: 'C01GEN', text: 'the pump is at 93 degrees' });
    await app.control.shortcut({ user: 'U01ALICE', callbackId: 'ask_about_message', channel: 'C01GEN', ts });
    await app.control.until(() => app.control.modal({ user: 'U01ALICE' }), 'the modal');
    await app.control.submit({
      user: 'U01ALICE',
      values: { question: { question: { type: 'plain_text_input', value: 'is that too hot?' } } },
    });
    await app.answered('C01GEN', ts, 2);
    const [asks] = await app.answers('C01GEN', ts);
    expect(asks?.text).toMatch(/asks:[\s\S]*is that too hot\?/);
    expect(JSON.stringify(app.model.asked.at(-1)?.messages)).toMatch(/pump is at 93 degrees[\s\S]*is that too hot\?/);
  });

  it('"Ask about this" where the bot is no member is answered in direct messages', async () => {
    const { ts } = await app.control.say({ user: 'U02BOB', channel: 'C03QUIET', text: 'the code is kept in the blue box' });
    await app.control.shortcut({ user: 'U01ALICE', callbackId: 'ask_about_message', channel: 'C03QUIET', ts });
    await app.control.until(() => app.control.modal({ user: 'U01ALICE' }), 'the modal');
    await app.control.submit({
      user: 'U01ALICE',
      values: { question: { question: { type: 'plain_text_input', value: 'which box is it?' } } },
    });
    const root = await app.control.until(
      async () =>
        (await app.control.messages({ channel: 'D01ALICE' })).find(
          (one) => one.fromBot && one.text.includes('You asked about a message') && one.text.includes('which box'),
        ),
      'the first message',
      60_000,
    );
    await app.answered('D01ALICE', root.ts);
    expect(JSON.stringify(app.model.asked.at(-1)?.messages)).toContain('blue box');
  });

  it('"New chat" asks in direct messages', async () => {
    await app.control.shortcut({ user: 'U02BOB', callbackId: 'new_chat' });
    await app.control.until(() => app.control.modal({ user: 'U02BOB' }), 'the modal');
    await app.control.submit({ user: 'U02BOB', values: { question: { question: { type: 'plain_text_input', value: 'what is new?' } } } });
    const root = await app.control.until(
      async () => (await app.control.messages({ channel: 'D02BOB' })).find((one) => one.fromBot && one.text.includes('what is new?')),
      'the first message',
      60_000,
    );
    await app.answered('D02BOB', root.ts);
  });

  it('buttons are checked for who pressed: somebody else may not stop, the asker may', async () => {
    app.model.answer(() => 'Too late.', 90_000);
    const { ts } = await app.control.say({ user: 'U02BOB', channel: 'C01GEN', text: '@hektor take long' });
    await app.control.until(async () => app.model.questions().at(-1)?.includes('take long'), 'the request', 60_000);
    const press = (user: string) =>
      app.control.pressRaw({
        user,
        channel: 'C01GEN',
        ts,
        action: {
          type: 'button',
          action_id: 'hektor.stop',
          block_id: 'b',
          value: 'stop',
          text: { type: 'plain_text', text: 'Stop', emoji: true },
        },
      });
    expect((await press('U03GUEST')).acked).toBe(true);
    await tells(/may not stop/, 'U03GUEST');
    expect((await press('U02BOB')).acked).toBe(true);
    await app.control.until(
      async () => (await app.control.messages({ channel: 'C01GEN', thread: ts })).some((one) => one.fromBot && /Stopped/i.test(one.text)),
      'the stop',
      60_000,
    );
    await app.settled();
  });

  it('Run runs the code of the answer as it is stored, for whoever pressed', async () => {
    app.model.answer(() => 'Try this:\n\n```python\nprint(6 * 7 + 1000)\n```');
    const { ts } = await app.control.say({ user: 'U02BOB', channel: 'C01GEN', text: '@hektor how do I compute it?' });
    const answer = await app.answered('C01GEN', ts);
    const outcome = await app.control.press({ user: 'U01ALICE', channel: 'C01GEN', ts: answer.ts, button: 'hektor.run.0' });
    expect(outcome.acked).toBe(true);
    await app.control.until(
      async () => (await app.answers('C01GEN', ts)).some((one) => one.ts !== answer.ts && one.text.includes('1042')),
      'the output',
      90_000,
    );
  });

  it('acknowledges buttons, shortcuts and views that nobody listens for', async () => {
    const { ts } = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: 'a message' });
    const outcome = await app.control.pressRaw({
      user: 'U01ALICE',
      channel: 'C01GEN',
      ts,
      action: {
        type: 'button',
        action_id: 'somebody.elses',
        block_id: 'b',
        value: 'x',
        text: { type: 'plain_text', text: 'X', emoji: true },
      },
    });
    expect(outcome.acked).toBe(true);
  });

  it('Slack’s own Stop ends the turn', async () => {
    app.model.answer(() => 'Too late.', 90_000);
    const { ts } = await app.control.say({ user: 'U01ALICE', channel: 'D01ALICE', text: 'take long' });
    await app.control.until(async () => app.model.questions().at(-1)?.includes('take long'), 'the request', 60_000);
    await app.control.stopSession({ user: 'U01ALICE', channel: 'D01ALICE', thread: ts });
    await app.control.until(
      async () => (await app.control.messages({ channel: 'D01ALICE', thread: ts })).some((one) => one.fromBot && /Stopped/i.test(one.text)),
      'the stop',
      60_000,
    );
    await app.settled();
  });

  it('the Home shows the sessions of who looks, and nobody else’s', async () => {
    const mine = await app.control.say({ user: 'U02BOB', channel: 'C01GEN', text: '@hektor plan the garden' });
    await app.answered('C01GEN', mine.ts);
    const code = await app.control.say({ user: 'U02BOB', channel: 'C01GEN', text: '@hektor is 6*7 > 2 & <b>?' });
    await app.answered('C01GEN', code.ts);
    const secret = await app.control.say({ user: 'U01ALICE', channel: 'D01ALICE', text: 'my salary is secret' });
    await app.answered('D01ALICE', secret.ts);
    await app.settled();
    await app.control.openHome({ user: 'U02BOB' });
    const home = JSON.stringify(await app.control.until(() => app.control.home({ user: 'U02BOB' }), 'the Home', 60_000));
    expect(home).toMatch(/New chat[\s\S]*Your recent sessions[\s\S]*plan the garden/);
    expect(home).not.toContain('salary');
    expect(home).toContain('is 6*7 &gt; 2 &amp; &lt;b&gt;?');
    await app.control.pressHome({
      user: 'U02BOB',
      action: {
        type: 'button',
        action_id: 'hektor.new-chat',
        block_id: 'b',
        text: { type: 'plain_text', text: 'New chat', emoji: true },
        value: '',
      },
    });
    expect(JSON.stringify(await app.control.until(() => app.control.modal({ user: 'U02BOB' }), 'the modal'))).toContain('New chat');
    await app.control.closeModal({ user: 'U02BOB' });
    await app.control.pressHome({
      user: 'U02BOB',
      action: { type: 'conversations_select', action_id: 'hektor.settings', block_id: 'b', selected_conversation: 'C02LAB' },
    });
    expect(JSON.stringify(await app.control.until(() => app.control.modal({ user: 'U02BOB' }), 'the modal'))).toContain('<#C02LAB>');
  });

  it('says hello once where it is brought in, and forgets a channel that is archived', async () => {
    await app.control.event({
      event: { type: 'member_joined_channel', user: 'U0BOT', channel: 'G01SECRET', channel_type: 'G', team: 'T01LAB', event_ts: '1.1' },
      channel: 'G01SECRET',
    });
    await app.control.event({
      event: { type: 'member_joined_channel', user: 'U0BOT', channel: 'G01SECRET', channel_type: 'G', team: 'T01LAB', event_ts: '1.2' },
      channel: 'G01SECRET',
    });
    await app.settled();
    expect(
      (await app.control.messages({ channel: 'G01SECRET' })).filter((one) => one.text.includes('Thank you for having me')),
    ).toHaveLength(1);
    const { ts } = await app.control.say({ user: 'U01ALICE', channel: 'G01SECRET', text: '@hektor the phrase is marmalade' });
    await app.answered('G01SECRET', ts);
    await app.settled();
    const stored = async (): Promise<number> =>
      (await app.redis.look().keys('*G01SECRET*')).filter((key) => key.includes(':entries')).length;
    expect(await stored()).toBe(1);
    await app.control.event({ event: { type: 'group_archive', channel: 'G01SECRET', user: 'U01ALICE', event_ts: '1.3' } });
    await app.control.until(async () => (await stored()) === 0, 'nothing of the channel');
  });
});
