/** How things look in Discord's payloads. */
import { ChannelType } from './numbers.ts';
import { createHmac } from 'node:crypto';
import type { Attachment, Channel, Guild, Json, Member, Message, Role, User } from './model.ts';
import { permissionsIn } from './permissions.ts';
import { pictureSize } from './picture.ts';
import { channelAt, messageAt, messagesIn, userOf } from './world.ts';
import type { World } from './world.ts';

export const iso = (ms: number): string => new Date(ms).toISOString().replace('Z', '000+00:00');

export const userShape = (user: User): Json => ({
  id: user.id,
  username: user.username,
  global_name: user.globalName,
  discriminator: user.bot ? '0001' : '0',
  avatar: null,
  public_flags: 0,
  ...(user.bot ? { bot: true } : {}),
  ...(user.system ? { system: true } : {}),
});

export const memberShape = (member: Member): Json => ({
  nick: member.nick,
  roles: member.roles,
  joined_at: iso(member.joinedAt),
  deaf: false,
  mute: false,
  flags: 0,
  avatar: null,
  pending: false,
  communication_disabled_until: null,
  premium_since: null,
});

export const roleShape = (role: Role): Json => ({
  id: role.id,
  name: role.name,
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  icon: null,
  unicode_emoji: null,
  position: role.position,
  permissions: String(role.permissions),
  managed: role.botId !== null,
  mentionable: role.mentionable,
  flags: 0,
  ...(role.botId === null ? {} : { tags: { bot_id: role.botId } }),
});

export const channelShape = (world: World, channel: Channel): Json => {
  if (channel.thread !== null) return threadShape(world, channel);
  if (channel.guild === null)
    return {
      id: channel.id,
      type: channel.type,
      last_message_id: channel.lastMessage,
      recipients: channel.recipients.filter((id) => id !== world.app.id).map((id) => userShape(userOf(world, id))),
      flags: 0,
      ...(channel.type === ChannelType.GroupDM ? { name: channel.name, owner_id: channel.recipients[0] ?? '', icon: null } : {}),
    };
  return {
    id: channel.id,
    type: channel.type,
    guild_id: channel.guild,
    name: channel.name,
    topic: channel.topic,
    position: channel.position,
    parent_id: channel.parent,
    nsfw: false,
    rate_limit_per_user: channel.slowmodeSeconds,
    last_message_id: channel.lastMessage,
    permission_overwrites: channel.overwrites.map((one) => ({ ...one, allow: String(one.allow), deny: String(one.deny) })),
    flags: channel.flags,
    ...(isForum(channel)
      ? {
          available_tags: channel.tags.map((tag) => ({ ...tag, emoji_id: null, emoji_name: null })),
          default_reaction_emoji: null,
          default_sort_order: null,
          default_forum_layout: 0,
        }
      : {}),
  };
};

export const isForum = (channel: Channel): boolean => channel.type === ChannelType.GuildForum || channel.type === ChannelType.GuildMedia;

const threadShape = (world: World, channel: Channel): Json => {
  const thread = channel.thread;
  if (thread === null) throw new TypeError('not a thread');
  const own = thread.members.has(world.app.id);
  const parent = channelAt(world, channel.parent);
  return {
    id: channel.id,
    type: channel.type,
    guild_id: channel.guild,
    parent_id: channel.parent,
    name: channel.name,
    owner_id: thread.owner,
    last_message_id: channel.lastMessage,
    rate_limit_per_user: channel.slowmodeSeconds,
    message_count: thread.messageCount,
    total_message_sent: thread.messageCount,
    member_count: Math.min(50, thread.members.size),
    flags: channel.flags,
    thread_metadata: {
      archived: thread.archived,
      archive_timestamp: iso(thread.archivedAt),
      auto_archive_duration: thread.autoArchiveMinutes,
      locked: thread.locked,
      create_timestamp: iso(thread.archivedAt),
      ...(channel.type === ChannelType.PrivateThread ? { invitable: thread.invitable } : {}),
    },
    ...(parent !== null && isForum(parent) ? { applied_tags: thread.tags } : {}),
    ...(own ? { member: threadMember(world, channel.id, world.app.id) } : {}),
  };
};

export const threadMember = (world: World, thread: string, user: string): Json => ({
  id: thread,
  user_id: user,
  join_timestamp: iso(world.clock.now()),
  flags: 0,
});

const SECRET = 'links of the stand-in';
export const signatureOf = (path: string, expires: string): string =>
  createHmac('sha256', SECRET).update(`${path}?${expires}`).digest('hex');

/** A signed link to a file, good for some hours. Reading the message again gives a new one. */
export const linkTo = (world: World, attachment: Attachment): string => {
  const folder = attachment.ephemeral ? 'ephemeral-attachments' : 'attachments';
  const path = `/${folder}/${attachment.channel}/${attachment.id}/${encodeURIComponent(attachment.filename)}`;
  const now = world.clock.now();
  const expires = Math.floor((now + world.settings.linkMs) / 1000).toString(16);
  return `${world.baseUrl}${path}?ex=${expires}&is=${Math.floor(now / 1000).toString(16)}&hm=${signatureOf(path, expires)}&`;
};

export const attachmentShape = (world: World, attachment: Attachment): Json => {
  const size = pictureSize(attachment.bytes);
  const url = linkTo(world, attachment);
  return {
    id: attachment.id,
    filename: attachment.filename,
    size: attachment.toldSize,
    url,
    proxy_url: url,
    content_type: attachment.contentType,
    content_scan_version: 0,
    ...(attachment.description === null ? {} : { description: attachment.description }),
    ...(attachment.ephemeral ? { ephemeral: true } : {}),
    ...(size === null ? {} : { ...size, placeholder_version: 1 }),
    ...(attachment.spoiler ? { is_spoiler: true, flags: 8 } : {}),
  };
};

const authorShape = (world: World, message: Message): Json => {
  if (message.webhook !== null && message.webhook !== world.app.id)
    return {
      id: message.webhook,
      username: message.webhookName ?? 'Webhook',
      avatar: null,
      discriminator: '0000',
      global_name: null,
      bot: true,
      public_flags: 0,
    };
  return userShape(userOf(world, message.author));
};

/** The whole message, with nothing left out. `depth` ends the chain of replies. */
export const messageShape = (world: World, message: Message, depth = 1): Json => {
  const { reference } = message;
  const referenced = reference?.type === 0 && depth > 0 ? messageAt(world, reference.channel, reference.message) : null;
  const interaction = message.interaction === null ? undefined : world.interactions.get(message.interaction);
  const thread = message.id === message.channel ? null : channelAt(world, message.id);
  return {
    id: message.id,
    channel_id: message.channel,
    type: message.type,
    content: message.content,
    author: authorShape(world, message),
    timestamp: iso(message.at),
    edited_timestamp: message.editedAt === null ? null : iso(message.editedAt),
    tts: false,
    mention_everyone: message.mentions.everyone,
    mentions: message.mentions.users.map((id) => userShape(userOf(world, id))),
    mention_roles: message.mentions.roles,
    attachments: message.attachments.map((one) => attachmentShape(world, one)),
    embeds: (message.flags & 4) === 0 ? message.embeds : [],
    components: message.components,
    pinned: message.pinned,
    flags: message.flags,
    ...(message.nonce === null ? {} : { nonce: message.nonce }),
    ...(message.reactions.size === 0
      ? {}
      : {
          reactions: [...message.reactions].map(([name, users]) => ({
            count: users.size,
            count_details: { burst: 0, normal: users.size },
            me: users.has(world.app.id),
            me_burst: false,
            burst_colors: [],
            emoji: { id: null, name },
          })),
        }),
    ...(message.webhook === null ? {} : { webhook_id: message.webhook }),
    ...(message.webhook === world.app.id || message.interaction !== null ? { application_id: world.app.id } : {}),
    ...(reference === null
      ? {}
      : {
          message_reference: {
            type: reference.type,
            ...(reference.message === '' ? {} : { message_id: reference.message }),
            channel_id: reference.channel,
            ...(reference.guild === null ? {} : { guild_id: reference.guild }),
          },
        }),
    ...(reference?.type === 0 && reference.message !== '' && depth > 0
      ? { referenced_message: referenced === null ? null : messageShape(world, referenced, depth - 1) }
      : {}),
    ...(message.snapshots.length === 0 ? {} : { message_snapshots: message.snapshots.map((one) => ({ message: one })) }),
    ...(message.stickers.length === 0 ? {} : { sticker_items: message.stickers }),
    ...(message.poll === null ? {} : { poll: message.poll }),
    ...(thread?.thread === null || thread === null ? {} : { thread: channelShape(world, thread) }),
    ...(interaction === undefined
      ? {}
      : {
          interaction_metadata: {
            id: interaction.id,
            type: interaction.type,
            user: userShape(userOf(world, interaction.user)),
            authorizing_integration_owners: interaction.payload['authorizing_integration_owners'],
          },
        }),
  };
};

export const guildShape = (world: World, guild: Guild): Json => ({
  id: guild.id,
  name: guild.name,
  icon: null,
  splash: null,
  discovery_splash: null,
  owner_id: guild.owner,
  afk_channel_id: null,
  afk_timeout: 300,
  verification_level: 0,
  default_message_notifications: 0,
  explicit_content_filter: 0,
  roles: [...guild.roles.values()].map(roleShape),
  emojis: [],
  features: [],
  mfa_level: 0,
  application_id: null,
  system_channel_id: null,
  system_channel_flags: 0,
  rules_channel_id: null,
  vanity_url_code: null,
  description: null,
  banner: null,
  premium_tier: 0,
  premium_subscription_count: 0,
  preferred_locale: 'en-US',
  public_updates_channel_id: null,
  nsfw_level: 0,
  stickers: [],
  premium_progress_bar_enabled: false,
  safety_alerts_channel_id: null,
});

/** GUILD_CREATE: the server with its channels, its active threads and, as in any small server, all that are online. */
export const guildCreate = (world: World, guild: Guild, withMembers: boolean): Json => {
  const channels = [...world.channels.values()].filter((one) => one.guild === guild.id && !one.deleted);
  const seen = (channel: Channel): boolean => permissionsIn(world, channel, world.app.id) !== 0n;
  const members = [...guild.members.values()].filter((one) => withMembers || one.user === world.app.id);
  return {
    ...guildShape(world, guild),
    joined_at: iso(guild.members.get(world.app.id)?.joinedAt ?? 0),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    voice_states: [],
    members: members.map((one) => ({ ...memberShape(one), user: userShape(userOf(world, one.user)) })),
    channels: channels.filter((one) => one.thread === null).map((one) => channelShape(world, one)),
    threads: channels.filter((one) => one.thread !== null && !one.thread.archived && seen(one)).map((one) => channelShape(world, one)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
};

/** The starter of a forum's post, or what the thread was opened from. */
export const starterOf = (world: World, channel: Channel): Message | null =>
  (channel.parent === null ? null : messageAt(world, channel.parent, channel.id)) ?? messagesIn(world, channel.id)[0] ?? null;
