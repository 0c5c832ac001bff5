/** Control: the places and people, permissions, and the application's settings. */
import { ChannelType } from '../numbers.ts';
import type { App, Guild, Overwrite, Role, User } from '../model.ts';
import { P } from '../permissions.ts';
import { addChannel, addGuild, addMember, addRole, addUser, invite } from '../places.ts';
import type { Parts } from '../request.ts';
import { newToken } from '../world.ts';
import type { Settings } from '../world.ts';
import { createFinding } from './finding.ts';

export type Credentials = {
  /** `DISCORD_API_URL`, and `rest.api` of discord.js. */
  readonly apiUrl: string;
  readonly pageUrl: string;
  readonly token: string;
  readonly applicationId: string;
  readonly publicKey: string;
  /** `DISCORD_CDN_HOSTS`. */
  readonly cdnHost: string;
};

export type PermissionName = keyof typeof P;
const bits = (names: readonly PermissionName[]): bigint => names.reduce((sum, name) => sum | P[name], 0n);
const KINDS = {
  text: ChannelType.GuildText,
  forum: ChannelType.GuildForum,
  media: ChannelType.GuildMedia,
  announcement: ChannelType.GuildAnnouncement,
  voice: ChannelType.GuildVoice,
  category: ChannelType.GuildCategory,
} as const;

export const arrangingOps = (parts: Parts) => {
  const { world, events } = parts;
  const find = createFinding(parts);

  return {
    credentials: (): Credentials => ({
      apiUrl: `${world.baseUrl}/api`,
      pageUrl: `${world.baseUrl}/`,
      token: world.app.token,
      applicationId: world.app.id,
      publicKey: world.app.publicKey,
      cdnHost: new URL(world.baseUrl).host,
    }),
    /** Switches of the developer portal: privileged intents, name. */
    app: (change: Partial<Pick<App, 'name' | 'messageContent' | 'guildMembers' | 'presence' | 'botPublic'>>): void =>
      void Object.assign(world.app, change),
    settings: (change: Partial<Settings>): void => void Object.assign(world.settings, change),
    /** Somebody resets the token: the old one is refused from now on. */
    resetToken: (): string => {
      world.app.token = newToken(world.app.id);
      return world.app.token;
    },
    person: ({
      name,
      ...given
    }: { readonly name: string; readonly guilds?: readonly string[]; readonly displayName?: string } & Partial<
      Pick<User, 'id' | 'bot' | 'system' | 'dmsClosed'>
    >): string => {
      const { guilds, displayName, ...rest } = given;
      const user = addUser(world, { id: world.newId(), username: name, globalName: displayName ?? null, ...rest });
      for (const guild of guilds ?? []) addMember(world, find.guild(guild), user.id);
      world.changed();
      return user.id;
    },
    changePerson: ({
      user,
      ...change
    }: {
      readonly user: string;
      readonly dmsClosed?: boolean;
      readonly name?: string;
      readonly displayName?: string;
      readonly nick?: string;
    }): void => {
      const found = find.user(user);
      found.dmsClosed = change.dmsClosed ?? found.dmsClosed;
      found.globalName = change.displayName ?? found.globalName;
      found.username = change.name ?? found.username;
      for (const guild of world.guilds.values()) {
        const member = guild.members.get(found.id);
        if (member !== undefined && change.nick !== undefined) member.nick = change.nick;
      }
      world.changed();
    },
    /** A server; the bot is in it unless `bot: false`. */
    guild: ({
      name,
      owner,
      members = [],
      bot = true,
      id = world.newId(),
    }: {
      readonly name: string;
      readonly owner: string;
      readonly members?: readonly string[];
      readonly bot?: boolean;
      readonly id?: string;
    }): string => {
      const guild = addGuild(world, { id, name, owner: find.user(owner).id, members: members.map((one) => find.user(one).id) });
      if (bot) {
        invite(world, guild);
        events.guildAppeared(guild);
      }
      world.changed();
      return guild.id;
    },
    /** An outage of a server (`unavailable`), its end (`back`), the bot thrown out (`left`) or asked in again (`joined`). */
    guildState: ({
      guild: given,
      state,
    }: {
      readonly guild?: string;
      readonly state: 'unavailable' | 'back' | 'left' | 'joined';
    }): void => {
      const guild = find.guild(given);
      if (state === 'unavailable' || state === 'back') {
        guild.unavailable = state === 'unavailable';
        if (guild.unavailable) events.guildGone(guild, true);
        else events.guildAppeared(guild);
      } else if (state === 'left') {
        events.guildGone(guild, false);
        guild.members.delete(world.app.id);
      } else {
        invite(world, guild);
        events.guildAppeared(guild);
      }
      world.changed();
    },
    changeGuild: ({
      guild,
      ...change
    }: { readonly guild?: string } & Partial<Pick<Guild, 'blockedPhrases' | 'fileBytes' | 'name'>>): void =>
      void Object.assign(find.guild(guild), change),
    member: ({
      guild,
      user,
      roles = [],
      gone = false,
    }: {
      readonly guild?: string;
      readonly user: string;
      readonly roles?: readonly string[];
      readonly gone?: boolean;
    }): void => {
      const where = find.guild(guild);
      if (gone) where.members.delete(find.user(user).id);
      else addMember(world, where, find.user(user).id, roles);
      world.changed();
    },
    /** A role, new or changed. `bot` names the bot's own role. */
    role: ({
      guild,
      name,
      permissions,
      mentionable,
    }: {
      readonly guild?: string;
      readonly name: string;
      readonly permissions?: readonly PermissionName[];
      readonly mentionable?: boolean;
    }): string => {
      const where = find.guild(guild);
      const there: Role | undefined = [...where.roles.values()].find((one) =>
        name === 'bot' ? one.botId === world.app.id : one.name === name,
      );
      const role = there ?? addRole(where, { id: world.newId(), name });
      role.permissions = permissions === undefined ? role.permissions : bits(permissions);
      role.mentionable = mentionable ?? role.mentionable;
      events.roleChanged(where, role.id, there === undefined ? 'GUILD_ROLE_CREATE' : 'GUILD_ROLE_UPDATE');
      world.changed();
      return role.id;
    },
    channel: ({
      guild,
      name,
      kind = 'text',
      topic,
      parent,
      slowmodeSeconds,
      tags = [],
      requireTag = false,
      hidden = false,
    }: {
      readonly guild?: string;
      readonly name: string;
      readonly kind?: keyof typeof KINDS;
      readonly topic?: string;
      readonly parent?: string;
      readonly slowmodeSeconds?: number;
      readonly tags?: readonly string[];
      readonly requireTag?: boolean;
      /** The bot cannot see it. */
      readonly hidden?: boolean;
    }): string => {
      const where = find.guild(guild);
      const overwrites: Overwrite[] = hidden ? [{ id: world.app.id, type: 1, allow: 0n, deny: P.ViewChannel }] : [];
      const channel = addChannel(world, {
        id: world.newId(),
        type: KINDS[kind],
        guild: where.id,
        name,
        topic: topic ?? null,
        parent: parent === undefined ? null : find.channel(parent).id,
        slowmodeSeconds: slowmodeSeconds ?? 0,
        tags: tags.map((tag) => ({ id: world.newId(), name: tag, moderated: false })),
        flags: requireTag ? 1 << 4 : 0,
        overwrites,
      });
      events.channelCreated(channel);
      world.changed();
      return channel.id;
    },
    changeChannel: ({
      channel,
      name,
      slowmodeSeconds,
    }: {
      readonly channel: string;
      readonly name?: string;
      readonly slowmodeSeconds?: number;
    }): void => {
      const found = find.channel(channel);
      found.name = name ?? found.name;
      found.slowmodeSeconds = slowmodeSeconds ?? found.slowmodeSeconds;
      events.channelUpdated(found);
      world.changed();
    },
    /** A group chat of people, without the bot. */
    groupChat: ({ name, members }: { readonly name: string; readonly members: readonly string[] }): string =>
      addChannel(world, {
        id: world.newId(),
        type: ChannelType.GroupDM,
        guild: null,
        name,
        recipients: members.map((one) => find.user(one).id),
      }).id,
    /** What somebody, a role, or the bot (`user: 'hektor'`) may and may not do in a channel beside what their roles say. */
    permit: ({
      channel,
      user,
      role,
      allow = [],
      deny = [],
    }: {
      readonly channel: string;
      readonly user?: string;
      readonly role?: string;
      readonly allow?: readonly PermissionName[];
      readonly deny?: readonly PermissionName[];
    }): void => {
      const where = find.channel(channel);
      const id = user === undefined ? (role ?? where.guild ?? '') : find.user(user).id;
      where.overwrites = where.overwrites.filter((one) => one.id !== id);
      where.overwrites.push({ id, type: user === undefined ? 0 : 1, allow: bits(allow), deny: bits(deny) });
      events.channelUpdated(where);
      world.changed();
    },
    webhook: ({
      channel,
      name,
      creator,
    }: {
      readonly channel: string;
      readonly name: string;
      readonly creator: string;
    }): { readonly id: string; readonly url: string } => {
      const hook = { id: world.newId(), token: newToken(name), channel: find.channel(channel).id, name, creator: find.user(creator).id };
      world.webhooks.set(hook.id, hook);
      return { id: hook.id, url: `${world.baseUrl}/api/webhooks/${hook.id}/${hook.token}` };
    },
    /** A person installs the application for themselves, or takes it away. */
    userInstall: ({ user, remove = false }: { readonly user: string; readonly remove?: boolean }): void => {
      if (remove) world.app.installedBy.delete(find.user(user).id);
      else world.app.installedBy.add(find.user(user).id);
    },
  };
};
