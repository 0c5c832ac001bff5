/** Where something happens: channels, threads, forums and direct messages, as one small value. Pure. */
import { ChannelType } from 'discord.js';
import { z } from 'zod';
import type { Channel } from './decode-schema.ts';

/**
 * `id`: where it stands, a thread's own id in a thread. `parent`: the channel that a thread belongs to, null outside of threads.
 * `tags`: names of a forum post's tags.
 */
export const placeSchema = z
  .object({
    id: z.string(),
    guild: z.string().nullable(),
    parent: z.string().nullable(),
    kind: z.enum(['direct', 'channel', 'thread']),
    /** Threads can be opened on messages here. */
    threads: z.boolean(),
    name: z.string(),
    owner: z.string().nullable(),
    tags: z.array(z.string()).readonly(),
  })
  .readonly();
export type Place = z.infer<typeof placeSchema>;

const DIRECT: ReadonlySet<number> = new Set([ChannelType.DM, ChannelType.GroupDM]);
const THREADS: ReadonlySet<number> = new Set([ChannelType.AnnouncementThread, ChannelType.PublicThread, ChannelType.PrivateThread]);
const WITH_THREADS: ReadonlySet<number> = new Set([ChannelType.GuildText, ChannelType.GuildAnnouncement]);

/** Of a channel as Discord shows it; `guild` where the channel itself does not say, `parent` for the names of a forum's tags. */
export const placeOf = (channel: Channel, guild: string | null, parent: Channel | null): Place => ({
  id: channel.id,
  guild: channel.guild_id ?? guild,
  parent: THREADS.has(channel.type) ? (channel.parent_id ?? null) : null,
  kind: THREADS.has(channel.type) ? 'thread' : DIRECT.has(channel.type) || (channel.guild_id ?? guild) === null ? 'direct' : 'channel',
  threads: WITH_THREADS.has(channel.type),
  name: channel.name ?? '',
  owner: channel.owner_id ?? null,
  tags: channel.applied_tags.map((id) => parent?.available_tags.find((tag) => tag.id === id)?.name ?? id),
});

export const directPlace = (id: string): Place => ({
  id,
  guild: null,
  parent: null,
  kind: 'direct',
  threads: false,
  name: '',
  owner: null,
  tags: [],
});

/** Settings and rights go by the channel; a thread has those of its channel. */
export const channelOf = ({ id, parent }: Place): string => parent ?? id;
export const workspaceOf = ({ guild }: Pick<Place, 'guild'>): string => guild ?? 'dm';
