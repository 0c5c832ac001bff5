/** The connection in trouble: dropped, refused, silent, restarted. Over real sockets, with discord.js’s own gateway half. */
import { afterEach, describe, expect, it } from 'vitest';
import { startDiscordInbound } from '../../support/discord-inbound.ts';
import type { DiscordInbound, Options } from '../../support/discord-inbound.ts';
import { until } from '../../support/until.ts';
import { failure } from '../../../src/core/failure.ts';

let open: DiscordInbound[] = [];
const start = async (options?: Options): Promise<DiscordInbound> => {
  const one = await startDiscordInbound(options);
  open.push(one);
  return one;
};
afterEach(async () => {
  for (const one of open) await one[Symbol.asyncDispose]();
  open = [];
});

describe('the gateway', () => {
  it('is asked for the least: servers, messages, and their content unless that is switched off', async () => {
    const on = await start();
    expect((await on.control.sessions()).map(({ intents }) => intents)).toEqual([1 | (1 << 9) | (1 << 12) | (1 << 15)]);
    expect((await on.control.sessions())[0]?.presence).toMatchObject({ status: 'online' });
    const off = await start({ env: { DISCORD_MESSAGE_CONTENT: 'off' } });
    expect((await off.control.sessions()).map(({ intents }) => intents)).toEqual([1 | (1 << 9) | (1 << 12)]);
  });

  it('holds a range of shards where it is told to', async () => {
    const one = await start({ env: { DISCORD_SHARDS: '1-2/3' } });
    await until(async () => (await one.control.sessions()).length === 2, 'two shards');
    expect((await one.control.sessions()).map(({ shard }) => shard[0]).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  it('D04, D11: dropped, it resumes; what was written meanwhile is heard once', async () => {
    const { control, of, nth, quiet } = await start();
    // The last of them ends the session; what comes after it is read up.
    for (const drop of [{ code: 4000 }, { code: null }, { code: 1000 }]) {
      const count = of('message').length;
      await control.drop(drop);
      const said = await control.say({ user: 'alice', channel: 'general', text: `@hektor after ${drop.code ?? 'nothing'}` });
      expect((await nth('message', count + 1)).key).toBe(said.id);
    }
    await control.reconnect();
    const said = await control.say({ user: 'alice', channel: 'general', text: '@hektor after op 7' });
    expect((await nth('message', 4)).key).toBe(said.id);
    await quiet();
    expect(of('message')).toHaveLength(4);
  });

  it('D11: its session lost, what was written in the gap is read up: channels, threads and direct messages, once each', async () => {
    const { control, of, nth, quiet, inbound, deps } = await start();
    const first = await control.say({ user: 'alice', channel: 'general', text: '@hektor hello' });
    await nth('message');
    const { thread } = await control.openThread({ user: 'alice', channel: 'general', name: 'x', from: first.id });
    await control.dm({ user: 'bob', text: 'hello' });
    await nth('message', 2);
    await until(async () => (await deps.inbound.shared.get('listening:0:1')).ok, 'a note of the time');
    await new Promise((done) => setTimeout(done, 5_500));

    await control.refuse({ on: 'resume', how: 'invalid' });
    await control.drop({ code: 4009, forget: true });
    const said = [
      await control.say({ user: 'bob', channel: 'random', text: '@hektor new here' }),
      await control.say({ user: 'bob', channel: thread, text: 'and then?' }),
      await control.dm({ user: 'bob', text: 'are you there?' }),
    ];
    await nth('message', 5);
    await quiet();
    expect(
      of('message')
        .slice(2)
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(said.map(({ id }) => id).toSorted());
    expect(inbound().problems()).toEqual([]);
  }, 60_000);

  it('D11: gone silent, it finds out by itself and hears what was written meanwhile', async () => {
    const { control, nth, inbound } = await start();
    await new Promise((done) => setTimeout(done, 5_500));
    await control.settings({ heartbeatMs: 1_500 });
    await control.drop({ code: 4000 });
    await until(async () => inbound().problems().length === 0 && (await control.connections()) === 1, 'a connection with quick heartbeats');
    await control.silence({ on: true });
    const said = await control.say({ user: 'alice', channel: 'general', text: '@hektor into the silence' });
    await new Promise((done) => setTimeout(done, 4_000));
    await control.silence({ on: false });
    expect((await nth('message')).key).toBe(said.id);
  }, 60_000);

  it('U034, D04: restarted, it reads up what came while it was away, and nothing twice', async () => {
    const one = await start();
    const first = await one.control.say({ user: 'alice', channel: 'general', text: '@hektor hello' });
    await one.nth('message');
    await until(
      async () => ((await one.deps.inbound.shared.get('listening:0:1')) as { value: unknown }).value !== null,
      'a note of the time',
    );
    await one.stop();
    const second = await one.control.say({ user: 'alice', channel: 'random', text: '@hektor still there?' });
    await one.restart();
    expect((await one.nth('message', 2)).key).toBe(second.id);
    await one.restart();
    await one.quiet();
    expect(one.of('message').map(({ key }) => key)).toEqual([first.id, second.id]);
  }, 60_000);

  it.each([
    [4014, 'Message Content'],
    [4013, 'intent'],
    [4004, 'DISCORD_TOKEN'],
    [4010, 'DISCORD_SHARDS'],
  ])('D28: closed with %i, it says so once with what mends it, and does not loop', async (code, words) => {
    const { control, inbound, deps } = await start();
    await control.refuse({ on: 'identify', how: code });
    await control.refuse({ on: 'resume', how: code });
    await control.drop({ code, forget: true });
    await until(
      () =>
        inbound()
          .problems()
          .some((problem) => problem.includes(words)),
      'a problem',
    );
    const identified = (await control.frames({ op: 2 })).length;
    await new Promise((done) => setTimeout(done, 3_000));
    expect((await control.frames({ op: 2 })).length).toBe(identified);
    expect(await control.connections()).toBe(0);
    const errors = deps.lines.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors[0]?.fields)).toContain(words);
  });

  it('D28: without the intent in the portal it stays up and says which switch', async () => {
    const one = await startDiscordInbound({ connect: false });
    open.push(one);
    await one.stop();
    await one.control.app({ messageContent: false });
    const begun = one.restart();
    void begun.catch(() => undefined);
    await until(
      () => one.deps.lines.some(({ level, fields }) => level === 'error' && JSON.stringify(fields).includes('4014')),
      'the words',
    );
    expect(one.inbound().problems().join()).toContain('Privileged Gateway Intents');
  });

  it('refused its token, it says so and asks no more', async () => {
    const one = await start();
    await one.stop();
    await one.control.resetToken();
    void one.restart().catch(() => undefined);
    await until(() => one.deps.lines.some(({ level }) => level === 'error'), 'the words');
    const calls = (await one.control.calls({})).length;
    await new Promise((done) => setTimeout(done, 2_500));
    expect((await one.control.calls({})).length).toBe(calls);
    expect(one.inbound().problems().join()).toContain('DISCORD_TOKEN');
  });

  it('keeps what came while the in-tray was away', async () => {
    const { control, nth, deps } = await start();
    deps.inbound.inbox.setReachable(false);
    const said = await control.say({ user: 'alice', channel: 'general', text: '@hektor hello' });
    await new Promise((done) => setTimeout(done, 700));
    deps.inbound.inbox.setReachable(true);
    expect((await nth('message')).key).toBe(said.id);
  });

  it('works a message off again where the store was away, and tells nobody of it', async () => {
    const { control, nth, steer } = await start();
    let refusals = 2;
    steer.refuse = () => (refusals-- > 0 ? failure('store-unreachable', {}, 'set so by the test') : null);
    const said = await control.say({ user: 'alice', channel: 'general', text: '@hektor hello' });
    expect((await nth('message')).key).toBe(said.id);
    expect((await control.messages({ channel: 'general' })).filter((one) => one.bot)).toEqual([]);
  });
});

describe('without the Message Content intent', () => {
  it('D28: mentions, direct messages and replies are heard whole, and an empty follow-up gets one hint', async () => {
    const { control, nth, of, quiet, steer } = await start({ env: { DISCORD_MESSAGE_CONTENT: 'off' } });
    await control.app({ messageContent: false });
    const said = await control.say({ user: 'alice', channel: 'general', text: '@hektor hello', files: [{ name: 'a.txt', text: 'x' }] });
    const heard = await nth('message');
    expect([heard.text, heard.files.map(({ name }) => name)]).toEqual(['hello', ['a.txt']]);
    await control.dm({ user: 'bob', text: 'hello from here' });
    expect((await nth('message', 2)).text).toBe('hello from here');
    const { thread } = await control.openThread({ user: 'alice', channel: 'general', name: 'x', from: said.id });
    expect(steer.knows.size).toBe(2);
    await control.say({ user: 'alice', channel: thread, text: 'and then?' });
    await control.say({ user: 'alice', channel: thread, text: 'hello?' });
    await quiet();
    const hints = (await control.messages({ channel: thread })).filter((one) => one.bot);
    expect(hints).toHaveLength(1);
    expect(hints[0]?.text).toContain('Message Content intent');
    expect(of('message')).toHaveLength(2);
  });
});
