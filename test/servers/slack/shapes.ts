/** The state as Slack's payloads show it: to the app, in events and in replies. */
import type { Channel, Json, Message, Person, SlackFile } from './model.ts';
import { inThread } from './world.ts';
import type { World } from './world.ts';
import { streamBlocks, streamText } from './stream-parts.ts';

export const fileShape = (world: World, file: SlackFile, full: boolean): Json => {
  if (file.checkFileInfo && !full) {
    return { id: file.id, mode: 'file_access', file_access: 'check_file_info', created: 0, timestamp: 0, user: '' };
  }
  if (file.mode === 'tombstone') return { id: file.id, mode: 'tombstone' };
  if (file.mode === 'hidden_by_limit') return { id: file.id, mode: 'hidden_by_limit', created: Math.floor(file.createdAt / 1000) };
  const path = `${world.baseUrl}/files-pri/${file.team}-${file.id}`;
  const name = encodeURIComponent(file.name);
  return {
    id: file.id,
    created: Math.floor(file.createdAt / 1000),
    timestamp: Math.floor(file.createdAt / 1000),
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: file.name.includes('.') ? file.name.split('.').at(-1) : 'text',
    pretty_type: file.mimetype,
    user: file.user,
    user_team: file.team,
    editable: false,
    size: file.declaredLength,
    mode: file.mode,
    is_external: file.mode === 'external',
    external_type: '',
    is_public: true,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: file.mode === 'external' ? 'https://example.com/elsewhere' : `${path}/${name}`,
    ...(file.mode === 'external' ? {} : { url_private_download: `${path}/download/${name}` }),
    permalink: `${world.baseUrl}/files/${file.user}/${file.id}/${name}`,
    ...(file.altText === '' ? {} : { alt_txt: file.altText }),
    has_rich_preview: false,
    file_access: 'visible',
  };
};

const reactionShapes = (message: Message): Json =>
  message.reactions.size === 0
    ? {}
    : { reactions: [...message.reactions].map(([name, users]) => ({ name, count: users.size, users: [...users] })) };

/** A message as `conversations.replies` gives it and as events carry it (without the channel). */
export const messageShape = (world: World, message: Message, metadata = false): Json => {
  const person = world.people.get(message.user);
  const replies = message.threadTs === null ? inThread(world, message.channel, message.ts).filter((one) => one.ts !== message.ts) : [];
  const stream = message.stream;
  return {
    type: 'message',
    ...(message.subtype === null ? {} : { subtype: message.subtype }),
    user: message.user,
    team: message.team,
    ...(message.bot === null
      ? {}
      : {
          bot_id: message.bot.botId,
          app_id: message.bot.appId,
          bot_profile: {
            id: message.bot.botId,
            name: person?.realName ?? '',
            app_id: message.bot.appId,
            team_id: message.team,
            deleted: false,
          },
        }),
    ...(message.username === null ? {} : { username: message.username }),
    ...(message.clientMsgId === null ? {} : { client_msg_id: message.clientMsgId }),
    text: stream === null ? message.text : streamText(stream),
    ts: message.ts,
    ...(stream === null
      ? message.blocks.length === 0
        ? {}
        : { blocks: message.blocks }
      : {
          blocks: [...streamBlocks(stream), ...message.blocks],
          streaming_state: stream.state === 'streaming' ? 'in_progress' : 'completed',
        }),
    ...(message.attachments.length === 0 ? {} : { attachments: message.attachments }),
    ...(message.files.length === 0
      ? {}
      : { files: message.files.flatMap((id) => world.files.get(id) ?? []).map((file) => fileShape(world, file, false)), upload: false }),
    ...(message.threadTs === null
      ? replies.length === 0
        ? {}
        : {
            thread_ts: message.ts,
            reply_count: replies.length,
            reply_users_count: new Set(replies.map((one) => one.user)).size,
            reply_users: [...new Set(replies.map((one) => one.user))],
            latest_reply: replies.at(-1)?.ts,
          }
      : {
          thread_ts: message.threadTs,
          parent_user_id: world.messages.find((one) => one.channel === message.channel && one.ts === message.threadTs)?.user,
        }),
    ...(message.edited === null ? {} : { edited: message.edited }),
    ...(metadata && message.metadata !== null ? { metadata: message.metadata } : {}),
    ...reactionShapes(message),
  };
};

export const channelShape = (world: World, channel: Channel, bot: string): Json => ({
  id: channel.id,
  name: channel.kind === 'im' ? undefined : channel.name,
  name_normalized: channel.kind === 'im' ? undefined : channel.name,
  is_channel: channel.kind === 'channel',
  is_group: channel.kind === 'group',
  is_im: channel.kind === 'im',
  is_mpim: channel.kind === 'mpim',
  is_private: channel.kind !== 'channel',
  is_archived: channel.archived,
  is_member: channel.members.has(bot),
  is_shared: channel.connected.length > 0,
  is_ext_shared: channel.connected.length > 0,
  is_org_shared: false,
  context_team_id: channel.team,
  shared_team_ids: [channel.team, ...channel.connected],
  ...(channel.kind === 'im' ? { user: [...channel.members].find((id) => id !== bot) } : {}),
  topic: { value: '', creator: '', last_set: 0 },
  purpose: { value: '', creator: '', last_set: 0 },
  created: Math.floor(world.clock.now() / 1000) - 86_400,
});

export const personShape = (person: Person): Json => ({
  id: person.id,
  team_id: person.team,
  name: person.name,
  deleted: person.deleted,
  real_name: person.realName,
  tz: 'Europe/Berlin',
  tz_label: 'Central European Time',
  tz_offset: 3600,
  profile: {
    real_name: person.realName,
    real_name_normalized: person.realName,
    display_name: person.displayName,
    display_name_normalized: person.displayName,
    team: person.team,
    ...(person.bot === null ? {} : { bot_id: person.bot.botId, api_app_id: person.bot.appId }),
  },
  is_admin: person.admin,
  is_owner: false,
  is_restricted: person.guest,
  is_ultra_restricted: false,
  is_bot: person.bot !== null,
  is_app_user: false,
  updated: 1_796_000_000,
});
