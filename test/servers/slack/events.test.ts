/** Events: which ones come, and with what in them. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStand } from './testing.ts';
import type { Stand } from './testing.ts';

type Event = Record<string, unknown> & { readonly type: string; readonly subtype?: string };
const events = async (stand: Stand): Promise<readonly Event[]> => (await stand.control.sent()).map((one) => one.payload['event'] as Event);
const kinds = async (stand: Stand): Promise<readonly string[]> =>
  (await events(stand)).map((one) => (one.subtype === undefined ? one.type : `${one.type}/${one.subtype}`));

describe('events', () => {
  it('S02 sends a mention as message and as app_mention, same ts and client_msg_id, other event id', async () => {
    await using stand = await createStand();
    await stand.control.say({ user: 'U01ALICE', channel: 'general', text: '@hektor why `@hektor` < 3?' });
    const [one, two] = await stand.control.sent();
    expect(one?.payload['event_id']).not.toBe(two?.payload['event_id']);
    const [message, mention] = await events(stand);
    expect(message).toMatchObject({ type: 'message', text: '<@U0BOT> why `@hektor` &lt; 3?', channel_type: 'channel' });
    expect(mention).toMatchObject({ type: 'app_mention', ts: message?.['ts'], client_msg_id: message?.['client_msg_id'] });
    expect(one?.payload['authorizations']).toEqual([
      { enterprise_id: null, team_id: 'T01LAB', user_id: 'U0BOT', is_bot: true, is_enterprise_install: false },
    ]);
  });

  it('sends no mention for code, direct messages, channels without the bot, and what is not subscribed to', async () => {
    await using stand = await createStand();
    await stand.control.say({ user: 'U01ALICE', channel: 'general', text: 'see `@hektor`' });
    await stand.control.say({ user: 'U01ALICE', channel: 'D01ALICE', text: '@hektor hi' });
    await stand.control.say({ user: 'U01ALICE', channel: 'quiet', text: '@hektor hi' });
    expect(await kinds(stand)).toEqual(['message', 'message']);
    await stand.control.app({ events: ['app_mention'] });
    await stand.control.say({ user: 'U01ALICE', channel: 'general', text: 'no mention' });
    expect(await kinds(stand)).toHaveLength(2);
  });

  it('S05 revises the root with each reply, its text unchanged', async () => {
    await using stand = await createStand();
    const ts = await stand.root();
    await stand.control.say({ user: 'U02BOB', channel: 'C01GEN', text: 'one', thread: ts });
    const changed = (await events(stand)).find((one) => one['subtype'] === 'message_changed');
    expect(changed).toMatchObject({
      hidden: true,
      message: { ts, reply_count: 1, text: 'a question' },
      previous_message: { ts, text: 'a question' },
    });
    expect(changed?.['previous_message']).not.toHaveProperty('reply_count');
  });

  it('S04 reports our own posts and edits, previews, people’s edits and deletions', async () => {
    await using stand = await createStand();
    const { ts = '' } = await stand.web.chat.postMessage({ channel: 'C01GEN', text: 'x' });
    await stand.web.chat.update({ channel: 'C01GEN', ts, text: 'y' });
    await stand.control.unfurl({ channel: 'C01GEN', ts, url: 'https://example.com/a' });
    const said = await stand.root();
    await stand.control.edit({ channel: 'C01GEN', ts: said, text: 'better' });
    await stand.control.delete({ channel: 'C01GEN', ts: said });
    expect(await kinds(stand)).toEqual([
      'message',
      'message/message_changed',
      'message/message_changed',
      'message',
      'message/message_changed',
      'message/message_deleted',
    ]);
    const all = await events(stand);
    expect(all[0]).toMatchObject({ bot_id: 'B0BOT', app_id: 'A01APP', user: 'U0BOT' });
    expect(all[2]).toMatchObject({ message: { text: 'y', attachments: [{}] }, previous_message: { text: 'y' } });
    expect(all[4]).toMatchObject({ message: { text: 'better', edited: { user: 'U01ALICE' } }, previous_message: { text: 'a question' } });
    expect(all[5]).toMatchObject({ deleted_ts: said, previous_message: { text: 'better' } });
  });

  it('S08 says who is of another organisation, and hides what a shared file holds', async () => {
    await using stand = await createStand();
    const said = await stand.control.say({
      user: 'U0EXTERN',
      channel: 'partners',
      text: '@hektor read it',
      files: [{ name: 'a.txt', text: 'inside', checkFileInfo: true }],
    });
    const [sent] = await stand.control.sent();
    expect(sent?.payload).toMatchObject({ team_id: 'T0PARTNER', context_team_id: 'T01LAB', is_ext_shared_channel: true });
    expect((await events(stand))[0]).toMatchObject({
      subtype: 'file_share',
      user_team: 'T0PARTNER',
      files: [{ file_access: 'check_file_info' }],
    });
    const { file } = await stand.web.files.info({ file: said.files[0] ?? '' });
    expect(file?.url_private_download).toContain(said.files[0]);
  });

  it('carries the marks of another app’s bot, and a broadcast reply', async () => {
    await using stand = await createStand();
    const { ts } = await stand.control.say({ user: 'U0OTHERBOT', channel: 'general', text: 'deploy failed @hektor' });
    expect((await events(stand))[1]).toMatchObject({ type: 'app_mention', bot_id: 'B0OTHER', app_id: 'A0OTHER' });
    await stand.control.say({ user: 'U01ALICE', channel: 'general', text: 'to all', thread: ts, broadcast: true });
    expect((await events(stand))[2]).toMatchObject({ subtype: 'thread_broadcast', thread_ts: ts, root: { ts } });
  });

  it('delivers the recorded payloads as they are', async () => {
    await using stand = await createStand();
    const recorded = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../fixtures/slack-events.json'), 'utf8')) as Record<
      string,
      Record<string, unknown>[]
    >;
    for (const payload of Object.values(recorded).flat()) await stand.control.payload({ payload });
    expect((await stand.control.sent()).map((one) => one.payload)).toEqual(Object.values(recorded).flat());
  });
});
