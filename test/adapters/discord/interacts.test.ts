/** Commands, menus, buttons and modals, over real sockets: answered at once, worked off after. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandId, openId, runId } from '../../../adapters/discord/actions.ts';
import { createTell } from '../../../adapters/discord/handle/tell.ts';
import { failure } from '../../../src/core/failure.ts';
import { newSession } from '../../../src/core/conversation.ts';
import { messageId, turnId } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import { startDiscordInbound } from '../../support/discord-inbound.ts';
import type { DiscordInbound } from '../../support/discord-inbound.ts';
import { ids } from '../../servers/discord/places.ts';

/* Discord's InteractionResponseType. */
const [DEFERRED, UPDATE, CHOICES, MODAL, SAID] = [5, 6, 8, 9, 4];

let world: DiscordInbound;
beforeAll(async () => {
  world = await startDiscordInbound();
  await world.control.until(async () => (await world.control.commands()).length > 0, 'the commands');
}, 60_000);
afterAll(async () => world[Symbol.asyncDispose]());
beforeEach(() => {
  world.steer.answer = () => null;
  world.steer.refuse = () => null;
});

const nextCommand = () => world.nth('command', world.of('command').length + 1);
const nextMessage = () => world.nth('message', world.of('message').length + 1);
const answer = (text: string, alone = true) => ({ text, private: alone, files: [] });
const aThread = async (channel = 'general') => {
  const coming = nextMessage();
  const said = await world.control.say({ user: 'alice', channel, text: '@hektor begin' });
  await coming;
  const { thread } = await world.control.openThread({ user: 'alice', channel, name: 'a thread', from: said.id });
  return thread;
};

describe('commands', () => {
  it('D22: are handed in once, however often it starts, and again only where they change', async () => {
    const puts = async () => (await world.control.calls({ method: 'PUT', path: '/commands' })).length;
    expect(await puts()).toBe(1);
    const names = (await world.control.commands()).map((one) => one['name']);
    expect(names).toContain('ask');
    expect(names).toContain('Ask about this');
    for (let n = 0; n < 5; n += 1) await world.restart();
    expect(await puts()).toBe(1);
  }, 120_000);

  it('U019: /ask is deferred at once and in public, and begins a session of its own', async () => {
    const coming = nextCommand();
    const outcome = await world.control.command({
      user: 'alice',
      channel: 'general',
      name: 'ask',
      options: { question: 'what is a monad?' },
    });
    expect(outcome).toMatchObject({ state: 'answered', answer: DEFERRED, ephemeral: false });
    expect(await coming).toMatchObject({
      address: { workspace: ids.guild, channel: ids.general, thread: outcome.id },
      author: { id: ids.alice, name: 'Alice' },
      name: 'ask',
      args: 'what is a monad?',
      origin: { interaction: outcome.id, answered: 'public', member: 'yes', channel: ids.general, title: 'what is a monad?' },
    });
  });

  it('U019: is deferred also while the in-tray is away, and worked off when it is back', async () => {
    world.deps.inbound.inbox.setReachable(false);
    const coming = nextCommand();
    const outcome = await world.control.command({ user: 'alice', channel: 'general', name: 'usage' });
    expect(outcome).toMatchObject({ state: 'answered', answer: DEFERRED, ephemeral: true });
    world.deps.inbound.inbox.setReachable(true);
    expect((await coming).name).toBe('usage');
  });

  it('answer the person alone, in the message that was deferred', async () => {
    world.steer.answer = () => answer('You used **3** tokens.');
    const outcome = await world.control.command({ user: 'alice', channel: 'general', name: 'usage' });
    const told = await world.control.until(
      async () => (await world.control.ephemerals({ user: 'alice' })).find((one) => one.id === outcome.original && one.text !== ''),
      'the answer',
    );
    expect(told.text).toBe('You used **3** tokens.');
  });

  it('say why they were refused, to the person alone and in plain words', async () => {
    world.steer.refuse = () => failure('forbidden', { action: 'change the settings of this channel' });
    const outcome = await world.control.command({ user: 'bob', channel: 'general', name: 'settings', options: { speak: 'all' } });
    expect(outcome.ephemeral).toBe(true);
    const told = await world.control.until(
      async () => (await world.control.ephemerals({ user: 'bob' })).find((one) => one.text.includes('may not')),
      'the refusal',
    );
    expect(told.text).toBe('You may not change the settings of this channel here.');
  });

  it('of a thread name its session, and outside of one say where they belong', async () => {
    const thread = await aThread();
    const coming = nextCommand();
    await world.control.command({ user: 'alice', channel: thread, name: 'undo', options: { run: 2 } });
    expect(await coming).toMatchObject({ name: 'undo', args: '2', address: { channel: ids.general, thread } });
    const before = world.accepted.length;
    const outcome = await world.control.command({ user: 'alice', channel: 'random', name: 'vars' });
    expect(outcome).toMatchObject({ answer: SAID, ephemeral: true });
    expect((await world.control.ephemerals({ user: 'alice', channel: 'random' })).at(-1)?.text).toContain('use it in the thread');
    await world.quiet();
    expect(world.accepted.length).toBe(before);
  });

  it('refused after a public deferral, leave nothing in public', async () => {
    world.steer.refuse = () => failure('rate-limited', { waitSeconds: 7 });
    const outcome = await world.control.command({ user: 'bob', channel: 'random', name: 'ask', options: { question: 'again?' } });
    expect(outcome.ephemeral).toBe(false);
    const told = await world.control.until(
      async () => (await world.control.ephemerals({ user: 'bob', channel: 'random' })).find((one) => one.text.includes('7 seconds')),
      'the refusal',
    );
    expect(told.id).not.toBe(outcome.original);
    expect((await world.control.messages({ channel: 'random' })).filter((one) => one.id === outcome.original)).toEqual([]);
  });

  it('take a file with them', async () => {
    const coming = nextMessage();
    await world.control.command({
      user: 'alice',
      channel: 'general',
      name: 'ask',
      options: { question: 'sum it up', file: { name: 'a.csv', text: 'x\n1' } },
    });
    const heard = await coming;
    expect([heard.text, heard.files.map(({ name }) => name)]).toEqual(['sum it up', ['a.csv']]);
  });

  it('complete what is typed, in time', async () => {
    const outcome = await world.control.autocomplete({
      user: 'alice',
      channel: 'general',
      name: 'model',
      options: { name: 'pra' },
      focused: 'name',
    });
    expect(outcome).toMatchObject({ answer: CHOICES, choices: [{ name: 'model name pra', value: 'practice' }] });
  });

  it('U044: /reset in direct messages begins a new session', async () => {
    const coming = nextMessage();
    await world.control.dm({ user: 'bob', text: 'hello' });
    const before = await coming;
    const reset = nextCommand();
    const channel = await world.control.directChannel({ user: 'bob' });
    await world.control.command({ user: 'bob', channel, name: 'reset' });
    const { address } = await reset;
    expect(address.thread).not.toBe(before.address.thread);
    const after = nextMessage();
    await world.control.dm({ user: 'bob', text: 'afresh' });
    expect((await after).address).toEqual(address);
  });
});

describe('modals', () => {
  it('/settings alone opens one with what holds now, and what is sent off is the command', async () => {
    const opened = await world.control.command({ user: 'carol', channel: 'general', name: 'settings' });
    expect(opened.answer).toBe(MODAL);
    expect(JSON.stringify(opened.modal)).toContain('"value":"mention","default":true');
    const coming = nextCommand();
    world.steer.answer = () => answer('From now on: strict.', false);
    const sent = await world.control.submit({ interaction: opened.id, values: { speak: 'strict', persona: 'Be brief' } });
    expect(sent).toMatchObject({ answer: DEFERRED, ephemeral: true });
    expect(await coming).toMatchObject({ name: 'settings', address: { channel: ids.general } });
    expect((await coming).args).toContain('speak=strict');
    expect((await coming).args).toContain('persona="Be brief"');
  });

  it('/persona alone opens one, too', async () => {
    const thread = await aThread();
    const opened = await world.control.command({ user: 'alice', channel: thread, name: 'persona' });
    const coming = nextCommand();
    await world.control.submit({ interaction: opened.id, values: { text: 'a pirate' } });
    expect(await coming).toMatchObject({ name: 'persona', args: 'a pirate', address: { thread } });
  });

  it('"Ask about this" quotes the message, with its files, also without the intent', async () => {
    const shown = await world.control.say({
      user: 'bob',
      channel: 'random',
      text: 'the deploy failed',
      files: [{ name: 'log.txt', text: 'boom' }],
    });
    const opened = await world.control.menu({ user: 'alice', message: shown.id, name: 'Ask about this' });
    expect(opened.answer).toBe(MODAL);
    const coming = nextMessage();
    const sent = await world.control.submit({ interaction: opened.id, values: { question: 'why?' } });
    expect(sent.ephemeral).toBe(false);
    const heard = await coming;
    expect(heard).toMatchObject({ text: 'why?', address: { channel: ids.random, thread: sent.id }, origin: { answered: 'public' } });
    expect(heard.earlier.map(({ author, text }) => [author.name, text])).toEqual([['Bob', 'the deploy failed']]);
    expect(heard.files.map(({ name }) => name)).toEqual(['log.txt']);
  });
});

describe('"Run this code"', () => {
  it('runs the code of a message, and says so where there is none', async () => {
    const shown = await world.control.say({ user: 'bob', channel: 'random', raw: true, text: 'try\n```py\nprint(6*7)\n```' });
    const coming = nextMessage();
    const outcome = await world.control.menu({ user: 'alice', message: shown.id, name: 'Run this code' });
    expect(outcome).toMatchObject({ answer: DEFERRED, ephemeral: false });
    expect((await coming).text).toContain('print(6*7)');
    expect((await coming).text.trimStart().startsWith('>>>')).toBe(true);
    const plain = await world.control.say({ user: 'bob', channel: 'random', text: 'no code here' });
    expect(await world.control.menu({ user: 'alice', message: plain.id, name: 'Run this code' })).toMatchObject({
      answer: SAID,
      ephemeral: true,
    });
  });
});

describe('buttons', () => {
  const button = (id: string) => ({ custom_id: id, component_type: 2, id: 1 });
  const botMessage = async (channel: string) => {
    world.steer.answer = () => answer('An answer.', false);
    await world.control.say({ user: 'alice', channel, text: '@hektor !help' });
    const found = await world.control.until(
      async () => (await world.control.messages({ channel })).findLast((one) => one.bot && one.text === 'An answer.'),
      'a message of the bot’s',
    );
    world.steer.answer = () => null;
    return found.id;
  };

  it('U020: are acknowledged at once and call the command, by whoever pressed, also after a restart', async () => {
    const thread = await aThread();
    const message = await botMessage(thread);
    await world.restart();
    for (const [name, args] of [
      ['stop', ''],
      ['retry', ''],
      ['undo', '3'],
      ['approve', '0123456789ab'],
      ['feedback', 'up'],
    ] as const) {
      const coming = nextCommand();
      const outcome = await world.control.pressRaw({ user: 'bob', message, data: button(commandId(name, args)) });
      expect(outcome.answer).toBe(UPDATE);
      expect(await coming).toMatchObject({ name, args, author: { id: ids.bob }, address: { thread }, origin: { answered: 'update' } });
    }
  });

  it('tell who may not press, to them alone', async () => {
    const thread = await aThread();
    const message = await botMessage(thread);
    world.steer.refuse = () => failure('forbidden', { action: 'stop what somebody else asked for' });
    await world.control.pressRaw({ user: 'bob', message, data: button(commandId('stop')) });
    await world.control.until(
      async () => (await world.control.ephemerals({ user: 'bob', channel: thread })).find((one) => one.text.includes('You may not stop')),
      'the refusal',
    );
    expect((await world.control.message({ id: message }))?.text).toBe('An answer.');
  });

  it('Run takes the code out of the store, not out of the message', async () => {
    const thread = await aThread();
    const message = await botMessage(thread);
    const base = { turn: turnId('t1'), at: 1 };
    const said = { status: 'complete', failure: null, model: 'm', usage: null, costMicros: null, prompts: [], files: [] } as const;
    world.steer.entries = ok({
      session: newSession(1),
      entries: [
        { kind: 'called', ...base, step: 1, text: '```python\nfirst = 1\n```', calls: [], passBack: null },
        { kind: 'answered', ...base, ...said, message: messageId('t1'), text: 'And:\n\n```python\nsecond = 2\n```' },
      ],
      pending: [],
      busy: false,
    });
    const coming = nextMessage();
    await world.control.pressRaw({ user: 'bob', message, data: button(runId('t1', 1)) });
    expect((await coming).text).toContain('second = 2');
    await world.control.pressRaw({ user: 'bob', message, data: button(runId('t1', 7)) });
    await world.control.until(
      async () => (await world.control.ephemerals({ user: 'bob', channel: thread })).find((one) => one.text.includes('no longer stored')),
      'the words',
    );
  });

  it('of another version say so; one that opens a modal does at once', async () => {
    const thread = await aThread();
    const message = await botMessage(thread);
    expect(await world.control.pressRaw({ user: 'bob', message, data: button('other:button') })).toMatchObject({
      answer: SAID,
      ephemeral: true,
    });
    expect(await world.control.pressRaw({ user: 'bob', message, data: button(openId('settings')) })).toMatchObject({ answer: MODAL });
  });
});

describe('where the bot is no member', () => {
  it('a person who has installed it asks in a chat among people, one session going on', async () => {
    await world.control.userInstall({ user: 'alice' });
    const group = await world.control.groupChat({ name: 'Friends', members: ['alice', 'bob'] });
    const [one, two] = [nextCommand(), world.nth('command', world.of('command').length + 2)];
    const outcome = await world.control.command({ user: 'alice', channel: group, name: 'ask', options: { question: 'one?' } });
    expect(outcome.answer).toBe(DEFERRED);
    await world.control.command({ user: 'alice', channel: group, name: 'ask', options: { question: 'two?' } });
    expect((await one).origin).toMatchObject({ member: 'no', interaction: outcome.id });
    expect((await two).address).toEqual((await one).address);
    expect((await one).address.workspace).toBe('dm');
  });
});

describe('the fifteen minutes of a token', () => {
  it('are over: what is left to say goes as an ordinary message', async () => {
    const thread = await aThread();
    const calls: string[] = [];
    const sent = { ok: true as const, value: { id: '1', channel_id: thread, content: '', embeds: [] } };
    const tell = createTell({
      ...world.deps.inbound,
      calls: new Proxy({} as Parameters<typeof createTell>[0]['calls'], {
        get: (_target, name) => async () => (calls.push(String(name)), sent),
      }),
    });
    const interaction = { application: 'a', token: 't', at: Date.now() - 14.5 * 60_000, answered: 'public' as const, member: true };
    await tell.answer({ user: ids.alice, channel: thread, message: '', session: '', interaction }, answer('late', false));
    expect(calls).toEqual(['sendMessage']);
  });
});
