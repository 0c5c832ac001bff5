/**
 * Direct messages have no threads, so their sessions are parted by time: after a day of silence, or when somebody asks for it, the next
 * message begins a new one (U044). Pure; the adapter keeps the record (one text for each direct channel) and makes addresses from it.
 */
import { z } from 'zod';

const recordSchema = z.object({ session: z.number().int().positive(), at: z.number() }).readonly();
/** Which session the direct channel is in, and when it last heard something. */
export type DirectSession = z.infer<typeof recordSchema>;

const SILENCE_MS = 24 * 3_600_000;

/** A record that cannot be read counts as none: the worst that follows is a new session. */
export const decodeDirectSession = (text: string | null): DirectSession | null => {
  if (text === null) return null;
  try {
    const read = recordSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};
export const encodeDirectSession = (session: DirectSession): string => JSON.stringify(session);

/** The session that a message at `now` belongs to; `fresh`: somebody asked for a new one. Late messages never lead back into an older one. */
export const directSession = (last: DirectSession | null, now: number, fresh: boolean): DirectSession => {
  if (last === null) return { session: 1, at: now };
  const ended = fresh || now - last.at >= SILENCE_MS;
  return { session: ended ? last.session + 1 : last.session, at: Math.max(now, last.at) };
};

/** The thread of a session's address. The first one is the channel's own, so that a record that was lost does no harm to a first session. */
export const directThread = (channel: string, { session }: DirectSession): string => (session === 1 ? channel : `${channel}:${session}`);
