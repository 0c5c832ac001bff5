/**
 * What this process has heard of its servers: channels and threads, the names of roles, and which roles stand for the bot. Only what is needed to
 * tell where a message stands; members, messages and presences are not kept.
 */
import { z } from 'zod';
import type { Channel } from '../decode-schema.ts';
import { channelSchema } from '../decode-schema.ts';
import { directPlace, placeOf } from '../place.ts';
import type { Place } from '../place.ts';

const roleSchema = z.object({ id: z.string(), name: z.string().default(''), tags: z.object({ bot_id: z.string().optional() }).nullish() });
const guildSchema = z.object({
  id: z.string(),
  unavailable: z.boolean().default(false),
  channels: z.array(z.unknown()).default([]),
  threads: z.array(z.unknown()).default([]),
  roles: z.array(roleSchema).default([]),
});
const roleEventSchema = z.object({ guild_id: z.string(), role: roleSchema.optional(), role_id: z.string().optional() });
const threadsSchema = z.object({ guild_id: z.string(), threads: z.array(z.unknown()).default([]) });
const messageSchema = z.object({ channel_id: z.string(), guild_id: z.string().optional(), channel_type: z.number().optional() });

type Role = { readonly name: string; readonly mine: boolean };
type Guild = { readonly channels: Map<string, Channel>; readonly roles: Map<string, Role> };

export type Known = {
  /** Takes in what an event tells of servers, channels, threads and roles. `me` is the bot's own id. */
  readonly hear: (event: string, data: unknown, me: string) => void;
  readonly place: (data: unknown) => Place | null;
  /** The roles that Discord made for the bot in a server: people take them for it. */
  readonly myRoles: (guild: string | null) => readonly string[];
  readonly names: (
    guild: string | null,
    text: string,
  ) => { readonly channels: { [id: string]: string }; readonly roles: { [id: string]: string } };
  readonly guilds: () => readonly string[];
  /** Channels and threads of a server in which something was written last after a message of this id. */
  readonly writtenAfter: (guild: string, id: bigint) => readonly Channel[];
};

export const createKnown = (): Known => {
  const guilds = new Map<string, Guild>();
  const guildOf = (id: string): Guild => {
    const known = guilds.get(id) ?? { channels: new Map<string, Channel>(), roles: new Map<string, Role>() };
    guilds.set(id, known);
    return known;
  };
  const put = (guild: string, raw: unknown): void => {
    const channel = channelSchema.safeParse(raw).data;
    if (channel !== undefined) guildOf(guild).channels.set(channel.id, { ...channel, guild_id: guild });
  };
  const putRole = (guild: string, role: z.infer<typeof roleSchema>, me: string): void =>
    void guildOf(guild).roles.set(role.id, { name: role.name, mine: role.tags?.bot_id === me });
  const find = (guild: string, id: string | null | undefined): Channel | undefined =>
    id === null || id === undefined ? undefined : guilds.get(guild)?.channels.get(id);

  const hear: Known['hear'] = (event, data, me) => {
    switch (event) {
      case 'GUILD_CREATE': {
        const guild = guildSchema.safeParse(data).data;
        if (guild === undefined || guild.unavailable) return;
        guilds.delete(guild.id);
        for (const channel of [...guild.channels, ...guild.threads]) put(guild.id, channel);
        for (const role of guild.roles) putRole(guild.id, role, me);
        return;
      }
      case 'GUILD_DELETE': {
        const guild = guildSchema.safeParse(data).data;
        if (guild !== undefined) guilds.delete(guild.id);
        return;
      }
      case 'CHANNEL_CREATE':
      case 'CHANNEL_UPDATE':
      case 'THREAD_CREATE':
      case 'THREAD_UPDATE': {
        const guild = channelSchema.safeParse(data).data?.guild_id;
        if (guild !== undefined) put(guild, data);
        return;
      }
      case 'CHANNEL_DELETE':
      case 'THREAD_DELETE': {
        const channel = channelSchema.safeParse(data).data;
        if (channel?.guild_id !== undefined) guilds.get(channel.guild_id)?.channels.delete(channel.id);
        return;
      }
      case 'THREAD_LIST_SYNC': {
        const sync = threadsSchema.safeParse(data).data;
        for (const thread of sync?.threads ?? []) if (sync !== undefined) put(sync.guild_id, thread);
        return;
      }
      case 'GUILD_ROLE_CREATE':
      case 'GUILD_ROLE_UPDATE': {
        const told = roleEventSchema.safeParse(data).data;
        if (told?.role !== undefined) putRole(told.guild_id, told.role, me);
        return;
      }
      case 'GUILD_ROLE_DELETE': {
        const told = roleEventSchema.safeParse(data).data;
        if (told?.role_id !== undefined) guilds.get(told.guild_id)?.roles.delete(told.role_id);
        return;
      }
      default:
    }
  };
  return {
    hear,
    place: (data) => {
      const at = messageSchema.safeParse(data).data;
      if (at === undefined) return null;
      if (at.guild_id === undefined) return directPlace(at.channel_id);
      const channel = find(at.guild_id, at.channel_id);
      return channel === undefined ? null : placeOf(channel, at.guild_id, find(at.guild_id, channel.parent_id) ?? null);
    },
    myRoles: (guild) => (guild === null ? [] : [...(guilds.get(guild)?.roles ?? [])].flatMap(([id, role]) => (role.mine ? [id] : []))),
    names: (guild, text) => {
      const found = guild === null ? undefined : guilds.get(guild);
      const channels = [...text.matchAll(/<#(\d{5,25})>/g)].map(([, id = '']) => [id, found?.channels.get(id)?.name ?? ''] as const);
      const roles = [...text.matchAll(/<@&(\d{5,25})>/g)].map(([, id = '']) => [id, found?.roles.get(id)?.name ?? ''] as const);
      const named = (pairs: readonly (readonly [string, string])[]) => Object.fromEntries(pairs.filter(([, name]) => name !== ''));
      return { channels: named(channels), roles: named(roles) };
    },
    guilds: () => [...guilds.keys()],
    writtenAfter: (guild, id) =>
      [...(guilds.get(guild)?.channels.values() ?? [])].filter(
        ({ last_message_id: last }) => last !== null && last !== undefined && BigInt(last) > id,
      ),
  };
};
