/** Making people, servers, channels and roles, and those that are there from the start. */
import { ChannelType } from './numbers.ts';
import type { Channel, Guild, Overwrite, Role, User } from './model.ts';
import { EVERYONE, INVITED } from './permissions.ts';
import { BOT } from './world.ts';
import type { World } from './world.ts';

export const addUser = (world: World, given: Pick<User, 'id' | 'username'> & Partial<User>): User => {
  const user: User = { globalName: null, bot: false, system: false, dmsClosed: false, ...given };
  world.users.set(user.id, user);
  return user;
};

export const addRole = (guild: Guild, given: Pick<Role, 'id' | 'name'> & Partial<Role>): Role => {
  const role: Role = { permissions: 0n, position: guild.roles.size, mentionable: false, botId: null, ...given };
  guild.roles.set(role.id, role);
  return role;
};

export const addMember = (world: World, guild: Guild, user: string, roles: readonly string[] = []): void =>
  void guild.members.set(user, { user, roles: [...roles], nick: null, joinedAt: world.clock.now() });

/** A server with its owner; the bot comes in by `invite`. */
export const addGuild = (
  world: World,
  given: { readonly id: string; readonly name: string; readonly owner: string; readonly members?: readonly string[] },
): Guild => {
  const guild: Guild = {
    id: given.id,
    name: given.name,
    owner: given.owner,
    roles: new Map(),
    members: new Map(),
    unavailable: false,
    blockedPhrases: [],
    fileBytes: 10 * 1024 * 1024,
  };
  addRole(guild, { id: guild.id, name: '@everyone', permissions: EVERYONE });
  for (const user of [given.owner, ...(given.members ?? [])]) addMember(world, guild, user);
  world.guilds.set(guild.id, guild);
  return guild;
};

/** The bot joins with the role of its own that Discord makes for it. */
export const invite = (world: World, guild: Guild, permissions: bigint = INVITED, role: string = world.newId()): void => {
  addRole(guild, { id: role, name: world.app.name, permissions, botId: world.app.id });
  addMember(world, guild, world.app.id, [role]);
};

export type NewChannel = Pick<Channel, 'id' | 'type' | 'guild' | 'name'> &
  Partial<Pick<Channel, 'topic' | 'parent' | 'slowmodeSeconds' | 'tags' | 'flags' | 'recipients'>> & { readonly overwrites?: Overwrite[] };

export const addChannel = (world: World, given: NewChannel): Channel => {
  const channel: Channel = {
    topic: null,
    parent: null,
    position: world.channels.size,
    overwrites: [],
    slowmodeSeconds: 0,
    lastMessage: null,
    recipients: [],
    thread: null,
    tags: [],
    flags: 0,
    deleted: false,
    ...given,
  };
  world.channels.set(channel.id, channel);
  return channel;
};

/** The direct messages between the bot and a person; opened where there are none. */
export const directChannel = (world: World, user: string): Channel =>
  [...world.channels.values()].find(
    (one) => one.type === ChannelType.DM && one.recipients.includes(user) && one.recipients.includes(world.app.id),
  ) ?? addChannel(world, { id: world.newId(), type: ChannelType.DM, guild: null, name: '', recipients: [user, world.app.id] });

/** Ids of what is there from the start. */
export const ids = {
  guild: '1100000000000000001',
  botRole: '1100000000000000009',
  general: '1200000000000000001',
  random: '1200000000000000002',
  help: '1200000000000000003',
  alice: '1300000000000000001',
  bob: '1300000000000000002',
  carol: '1300000000000000003',
  otherBot: '1300000000000000004',
} as const;

export const furnish = (world: World): void => {
  addUser(world, { id: BOT, username: 'Hektor', bot: true });
  addUser(world, { id: ids.alice, username: 'alice', globalName: 'Alice' });
  addUser(world, { id: ids.bob, username: 'bob', globalName: 'Bob' });
  addUser(world, { id: ids.carol, username: 'carol', globalName: 'Carol' });
  addUser(world, { id: ids.otherBot, username: 'otherbot', bot: true });
  const guild = addGuild(world, { id: ids.guild, name: 'Lab', owner: ids.carol, members: [ids.alice, ids.bob, ids.otherBot] });
  invite(world, guild, INVITED, ids.botRole);
  addChannel(world, { id: ids.general, type: ChannelType.GuildText, guild: guild.id, name: 'general' });
  addChannel(world, { id: ids.random, type: ChannelType.GuildText, guild: guild.id, name: 'random' });
  addChannel(world, { id: ids.help, type: ChannelType.GuildForum, guild: guild.id, name: 'help' });
};
