/** An in-tray, notes, secrets and shared facts in this process's memory, for tests of adapters; each keeps the contract of its port. */
import { failure, mayRetry } from '../../src/core/failure.ts';
import type { Failure } from '../../src/core/failure.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Result } from '../../src/core/result.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import { createMetrics } from '../../src/infra/telemetry/metrics.ts';
import type { InboundDeps, OutboundDeps } from '../../src/ports/adapter.ts';
import type { Inbox, InboxItem } from '../../src/ports/inbox.ts';
import type { Notes } from '../../src/ports/notes.ts';
import type { Secrets } from '../../src/ports/secrets.ts';
import type { SharedFacts } from '../../src/ports/shared-facts.ts';
import { createMemoryEventStream } from './memory-event-stream.ts';
import { createTestLog } from './test-log.ts';

const done = (): Promise<Result<void, Failure>> => Promise.resolve(ok(undefined));

export const createMemoryNotes = (): Notes => {
  const notes = new Map<string, string>();
  const key = (conversation: string, name: string): string => JSON.stringify([conversation, name]);
  return {
    get: async (conversation, name) => ok(notes.get(key(conversation, name)) ?? null),
    set: (conversation, name, value) => (notes.set(key(conversation, name), value), done()),
    claim: async (conversation, name, value) => {
      const known = notes.get(key(conversation, name)) ?? value;
      notes.set(key(conversation, name), known);
      return ok(known);
    },
    remove: (conversation, name) => (notes.delete(key(conversation, name)), done()),
  };
};

export const createMemorySharedFacts = (): SharedFacts => {
  const facts = new Map<string, { value: string; until: number }>();
  const live = (name: string): string | null => {
    const fact = facts.get(name);
    return fact !== undefined && fact.until > Date.now() ? fact.value : null;
  };
  const put = (name: string, value: string, ttlMs: number | null): void =>
    void facts.set(name, { value, until: ttlMs === null ? Infinity : Date.now() + ttlMs });
  return {
    get: async (name) => ok(live(name)),
    set: (name, value, ttlMs) => (put(name, value, ttlMs), done()),
    claim: async (name, value, ttlMs) => {
      const known = live(name);
      if (known === null) put(name, value, ttlMs);
      return ok(known ?? value);
    },
    remove: (name) => (facts.delete(name), done()),
  };
};

/** Takes up to `waitMs` for a lock, where the real one takes half a minute. */
export const createMemorySecrets = (waitMs = 30_000): Secrets => {
  const secrets = new Map<string, string>();
  const locks = new Set<string>();
  return {
    get: async (name) => ok(secrets.get(name) ?? null),
    put: (name, value) => (secrets.set(name, value), done()),
    remove: (name) => (secrets.delete(name), done()),
    list: async (prefix) => ok([...secrets.keys()].filter((name) => name.startsWith(prefix)).toSorted()),
    withLock: async (name, work) => {
      const end = Date.now() + waitMs;
      while (locks.has(name)) {
        if (Date.now() > end) return err(failure('store-busy', {}, name));
        await systemClock.sleep(5);
      }
      locks.add(name);
      try {
        return ok(await work());
      } finally {
        locks.delete(name);
      }
    },
  };
};

export type MemoryInbox = Inbox & {
  /** Payloads that are in: waiting, or being handled. */
  readonly waiting: () => readonly string[];
  /** Payloads that were given up. */
  readonly dead: () => readonly string[];
  /** From now on `put` fails, or works again: Redis is away. */
  readonly setReachable: (reachable: boolean) => void;
};

/** `pausesMs`: how long a payload whose handling failed waits, by attempt. Short ones, so that tests need not wait. */
export const createMemoryInbox = (pausesMs: readonly number[] = [5, 5, 5, 5]): MemoryInbox => {
  const seen = new Set<string>();
  const lanes = new Map<string, InboxItem[]>();
  const dead: string[] = [];
  const held = new Set<string>();
  const openings = new Set<() => void>();
  let reachable = true;
  const finish = (lane: string): void => {
    lanes.get(lane)?.shift();
    if (lanes.get(lane)?.length === 0) lanes.delete(lane);
  };
  return {
    waiting: () => [...lanes.values()].flat().map(({ payload }) => payload),
    dead: () => dead,
    setReachable: (value) => {
      reachable = value;
    },
    put: async (item) => {
      if (!reachable) return err(failure('store-unreachable', {}, 'set so by the test'));
      if (seen.has(item.id)) return ok('duplicate');
      seen.add(item.id);
      lanes.set(item.lane, [...(lanes.get(item.lane) ?? []), item]);
      for (const look of openings) look();
      return ok('new');
    },
    open: (handle) => {
      const running = new Set<Promise<void>>();
      const leaving = new AbortController();
      const attempt = async (payload: string): Promise<Result<void, Failure>> => {
        try {
          return await handle(payload);
        } catch (cause) {
          return err(failure('interrupted', {}, 'the handler threw', cause));
        }
      };
      const workOff = async (lane: string): Promise<void> => {
        for (let item = lanes.get(lane)?.[0], tries = 1; item !== undefined && !leaving.signal.aborted;) {
          const handled = await attempt(item.payload);
          if (handled.ok || !mayRetry(handled.failure) || tries >= 5) {
            if (!handled.ok) dead.push(item.payload);
            finish(lane);
            item = lanes.get(lane)?.[0];
            tries = 1;
          } else {
            await systemClock.sleep(pausesMs[tries - 1] ?? 5, leaving.signal);
            if (handled.failure.code !== 'store-unreachable') tries += 1;
          }
        }
      };
      const look = (): void => {
        for (const lane of lanes.keys()) {
          if (leaving.signal.aborted || held.has(lane) || running.size >= 16) continue;
          held.add(lane);
          const work = workOff(lane).finally(() => {
            held.delete(lane);
            running.delete(work);
            for (const other of openings) other();
          });
          running.add(work);
        }
      };
      openings.add(look);
      look();
      return {
        [Symbol.asyncDispose]: async () => {
          openings.delete(look);
          leaving.abort();
          await Promise.race([Promise.allSettled(running), systemClock.sleep(10_000)]);
        },
      };
    },
  };
};

/** What both halves of an adapter get, in memory; a test adds the gateway and puts in what it is about. */
export const createMemoryDeps = () => {
  const { log, lines } = createTestLog();
  const inbox = createMemoryInbox();
  const shared = createMemorySharedFacts();
  const common = {
    events: createMemoryEventStream(),
    log,
    clock: systemClock,
    metrics: createMetrics(),
    notes: createMemoryNotes(),
    secrets: createMemorySecrets(),
    shared,
  };
  const inbound: Omit<InboundDeps, 'gateway'> & { readonly inbox: MemoryInbox } = { ...common, inbox, leave: () => undefined };
  const outbound: OutboundDeps = { ...common, blob: async () => ok(null) };
  return { inbound, outbound, lines };
};
