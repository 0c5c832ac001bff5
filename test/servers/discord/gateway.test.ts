/** The gateway, with the real discord.js: ready, what is told by which intents, and every way in which a connection ends. */
import { Events, GatewayIntentBits as I } from 'discord.js';
import type { Client, Message } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createStand, MODEST } from './testing.ts';

const heard = (client: Client): Message[] => {
  const messages: Message[] = [];
  client.on(Events.MessageCreate, (message) => void messages.push(message));
  return messages;
};

describe('the gateway', () => {
  it('answers a mention in a thread that is opened on it, and shows both', async () => {
    await using stand = await createStand();
    const client = await stand.login();
    client.on(Events.MessageCreate, (message) => {
      if (message.author.bot) return;
      void message.startThread({ name: 'An answer' }).then((thread) => thread.send('42'));
    });
    expect(client.user.username).toBe('Hektor');
    expect(client.guilds.cache.first()?.channels.cache.size).toBe(3);
    const { id } = await stand.control.say({ user: 'alice', channel: 'general', text: '@hektor what is 6 * 7?' });
    const answer = await stand.control.until(async () => {
      const [thread] = await stand.control.threads({ channel: 'general' });
      return thread !== undefined && (await stand.control.messages({ channel: thread.id })).find((one) => one.text === '42');
    }, 'the answer');
    expect(answer.bot).toBe(true);
    expect(answer.channel).toBe(id);
  });

  it('empties messages without the content intent, but for mentions, own ones and direct messages', async () => {
    await using stand = await createStand();
    const messages = heard(await stand.login());
    await stand.control.say({ user: 'alice', channel: 'general', text: 'among us', files: [{ name: 'a.txt', text: 'x' }] });
    await stand.control.say({ user: 'alice', channel: 'general', text: '@hektor for you' });
    await stand.control.dm({ user: 'alice', text: 'in private' });
    await stand.control.until(async () => messages.length === 3);
    expect(messages.map((one) => one.content)).toEqual(['', `<@${stand.server.applicationId}> for you`, 'in private']);
    expect(messages[0]?.attachments.size).toBe(0);
    expect(messages[2]?.channel.isDMBased()).toBe(true);
  });

  it('reads everything with the content intent', async () => {
    await using stand = await createStand();
    const messages = heard(await stand.login({ intents: [...MODEST, I.MessageContent] }));
    await stand.control.say({ user: 'alice', channel: 'general', text: 'among us' });
    await stand.control.until(async () => messages[0]?.content === 'among us');
  });

  it('replays what was missed on a resume: after a rude end, op 7, op 9 and a close code that allows it (rule 4)', async () => {
    await using stand = await createStand();
    const client = await stand.login();
    const messages = heard(client);
    const say = (text: string) => stand.control.say({ user: 'alice', channel: 'general', text: `@hektor ${text}` });
    const ends = [
      () => stand.control.drop(),
      () => stand.control.reconnect(),
      () => stand.control.invalidate({ resumable: true }),
      () => stand.control.drop({ code: 4000 }),
    ];
    for (const [n, end] of ends.entries()) {
      const before = (await stand.control.frames({ event: 'RESUMED' })).length;
      await end();
      await say(String(n));
      await stand.control.until(async () => (await stand.control.frames({ event: 'RESUMED' })).length > before, `resume ${n}`);
      await stand.control.until(async () => messages.length === n + 1, `message ${n}`);
    }
    expect(await stand.control.sessions()).toHaveLength(1);
    expect(await stand.control.frames({ event: 'READY' })).toHaveLength(1);
    expect(messages.map((one) => one.content.slice(-1))).toEqual(['0', '1', '2', '3']);
  });

  it('begins anew where the session is gone, and what was missed stays missed (rule 4)', async () => {
    await using stand = await createStand();
    const messages = heard(await stand.login());
    await stand.control.drop({ code: 4009, forget: true });
    await stand.control.say({ user: 'alice', channel: 'general', text: '@hektor in the gap' });
    await stand.control.until(async () => (await stand.control.sessions()).some((one) => one.connected), 'a new session', 40_000);
    await stand.control.say({ user: 'alice', channel: 'general', text: '@hektor later' });
    await stand.control.until(async () => messages.length > 0);
    expect(messages.map((one) => one.content.slice(-5))).toEqual(['later']);
    expect(await stand.control.frames({ event: 'READY' })).toHaveLength(2);
  });

  it('D11: a connection that goes silent is found out by its heartbeats, and resumed', async () => {
    await using stand = await createStand();
    await stand.control.settings({ heartbeatMs: 1000 });
    const messages = heard(await stand.login());
    await stand.control.silence({ on: true });
    await stand.control.say({ user: 'alice', channel: 'general', text: '@hektor are you there?' });
    await stand.control.until(
      async () => (await stand.control.frames({ direction: 'received', event: 'close 4200' })).length > 0,
      'the client to notice',
    );
    await stand.control.silence({ on: false });
    await stand.control.until(async () => messages.length === 1, 'the message after the resume', 40_000);
  });

  it('refuses what it must, with the close code that says why (rules 2, 3, 5, 6; D28)', async () => {
    await using stand = await createStand();
    const refusal = async (client: Client, token = stand.server.token): Promise<string> =>
      client.login(token).then(
        () => 'no refusal',
        (error: unknown) => (error as Error).message,
      );
    const closed = async (code: number) => (await stand.control.frames({ direction: 'sent', event: `close ${code}` })).length;
    await stand.control.app({ messageContent: false });
    expect(await refusal(stand.client({ intents: [...MODEST, I.MessageContent] }))).toContain('disallowed intents');
    expect(await closed(4014)).toBe(1);
    expect(await refusal(stand.client({ intents: 1 << 30 }))).toContain('invalid intents');
    expect(await closed(4013)).toBe(1);
    await stand.control.settings({ maxGuildsPerShard: 0 });
    expect(await refusal(stand.client())).toContain('harding');
    expect(await closed(4011)).toBe(1);
    expect(await refusal(stand.client(), 'not.the.token')).toContain('token');
  });

  it('shares servers out among shards, identified one after the other (rule 6)', async () => {
    await using stand = await createStand();
    await stand.control.settings({ recommendedShards: 2 });
    const other = await stand.control.guild({ name: 'Other', owner: 'bob', id: String(BigInt('1100000000000000001') + (1n << 22n)) });
    const client = stand.client({ shards: 'auto' });
    const messages = heard(client);
    const ready = new Promise((resolve) => void client.once('clientReady', resolve));
    void client.login(stand.server.token);
    await stand.control.until(async () => (await stand.control.frames({ event: 'READY' })).length === 1);
    await stand.control.until(async () => (await stand.control.sessions()).length === 2, 'the second shard', 40_000);
    await ready;
    expect(
      client.guilds.cache.map((guild) => [guild.name, guild.shardId]).toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
    ).toEqual([
      ['Lab', Number((1100000000000000001n >> 22n) % 2n)],
      ['Other', Number((BigInt(other) >> 22n) % 2n)],
    ]);
    await stand.control.channel({ guild: 'Other', name: 'lobby' });
    await stand.control.say({ user: 'bob', channel: 'lobby', text: '@hektor hello' });
    await stand.control.until(async () => messages.length === 1);
  });

  it('tells of outages and of leaving differently, of deletions, pins and sweeps (rules 11 and 32)', async () => {
    await using stand = await createStand();
    const client = await stand.login();
    const told: string[] = [];
    client.on('guildUnavailable', () => void told.push('unavailable'));
    client.on('guildAvailable', () => void told.push('available'));
    client.on('guildDelete', () => void told.push('left'));
    client.on('messageDelete', (message) => void told.push(`deleted ${message.content}`));
    client.on('messageDeleteBulk', (messages) => void told.push(`swept ${messages.size}`));
    client.on('messageUpdate', (_, after) => void told.push(`updated ${after.editedTimestamp === null ? 'by nobody' : after.content}`));
    client.on('threadDelete', () => void told.push('thread gone'));
    const all = [];
    for (const text of ['@hektor a', '@hektor b', '@hektor c'])
      all.push((await stand.control.say({ user: 'alice', channel: 'general', text })).id);
    const [a = '', b = '', c = ''] = all;
    await stand.control.pin({ id: a });
    await stand.control.edit({ id: a, text: '@hektor changed' });
    const { thread } = await stand.control.openThread({ user: 'alice', channel: 'general', name: 'T', from: a });
    await stand.control.deleteChannel({ channel: thread });
    await stand.control.delete({ id: a });
    await stand.control.deleteMany({ ids: [b, c] });
    await stand.control.guildState({ state: 'unavailable' });
    await stand.control.guildState({ state: 'back' });
    await stand.control.guildState({ state: 'left' });
    await stand.control.until(async () => told.includes('left'));
    const me = `<@${stand.server.applicationId}>`;
    expect(told.filter((one) => !one.startsWith('updated'))).toEqual([
      'thread gone',
      `deleted ${me} changed`,
      'swept 2',
      'unavailable',
      'available',
      'left',
    ]);
    expect(told.slice(0, 2)).toEqual(['updated by nobody', `updated ${me} changed`]);
  });

  it('counts what is sent to it, and how often one identifies (rule 3)', async () => {
    await using stand = await createStand();
    await stand.login();
    const open = async (): Promise<{ readonly socket: WebSocket; readonly closed: Promise<number> }> => {
      const socket = new WebSocket(`${stand.server.baseUrl.replace('http', 'ws')}/gateway?v=10&encoding=json`);
      const closed = new Promise<number>((resolve) => void socket.on('close', resolve));
      await new Promise((resolve) => void socket.once('message', resolve));
      return { socket, closed };
    };
    const busy = await open();
    for (let n = 0; n < 121; n += 1) busy.socket.send(JSON.stringify({ op: 1, d: null }));
    expect(await busy.closed).toBe(4008);
    const large = await open();
    large.socket.send(JSON.stringify({ op: 3, d: 'x'.repeat(4100) }));
    expect(await large.closed).toBe(4002);
    const { session_start_limit: limit } = (await stand.rest.get('/gateway/bot')) as {
      session_start_limit: { total: number; remaining: number };
    };
    expect([limit.total, limit.remaining]).toEqual([1000, 999]);
    await stand.control.settings({ identifies: 0 });
    // discord.js does not even try; whoever does loses the token.
    await expect(stand.client().login(stand.server.token)).rejects.toThrow(/sessions remaining/);
    const last = await open();
    last.socket.send(JSON.stringify({ op: 2, d: { token: stand.server.token, intents: 1, properties: {} } }));
    expect(await last.closed).toBe(4004);
    expect((await stand.control.credentials()).token).not.toBe(stand.server.token);
  });
});
