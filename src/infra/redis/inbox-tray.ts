/** The in-tray of one adapter in Redis, one exchange a function; what is done between them is inbox.ts. */
import { z } from 'zod';
import type { Failure } from '../../core/failure.ts';
import { ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { InboxItem } from '../../ports/inbox.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { inboxKeys } from './keys.ts';
import { finishScript, putScript, renewScript, requeueScript, takeScript } from './scripts/inbox.ts';
import { runScript } from './scripts/script.ts';
import type { TextSeal } from './seal.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DEAD_KEPT = 1_000;

/** An item that this process holds, and with it its lane. `payload` null: it cannot be read (another key sealed it). */
export type Taken = {
  readonly lane: string;
  readonly token: string;
  readonly place: string;
  readonly id: string;
  readonly payload: string | null;
  /** As it is stored, for the record of the dead. */
  readonly stored: string;
  /** Attempts that failed before this one. */
  readonly failed: number;
  /** How often it was taken since the last of them, this time included: more than once where a holder died. */
  readonly takes: number;
};
export type Outcome = { readonly end: 'done' } | { readonly end: 'again'; readonly pauseMs: number; readonly failed: number } | Dead;
type Dead = { readonly end: 'dead'; readonly reason: string; readonly detail: string };

const storedItem = z.object({ id: z.string(), text: z.string() });
const takeReply = z.tuple([z.number(), z.array(z.tuple([z.string(), z.string(), z.coerce.number(), z.coerce.number(), z.string()]))]);
const deadRecord = z.object({ lane: z.string(), item: z.string(), reason: z.string() });

/** The JSON in a text, by this schema; undefined where it is something else. */
const decode = <T extends z.ZodType>(schema: T, text: string): z.infer<T> | undefined => {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/* In a place a space ends the lane, so none may be in it; half a surrogate pair cannot be encoded. */
const laneName = (lane: string): string => encodeURIComponent(lane.toWellFormed());

export const putItem = async (
  client: RedisClient,
  adapter: string,
  seal: TextSeal,
  { id, lane, payload }: InboxItem,
): Promise<Result<'new' | 'duplicate', Failure>> => {
  const keys = inboxKeys(adapter);
  const item = JSON.stringify({ id, text: seal.close(adapter, id, payload) });
  const reply = await attempt(() =>
    runScript(client, putScript, [keys.seen, keys.serials, keys.queue, keys.items, keys.lanes], [id, laneName(lane), item, DAY_MS]),
  );
  return reply.ok ? ok(reply.value === 'new' ? 'new' : 'duplicate') : reply;
};

/** What was taken, and the milliseconds until there may be more: null where no lane waits. */
export const takeItems = async (
  client: RedisClient,
  adapter: string,
  seal: TextSeal,
  lease: { readonly token: string; readonly ms: number },
  most: number,
): Promise<Result<{ readonly taken: readonly Taken[]; readonly nextMs: number | null }, Failure>> => {
  const keys = inboxKeys(adapter);
  const reply = await attempt(async () =>
    takeReply.parse(
      await runScript(client, takeScript, [keys.lanes, keys.owners, keys.queue, keys.items, keys.tries], [lease.token, lease.ms, most]),
    ),
  );
  if (!reply.ok) return reply;
  const [nextMs, items] = reply.value;
  const taken = items.map(([lane, place, failed, takes, stored]): Taken => {
    const item = decode(storedItem, stored);
    const payload = item === undefined ? null : seal.open(adapter, item.id, item.text);
    return { lane, token: lease.token, place, id: item?.id ?? '', payload, stored, failed, takes };
  });
  return ok({ taken, nextMs: nextMs < 0 ? null : nextMs });
};

export const renewLanes = async (
  client: RedisClient,
  adapter: string,
  held: ReadonlyMap<string, string>,
  leaseMs: number,
): Promise<Result<unknown, Failure>> => {
  const keys = inboxKeys(adapter);
  return attempt(() => runScript(client, renewScript, [keys.lanes, keys.owners], [leaseMs, ...[...held].flat()]));
};

/** False: somebody else holds the lane by now. */
export const finishItem = async (
  client: RedisClient,
  adapter: string,
  taken: Taken,
  outcome: Outcome,
): Promise<Result<boolean, Failure>> => {
  const keys = inboxKeys(adapter);
  const { lane, token, place } = taken;
  const [pauseMs, failed] = outcome.end === 'again' ? [outcome.pauseMs, outcome.failed] : [0, 0];
  const dead = outcome.end === 'dead' ? JSON.stringify({ lane, item: taken.stored, reason: outcome.reason }) : '';
  const reply = await attempt(() =>
    runScript(
      client,
      finishScript,
      [keys.lanes, keys.owners, keys.queue, keys.items, keys.tries, keys.dead],
      [lane, token, place, outcome.end, pauseMs, failed, dead, DEAD_KEPT],
    ),
  );
  return reply.ok ? ok(reply.value === 'done') : reply;
};

/** For an operator: how many items wait, how many were given up, and why the newest of them was. */
export type InboxReport = { readonly waiting: number; readonly dead: number; readonly reason: string | null };

export const inspectInbox = (client: RedisClient, adapter: string): Promise<Result<InboxReport, Failure>> =>
  attempt(async () => {
    const keys = inboxKeys(adapter);
    const [waiting, dead, newest] = [await client.zcard(keys.queue), await client.llen(keys.dead), await client.lindex(keys.dead, 0)];
    return { waiting, dead, reason: newest === null ? null : (decode(deadRecord, newest)?.reason ?? null) };
  });

/** Puts what was given up back at the ends of its lanes, oldest first; resolves with how many. */
export const requeueDead = (client: RedisClient, adapter: string): Promise<Result<number, Failure>> =>
  attempt(async () => {
    const keys = inboxKeys(adapter);
    let count = 0;
    for (const text of (await client.lrange(keys.dead, 0, -1)).toReversed()) {
      const dead = decode(deadRecord, text);
      if (dead === undefined) continue;
      const back = await runScript(
        client,
        requeueScript,
        [keys.serials, keys.queue, keys.items, keys.lanes, keys.dead],
        [text, dead.lane, dead.item],
      );
      count += Number(back);
    }
    return count;
  });
