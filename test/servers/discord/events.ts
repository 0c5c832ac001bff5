/** Tells the application, over the gateway, what has happened. */
import { MessageFlags } from './numbers.ts';
import { shapeFor } from './content-intent.ts';
import type { Gateway } from './gateway.ts';
import { Intent } from './intents.ts';
import type { Channel, Guild, Json, Message } from './model.ts';
import { may, P, permissionsIn } from './permissions.ts';
import { channelShape, guildCreate, memberShape, roleShape, threadMember, userShape } from './shapes.ts';
import { botIsIn, channelAt, userOf } from './world.ts';
import type { World } from './world.ts';

export type Events = ReturnType<typeof createEvents>;

export const createEvents = (world: World, gateway: Gateway) => {
  const visible = (channel: Channel): boolean => botIsIn(world, channel) && may(world, channel, world.app.id, P.ViewChannel);
  const tell = (event: string, guild: string | null, data: Json): void => gateway.tell({ event, guild, data: () => data });
  const within = (guild: string | null): Json => (guild === null ? {} : { guild_id: guild });

  /** MESSAGE_CREATE and MESSAGE_UPDATE carry more than the message itself: its server, and who its author is there. */
  const message = (event: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', one: Message): void => {
    const channel = channelAt(world, one.channel);
    if (channel === null || one.onlyFor !== null || !visible(channel)) return;
    const guild = one.guild === null ? undefined : world.guilds.get(one.guild);
    const member = one.webhook === null ? guild?.members.get(one.author) : undefined;
    const mentions = one.mentions.users.map((id) => {
      const mentioned = guild?.members.get(id);
      return { ...userShape(userOf(world, id)), ...(mentioned === undefined ? {} : { member: memberShape(mentioned) }) };
    });
    gateway.tell({
      event,
      guild: one.guild,
      data: ({ intents }) => ({
        ...shapeFor(world, one, (intents & Intent.MessageContent) !== 0),
        mentions,
        channel_type: channel.type,
        ...within(one.guild),
        ...(member === undefined ? {} : { member: memberShape(member) }),
      }),
    });
  };
  const channel = (event: 'CHANNEL_CREATE' | 'CHANNEL_UPDATE' | 'CHANNEL_DELETE', one: Channel): void => {
    if (one.guild !== null && botIsIn(world, one)) tell(event, one.guild, channelShape(world, one));
  };
  return {
    tell,
    messageCreated: (one: Message): void => message('MESSAGE_CREATE', one),
    messageUpdated: (one: Message): void => message('MESSAGE_UPDATE', one),
    messagesDeleted: (where: Channel, ids: readonly string[]): void => {
      if (!visible(where)) return;
      if (ids.length === 1) tell('MESSAGE_DELETE', where.guild, { id: ids[0], channel_id: where.id, ...within(where.guild) });
      else tell('MESSAGE_DELETE_BULK', where.guild, { ids, channel_id: where.id, ...within(where.guild) });
    },
    reacted: (one: Message, user: string, name: string, added: boolean): void => {
      const where = channelAt(world, one.channel);
      if (where === null || !visible(where)) return;
      const guild = one.guild === null ? undefined : world.guilds.get(one.guild);
      const member = guild?.members.get(user);
      tell(added ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE', one.guild, {
        user_id: user,
        channel_id: one.channel,
        message_id: one.id,
        emoji: { id: null, name },
        burst: false,
        type: 0,
        ...within(one.guild),
        ...(added ? { message_author_id: one.author } : {}),
        ...(added && member !== undefined ? { member: { ...memberShape(member), user: userShape(userOf(world, user)) } } : {}),
      });
    },
    typing: (where: Channel, user: string): void => {
      if (!visible(where)) return;
      tell('TYPING_START', where.guild, {
        channel_id: where.id,
        user_id: user,
        timestamp: Math.floor(world.clock.now() / 1000),
        ...within(where.guild),
      });
    },
    channelCreated: (one: Channel): void => channel('CHANNEL_CREATE', one),
    channelUpdated: (one: Channel): void => channel('CHANNEL_UPDATE', one),
    channelDeleted: (one: Channel): void => channel('CHANNEL_DELETE', one),
    threadCreated: (one: Channel): void => {
      if (visible(one)) tell('THREAD_CREATE', one.guild, { ...channelShape(world, one), newly_created: true });
    },
    threadUpdated: (one: Channel): void => {
      if (visible(one)) tell('THREAD_UPDATE', one.guild, channelShape(world, one));
    },
    threadDeleted: (one: Channel): void => {
      if (permissionsIn(world, one, world.app.id) !== 0n)
        tell('THREAD_DELETE', one.guild, { id: one.id, guild_id: one.guild, parent_id: one.parent, type: one.type });
    },
    threadJoined: (one: Channel, user: string): void => {
      if (one.guild === null || !botIsIn(world, one)) return;
      tell('THREAD_MEMBERS_UPDATE', one.guild, {
        id: one.id,
        guild_id: one.guild,
        member_count: one.thread?.members.size ?? 0,
        added_members: [threadMember(world, one.id, user)],
      });
      // The bot was invited: only now does it learn that a private thread is there.
      if (user === world.app.id) tell('THREAD_CREATE', one.guild, channelShape(world, one));
    },
    guildAppeared: (guild: Guild): void =>
      gateway.tell({
        event: 'GUILD_CREATE',
        guild: guild.id,
        data: ({ intents }) => guildCreate(world, guild, (intents & Intent.GuildMembers) !== 0 || guild.members.size < 50),
      }),
    guildGone: (guild: Guild, unavailable: boolean): void =>
      tell('GUILD_DELETE', guild.id, { id: guild.id, ...(unavailable ? { unavailable: true } : {}) }),
    roleChanged: (guild: Guild, id: string, event: 'GUILD_ROLE_CREATE' | 'GUILD_ROLE_UPDATE'): void => {
      const role = guild.roles.get(id);
      if (role !== undefined) tell(event, guild.id, { guild_id: guild.id, role: roleShape(role) });
    },
    /** Whether the message's links are shown with a preview. */
    unfurls: (one: Message): boolean => (one.flags & MessageFlags.SuppressEmbeds) === 0 && /(^|[^<])https?:\/\//.test(one.content),
  };
};
