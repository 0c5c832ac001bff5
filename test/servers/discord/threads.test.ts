/** Threads and forums: how they are opened, and every refusal on the way. */
import { ChannelType, Routes } from 'discord.js';
import type { APIChannel, APIThreadChannel } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { ids } from './places.ts';
import { createStand } from './testing.ts';
import type { Stand } from './testing.ts';

const open = (
  stand: Stand,
  message: string,
  body: Record<string, unknown> = { name: 'A thread' },
  channel: string = ids.general,
): Promise<APIThreadChannel> => stand.rest.post(Routes.threads(channel, message), { body }) as Promise<APIThreadChannel>;
const send = (stand: Stand, channel: string, content = 'x') =>
  stand.rest.post(Routes.channelMessages(channel), { body: { content } }) as Promise<{ id: string }>;

describe('threads', () => {
  it('opens one on a message, with its id, once; with a name that is one (rules 27 and 28)', async () => {
    await using stand = await createStand();
    const { id } = await stand.control.say({ user: 'alice', channel: 'general', text: 'a question' });
    expect((await stand.refusal(open(stand, id, { name: '   ' }))).code).toBe(50035);
    expect((await stand.refusal(open(stand, id, { name: 'x'.repeat(101) }))).code).toBe(50035);
    expect((await stand.refusal(open(stand, id, { name: 'x', auto_archive_duration: 90 }))).code).toBe(50035);
    const thread = await open(stand, id, { name: '  An answer ' });
    expect([thread.id, thread.name, thread.owner_id]).toEqual([id, 'An answer', stand.server.applicationId]);
    expect((await stand.refusal(open(stand, id))).code).toBe(160004);
    const inside = await send(stand, id);
    expect((await stand.refusal(open(stand, inside.id, { name: 'x' }, id))).code).toBe(50024);
    const dm = await stand.control.dm({ user: 'alice', text: 'hello' });
    expect((await stand.refusal(open(stand, dm.id, { name: 'x' }, dm.channel))).code).toBe(50024);
    await stand.control.settings({ activeThreads: 1 });
    const other = await stand.control.say({ user: 'alice', channel: 'general', text: 'another' });
    expect((await stand.refusal(open(stand, other.id))).code).toBe(160006);
  });

  it('D14: a forum takes posts with a message, and a tag where one is asked for', async () => {
    await using stand = await createStand();
    const forum = await stand.control.channel({ name: 'ideas', kind: 'forum', tags: ['new'], requireTag: true });
    expect((await stand.refusal(send(stand, forum))).code).toBe(50008);
    const post = (body: Record<string, unknown>) =>
      stand.rest.post(Routes.threads(forum), { body }) as Promise<APIThreadChannel & { message: { id: string } }>;
    expect((await stand.refusal(post({ name: 'Release notes' }))).body).toMatchObject({
      errors: { message: { _errors: [{ code: 'BASE_TYPE_REQUIRED' }] } },
    });
    expect((await stand.refusal(post({ name: 'Release notes', message: { content: 'x' } }))).code).toBe(40067);
    const { available_tags: tags } = (await stand.rest.get(Routes.channel(forum))) as { available_tags: { id: string }[] };
    const made = await post({ name: 'Release notes', message: { content: 'All of it' }, applied_tags: [tags[0]?.id] });
    expect(made.message.id).toBe(made.id);
    expect((await stand.control.messages({ channel: made.id })).map((one) => one.text)).toEqual(['All of it']);
    expect((await stand.refusal(post({ name: 'x', message: { content: '' }, applied_tags: [tags[0]?.id] }))).code).toBe(50006);
    expect(await stand.control.threads({ channel: forum })).toHaveLength(1);
  });

  it('tells discord.js of a post by a person, whose first message has the thread’s id (rule 29)', async () => {
    await using stand = await createStand();
    const client = await stand.login();
    const created = new Promise<string>((resolve) => void client.on('threadCreate', (thread) => resolve(thread.name)));
    const first = new Promise<string>(
      (resolve) => void client.on('messageCreate', (message) => resolve(`${message.id} ${message.channelId} ${message.content}`)),
    );
    const { thread } = await stand.control.openThread({
      user: 'alice',
      channel: 'help',
      name: 'Help me',
      first: { text: '@hektor how?' },
    });
    expect(await created).toBe('Help me');
    expect(await first).toBe(`${thread} ${thread} <@${stand.server.applicationId}> how?`);
  });

  it('refuses edits and reactions where it is archived; writing opens it again, unless it is locked (rule 30)', async () => {
    await using stand = await createStand();
    const { id } = await stand.control.say({ user: 'alice', channel: 'general', text: 'a question' });
    await open(stand, id);
    const message = await send(stand, id);
    await stand.control.changeThread({ thread: id, archived: true });
    expect((await stand.refusal(stand.rest.patch(Routes.channelMessage(id, message.id), { body: { content: 'y' } }))).code).toBe(50083);
    expect((await stand.refusal(stand.rest.put(Routes.channelMessageOwnReaction(id, message.id, encodeURIComponent('👍'))))).code).toBe(
      50083,
    );
    await send(stand, id);
    expect((await stand.control.threads({ channel: 'general' }))[0]?.archived).toBe(false);
    await stand.control.role({ name: 'bot', permissions: ['SendMessagesInThreads'] });
    await stand.control.changeThread({ thread: id, archived: true, locked: true });
    expect((await stand.refusal(send(stand, id))).code).toBe(160005);
  });

  it('wants the permissions of threads, not those of the channel (rule 31)', async () => {
    await using stand = await createStand();
    const { id } = await stand.control.say({ user: 'alice', channel: 'general', text: 'a question' });
    await stand.control.permit({ channel: 'general', user: 'hektor', deny: ['CreatePublicThreads'] });
    expect((await stand.refusal(open(stand, id))).code).toBe(50013);
    await stand.control.permit({ channel: 'general', user: 'hektor', deny: ['SendMessages'] });
    await open(stand, id);
    await send(stand, id);
    expect((await stand.refusal(send(stand, ids.general))).code).toBe(50013);
    await stand.control.permit({ channel: 'general', user: 'hektor', deny: ['SendMessagesInThreads'] });
    expect((await stand.refusal(send(stand, id))).code).toBe(50013);
    await stand.control.permit({ channel: 'general', user: 'hektor', deny: ['ViewChannel'] });
    expect((await stand.refusal(send(stand, id))).code).toBe(50001);
    expect((await stand.refusal(stand.rest.get(Routes.channel('999999999999999999')))).code).toBe(10003);
  });

  it('hides private threads from who is not in them, and tells the bot when it is asked in', async () => {
    await using stand = await createStand();
    await stand.control.role({ name: 'bot', permissions: ['SendMessagesInThreads'] });
    const client = await stand.login();
    const { thread } = await stand.control.openThread({ user: 'alice', channel: 'general', name: 'Secret', private: true });
    expect((await stand.refusal(stand.rest.get(Routes.channel(thread)))).code).toBe(50001);
    const heard = new Promise<string>((resolve) => void client.on('messageCreate', (message) => resolve(message.content)));
    await stand.control.joinThread({ thread, user: 'hektor' });
    await stand.control.say({ user: 'alice', channel: thread, text: '@hektor psst' });
    expect(await heard).toContain('psst');
    expect(((await stand.rest.get(Routes.channel(thread))) as APIChannel).type).toBe(ChannelType.PrivateThread);
  });

  it('D20: a third name within ten minutes has to wait for them (rule 26)', async () => {
    await using stand = await createStand();
    const { id } = await stand.control.say({ user: 'alice', channel: 'general', text: 'a question' });
    await open(stand, id);
    const rename = (name: string) =>
      fetch(`${stand.server.apiUrl}/v10/channels/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bot ${stand.server.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
    expect([(await rename('one')).status, (await rename('two')).status]).toEqual([200, 200]);
    const refused = await rename('three');
    expect([refused.status, refused.headers.get('x-ratelimit-scope')]).toEqual([429, 'shared']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
    await stand.control.advance({ ms: 601_000 });
    expect((await rename('three')).status).toBe(200);
    expect((await stand.control.invalidRequests()).count).toBe(0);
  });
});
