/** Messages over the REST API, with the real client: what is refused and how, what is kept, who is pinged. */
import { ButtonStyle, ComponentType, MessageFlags, Routes } from 'discord.js';
import type { APIMessage } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { ids } from './places.ts';
import { createStand } from './testing.ts';
import type { Stand } from './testing.ts';

const post = (stand: Stand, body: Record<string, unknown>, channel: string = ids.general): Promise<APIMessage> =>
  stand.rest.post(Routes.channelMessages(channel), { body }) as Promise<APIMessage>;
const edit = (stand: Stand, id: string, body: Record<string, unknown>, channel: string = ids.general): Promise<APIMessage> =>
  stand.rest.patch(Routes.channelMessage(channel, id), { body }) as Promise<APIMessage>;

describe('messages', () => {
  it('counts 2000 UTF-16 units and tells where the fault is; refuses what is empty (rule 12)', async () => {
    await using stand = await createStand();
    await stand.control.settings({ rateLimits: false });
    const { status, code, body } = await stand.refusal(post(stand, { content: '🙂'.repeat(1001) }));
    expect([status, code]).toEqual([400, 50035]);
    expect(body).toMatchObject({
      errors: { content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 2000 or fewer in length.' }] } },
    });
    expect((await post(stand, { content: '🙂'.repeat(1000) })).content.length).toBe(2000);
    expect((await stand.refusal(post(stand, { content: ' \n ' }))).code).toBe(50006);
    const embed = { description: 'x'.repeat(4000) };
    expect((await stand.refusal(post(stand, { embeds: [embed, embed] }))).body).toMatchObject({
      errors: { embeds: { _errors: [{ code: 'MAX_EMBED_SIZE_EXCEEDED' }] } },
    });
  });

  it('pings by the defaults where nothing is said, nobody where told so; an edit never does, but is read anew (rule 15)', async () => {
    await using stand = await createStand();
    const content = `@everyone <@${ids.alice}> \`<@${ids.bob}>\``;
    const loud = await post(stand, { content });
    const quiet = await post(stand, { content, allowed_mentions: { parse: [] } });
    const pings = async (id: string) => (await stand.control.message({ id }))?.pings;
    expect(await pings(loud.id)).toEqual(['@everyone', ids.alice]);
    expect(await pings(quiet.id)).toEqual([]);
    expect(quiet.mentions).toEqual([]);
    await edit(stand, quiet.id, { content: `now <@${ids.bob}>`, allowed_mentions: { parse: [] } });
    expect((await stand.control.message({ id: quiet.id }))?.editPings).toEqual([]);
    await edit(stand, quiet.id, { content: `now <@${ids.bob}>` });
    const seen = await stand.control.message({ id: quiet.id });
    expect([seen?.pings, seen?.editPings, seen?.earlier[0]]).toEqual([[], [ids.bob], content]);
    expect((await stand.refusal(post(stand, { content, allowed_mentions: { parse: ['users'], users: [ids.alice] } }))).code).toBe(50035);
  });

  it('D10: a reply to what is gone is refused unless it may fail (rule 16)', async () => {
    await using stand = await createStand();
    const { id } = await stand.control.say({ user: 'alice', channel: 'general', text: 'a question' });
    const reply = await post(stand, { content: 'an answer', message_reference: { message_id: id }, allowed_mentions: { parse: [] } });
    expect([reply.type, reply.referenced_message?.id]).toEqual([19, id]);
    expect((await stand.control.message({ id: reply.id }))?.pings).toEqual([]);
    await stand.control.delete({ id });
    expect((await stand.refusal(post(stand, { content: 'x', message_reference: { message_id: id } }))).body).toMatchObject({
      code: 50035,
      errors: { message_reference: { _errors: [{ code: 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE' }] } },
    });
    const alone = await post(stand, { content: 'x', message_reference: { message_id: id, fail_if_not_exists: false } });
    expect([alone.type, alone.message_reference]).toEqual([0, undefined]);
  });

  it('gives the same message for the same nonce, also where the first answer was lost (rule 17)', async () => {
    await using stand = await createStand();
    await stand.control.fault({ method: 'POST', path: '/messages', drop: 'reply' });
    const body = { content: 'once', nonce: 'n1', enforce_nonce: true };
    await expect(post(stand, body)).rejects.toThrow(/other side closed|fetch failed|socket/i);
    await post(stand, body);
    expect((await stand.control.messages({ channel: 'general' })).map((one) => one.text)).toEqual(['once']);
    await stand.control.advance({ ms: 6 * 60_000 });
    await post(stand, body);
    expect(await stand.control.messages({ channel: 'general' })).toHaveLength(2);
  });

  it('unfurls links later without an edit, over a newer text, unless embeds are suppressed (D19, rule 23)', async () => {
    await using stand = await createStand();
    const client = await stand.login();
    const edits: (number | null)[] = [];
    client.on('messageUpdate', (_, after) => void edits.push(after.editedTimestamp));
    const loud = await post(stand, { content: 'see https://example.org' });
    await edit(stand, loud.id, { content: 'newer text' });
    const quiet = await post(stand, { content: 'see https://example.org', flags: MessageFlags.SuppressEmbeds });
    await stand.control.advance({ ms: 1000 });
    const plain = await post(stand, { content: 'see https://example.net' });
    await stand.control.advance({ ms: 1000 });
    await stand.control.until(async () => (await stand.control.message({ id: plain.id }))?.embeds.length === 1);
    expect((await stand.control.message({ id: quiet.id }))?.embeds).toEqual([]);
    await stand.control.until(async () => edits.includes(null));
  });

  it('checks buttons and layout parts (rules 14 and 37)', async () => {
    await using stand = await createStand();
    await stand.control.settings({ rateLimits: false });
    const button = (custom_id: string, label = 'Stop') => ({ type: ComponentType.Button, style: ButtonStyle.Danger, custom_id, label });
    const row = (...components: unknown[]) => ({ type: ComponentType.ActionRow, components });
    const refused = async (...components: unknown[]) => (await stand.refusal(post(stand, { content: 'x', components }))).code;
    expect(await refused(row(...[1, 2, 3, 4, 5, 6].map((n) => button(`b${n}`))))).toBe(50035);
    expect(await refused(row(button('a'), button('a')))).toBe(50035);
    expect(await refused(row(button('a', 'x'.repeat(81))))).toBe(50035);
    expect(await refused(row(button('a'.repeat(101))))).toBe(50035);
    const text = { type: ComponentType.TextDisplay, content: 'x' };
    expect(await refused(text)).toBe(50035);
    const flags = MessageFlags.IsComponentsV2;
    expect((await stand.refusal(post(stand, { content: 'x', flags, components: [text] }))).code).toBe(50035);
    const { id } = await post(stand, { flags, components: [text] });
    expect((await stand.refusal(edit(stand, id, { flags: 0 }))).code).toBe(50035);
    expect((await stand.control.message({ id }))?.text).toBe('x');
  });

  it('shows forwards, polls, stickers; empties what REST may not read, too (rules 1 and 10, D13)', async () => {
    await using stand = await createStand();
    await stand.control.app({ messageContent: false });
    const { id } = await stand.control.say({ user: 'alice', channel: 'random', text: 'Q3 revenue fell 4 %' });
    expect(
      (
        await stand.refusal(
          stand.rest.post(Routes.channelMessages(ids.general), {
            body: { message_reference: { type: 1, channel_id: ids.random, message_id: id } },
          }),
        )
      ).code,
    ).toBe(160014);
    await stand.control.app({ messageContent: true });
    const forward = await stand.control.forward({ user: 'alice', channel: 'general', message: id });
    const poll = await stand.control.say({
      user: 'bob',
      channel: 'general',
      text: '',
      poll: { question: 'Lunch?', answers: ['yes', 'no'] },
      stickers: ['wave'],
    });
    const read = async (one: string) => (await stand.rest.get(Routes.channelMessage(ids.general, one))) as APIMessage;
    const got = await read(forward.id);
    expect([got.content, got.message_snapshots?.[0]?.message.content]).toEqual(['', 'Q3 revenue fell 4 %']);
    expect((await read(poll.id)).poll?.question.text).toBe('Lunch?');
    expect((await read(poll.id)).sticker_items?.[0]?.name).toBe('wave');
    await stand.control.app({ messageContent: false });
    expect((await read(poll.id)).poll).toBeUndefined();
    expect((await read(forward.id)).message_snapshots?.[0]?.message.content).toBe('');
  });

  it('limits edits of what is older than an hour, AutoMod, slow mode (rule 20)', async () => {
    await using stand = await createStand();
    const { id } = await post(stand, { content: 'old' });
    await stand.control.advance({ ms: 3_700_000 });
    for (const content of ['1', '2', '3']) await edit(stand, id, { content });
    expect((await stand.refusal(edit(stand, id, { content: '4' }))).code).toBe(30046);
    await stand.control.changeGuild({ blockedPhrases: ['heck'] });
    expect((await stand.refusal(post(stand, { content: 'Heck!' }))).code).toBe(200000);
    await stand.control.channel({ name: 'slow', slowmodeSeconds: 30 });
    await stand.control.role({ name: 'bot', permissions: [] });
    const slow = (await stand.control.overview({ user: 'alice' })).guilds[0]?.channels.find((one) => one.name === 'slow')?.id ?? '';
    await post(stand, { content: 'first' }, slow);
    const raw = await fetch(`${stand.server.apiUrl}/v10/channels/${slow}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${stand.server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'second' }),
    });
    expect([raw.status, ((await raw.json()) as { code: number }).code]).toEqual([429, 20016]);
  });

  it('reads lists by after, before and limit, newest first', async () => {
    await using stand = await createStand();
    const said = [];
    for (const text of ['a', 'b', 'c', 'd']) said.push((await stand.control.say({ user: 'alice', channel: 'general', text })).id);
    const list = async (query: string) =>
      ((await stand.rest.get(Routes.channelMessages(ids.general), { query: new URLSearchParams(query) })) as APIMessage[])
        .map((one) => one.content)
        .join('');
    expect(await list('limit=2')).toBe('dc');
    expect(await list(`after=${said[0]}&limit=2`)).toBe('cb');
    expect(await list(`before=${said[2]}`)).toBe('ba');
  });
});
