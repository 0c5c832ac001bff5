/**
 * What lies in the in-tray: one event of the gateway, with what the process that heard it knew at the time. Any replica works it off, also one
 * that holds other shards and has never heard of that server. Pure.
 */
import { z } from 'zod';
import { placeSchema } from './place.ts';

const named = z.record(z.string(), z.string()).readonly().default({});

export const deliverySchema = z
  .object({
    /** The event's name as the gateway has it: `MESSAGE_CREATE`. */
    event: z.string(),
    data: z.unknown(),
    /** When it was heard; milliseconds. */
    at: z.number(),
    me: z.object({ id: z.string(), application: z.string(), roles: z.array(z.string()).readonly() }).readonly(),
    /** Null where the process did not know the channel. */
    place: placeSchema.nullable(),
    /** Names of the channels and roles that it mentions, as far as they were known. */
    channels: named,
    roles: named,
    /** For an interaction: that somebody was already answered, and how. */
    answered: z.enum(['public', 'private', 'update', 'modal', 'none']).default('none'),
  })
  .readonly();
export type Delivery = z.infer<typeof deliverySchema>;

/** The same for each copy of an event, however it comes: by the gateway, replayed, or read after a gap. Null: it is no event of the in-tray. */
export const deliveryId = (event: string, data: unknown, at: number): string | null => {
  const facts = idSchema.safeParse(data).data;
  if (facts === undefined) return null;
  switch (event) {
    case 'MESSAGE_CREATE':
      return facts.id ?? null;
    case 'MESSAGE_UPDATE':
      return facts.id === undefined || typeof facts.edited_timestamp !== 'string' ? null : `update:${facts.id}:${facts.edited_timestamp}`;
    case 'MESSAGE_DELETE':
      return facts.id === undefined ? null : `delete:${facts.id}`;
    case 'MESSAGE_DELETE_BULK':
      return facts.ids === undefined ? null : `deletes:${facts.ids[0] ?? ''}:${facts.ids.length}`;
    case 'THREAD_DELETE':
    case 'CHANNEL_DELETE':
      return facts.id === undefined ? null : `gone:${facts.id}`;
    case 'GUILD_DELETE':
      // A server that is only away is not gone. One that comes back may go again: the time is part of it.
      return facts.id === undefined || facts.unavailable === true ? null : `left:${facts.id}:${Math.floor(at / 600_000)}`;
    case 'INTERACTION_CREATE':
      return facts.id === undefined ? null : `interaction:${facts.id}`;
    default:
      return null;
  }
};

const idSchema = z.object({
  id: z.string().optional(),
  ids: z.array(z.string()).optional(),
  edited_timestamp: z.string().nullish(),
  unavailable: z.boolean().optional(),
});

/** What keeps its order: everything in one channel or thread. */
export const laneOf = (data: unknown): string => {
  const facts = laneSchema.safeParse(data).data;
  return facts?.channel_id ?? facts?.id ?? '-';
};
const laneSchema = z.object({ channel_id: z.string().optional(), id: z.string().optional() });
