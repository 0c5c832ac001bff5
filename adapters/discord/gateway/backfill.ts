/**
 * What was written while nobody listened. A session that resumes is told everything; a fresh one nothing, so it is read from Discord: every channel
 * and thread of the shard's servers in which something was written since, and the direct channels that the bot has talked in. What is read goes
 * the way of all events, and the in-tray knows what it has seen, so that each message is answered once.
 *
 * Every shard notes every few seconds that it listens; after it that note says since when it did not.
 */
import type { Gateway } from '../../../src/ports/adapter.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { SharedFacts } from '../../../src/ports/shared-facts.ts';
import { addressOf } from '../../../src/core/ids.ts';
import { inboundLimits } from '../limits.ts';
import type { Calls } from '../rest/calls.ts';
import type { Shard } from './connection.ts';
import type { Front, Self } from './front.ts';
import type { Known } from './known.ts';

export type Backfill = AsyncDisposable & {
  /** A fresh session has begun; `guilds` will be told of next. */
  readonly begin: (shard: Shard, self: Self, guilds: readonly string[]) => void;
  readonly heard: (shard: Shard, event: string, data: unknown) => void;
  /** Notes, until disposed, which shards listen. */
  readonly keepTime: (listening: () => readonly Shard[]) => AsyncDisposable;
};

export type BackfillDeps = {
  readonly calls: Calls;
  readonly front: Front;
  readonly known: Known;
  readonly gateway: Pick<Gateway, 'recent'>;
  readonly shared: SharedFacts;
  readonly log: Log;
  readonly clock: Clock;
};

const NOTE_MS = 5_000;
/** Servers that are not told of by then are away. */
const GUILDS_MS = 10_000;
/** Clocks differ, and an event may have been on its way. */
const MARGIN_MS = 30_000;
/** What is older nobody waits for any more, and the in-tray does not remember it. */
const OLDEST_MS = 12 * 3_600_000;
const AT_ONCE = 4;

const factOf = ({ id, of }: Shard): string => `listening:${id}:${of}`;

export const createBackfill = (deps: BackfillDeps): Backfill => {
  const { shared, log, clock } = deps;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const awaited = new Map<number, { readonly guilds: Set<string>; readonly all: () => void }>();
  /** While a shard reads up, its note keeps the old time: should the process end now, the next one begins where this one did. */
  const reading = new Set<number>();

  const begin: Backfill['begin'] = (shard, self, guilds) => {
    reading.add(shard.id);
    const told = Promise.withResolvers<void>();
    awaited.set(shard.id, { guilds: new Set(guilds), all: told.resolve });
    if (guilds.length === 0) told.resolve();
    const work = (async (): Promise<void> => {
      const noted = await shared.get(factOf(shard));
      const since = noted.ok && noted.value !== null ? Number(noted.value) : null;
      // The very first time there is nothing to read up; from now on there is.
      if (since === null) await shared.set(factOf(shard), String(clock.now()), null);
      await Promise.race([told.promise, clock.sleep(GUILDS_MS, stopping.signal)]);
      awaited.delete(shard.id);
      if (since !== null) await readUp(deps, shard, self, guilds, since, stopping.signal);
    })()
      .catch((error: unknown) => log.error({ error: error instanceof Error ? error.stack : String(error) }, 'reading up failed'))
      .finally(() => {
        reading.delete(shard.id);
        running.delete(work);
      });
    running.add(work);
  };

  return {
    begin,
    heard: (shard, event, data) => {
      const waiting = awaited.get(shard.id);
      if (waiting === undefined || (event !== 'GUILD_CREATE' && event !== 'GUILD_DELETE')) return;
      if (typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'string') waiting.guilds.delete(data.id);
      if (waiting.guilds.size === 0) waiting.all();
    },
    keepTime: (listening) => {
      const note = async (): Promise<void> => {
        while (!stopping.signal.aborted) {
          for (const shard of listening()) if (!reading.has(shard.id)) await shared.set(factOf(shard), String(clock.now()), null);
          await clock.sleep(NOTE_MS, stopping.signal);
        }
      };
      const noting = note();
      return {
        [Symbol.asyncDispose]: async () => {
          stopping.abort();
          await noting;
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};

/** The id of a message that was written at this time. https://docs.discord.com/developers/reference#snowflakes */
const snowflakeAt = (at: number): bigint => BigInt(Math.max(0, Math.floor(at) - 1_420_070_400_000)) << 22n;

type Gap = { readonly channel: string; readonly guild: string | null; readonly last: bigint };

const readUp = async (
  deps: BackfillDeps,
  shard: Shard,
  self: Self,
  guilds: readonly string[],
  since: number,
  signal: AbortSignal,
): Promise<void> => {
  const { known, log, clock } = deps;
  const after = snowflakeAt(Math.max(since - MARGIN_MS, clock.now() - OLDEST_MS));
  const inGuilds = guilds.flatMap((guild) =>
    known.writtenAfter(guild, after).map(({ id, last_message_id: last }): Gap => ({ channel: id, guild, last: BigInt(last ?? 0) })),
  );
  // Direct messages all come to shard 0.
  const direct = shard.id === 0 ? await directGaps(deps) : [];
  const gaps = [...inGuilds.toSorted((a, b) => (a.last < b.last ? 1 : -1)).slice(0, inboundLimits.backfillChannels), ...direct];
  let found = 0;
  const queue = [...gaps];
  const worker = async (): Promise<void> => {
    for (let gap = queue.shift(); gap !== undefined && !signal.aborted; gap = queue.shift()) found += await readGap(deps, self, gap, after);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await deps.front.settled();
  log.info({ shard: shard.id, awayMs: clock.now() - since, channels: gaps.length, messages: found }, 'read up what was written meanwhile');
};

const directGaps = async ({ gateway }: BackfillDeps): Promise<readonly Gap[]> => {
  const recent = await gateway.recent('discord', 'dm', inboundLimits.backfillChannels);
  const channels = recent.ok ? recent.value.flatMap(({ conversation }) => addressOf(conversation)?.channel ?? []) : [];
  return [...new Set(channels)].filter((id) => /^\d+$/.test(id)).map((channel) => ({ channel, guild: null, last: 0n }));
};

/** Reads one channel, oldest message first. A channel that cannot be read is left: there is nothing to be had in it. */
const readGap = async ({ calls, front, log }: BackfillDeps, self: Self, { channel, guild }: Gap, after: bigint): Promise<number> => {
  const page = await calls.messages(channel, { after: String(after), limit: inboundLimits.backfillMessages }, { patienceMs: 60_000 });
  if (!page.ok) {
    log.info({ detail: page.failure.detail }, 'a channel could not be read up');
    return 0;
  }
  // A message that is read does not say which server it stands in.
  for (const message of page.value.toReversed()) {
    if (typeof message === 'object' && message !== null)
      front.take('MESSAGE_CREATE', guild === null ? message : { ...message, guild_id: guild }, self);
  }
  return page.value.length;
};
