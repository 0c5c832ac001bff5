import { failure, forOperator, mayRetry } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import { err } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox } from '../../ports/inbox.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { describe } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { finishItem, putItem, renewLanes, takeItems } from './inbox-tray.ts';
import type { Outcome, Taken } from './inbox-tray.ts';
import { inboxKeys } from './keys.ts';
import { createLatch } from './latch.ts';
import type { TextSeal } from './seal.ts';
import type { Subscriber } from './subscriber.ts';

const LANES = 16;
const ATTEMPTS = 5;
/** Longest pause of a lane, by failed attempts. */
const PAUSES_MS = [1_000, 5_000, 30_000, 120_000];
/** An item that was taken so often without any outcome kills whoever takes it. */
const TAKES = 20;
const LEASE_MS = 15_000;
/** A nudge may get lost; then an item waits this long. */
const LOOK_AGAIN_MS = 5_000;
const LEAVE_MS = 10_000;

export type InboxDeps = {
  readonly adapter: string;
  /** Of purpose `ingest`: `put` fails at once while Redis is away. */
  readonly client: RedisClient;
  /** Of purpose `work`: what is taken and given back waits for Redis. */
  readonly work: RedisClient;
  readonly subscriber: Subscriber;
  readonly seal: TextSeal;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly leaseMs?: number;
  readonly pausesMs?: readonly number[];
};

/** An in-tray in Redis. How lanes are held: scripts/inbox.ts. */
export const createInbox = (deps: InboxDeps): Inbox => ({
  put: async (item) => {
    const put = await putItem(deps.client, deps.adapter, deps.seal, item);
    count(deps, put.ok ? put.value : 'refused');
    return put;
  },
  open: (handle) => openInbox(deps, handle),
});

type Handle = (payload: string) => Promise<Result<void, Failure>>;

const openInbox = (deps: InboxDeps, handle: Handle): AsyncDisposable => {
  const { adapter, work, clock, seal, log, leaseMs = LEASE_MS } = deps;
  const leaving = new AbortController();
  const gone = new AbortController();
  const latch = createLatch();
  /** Lane -> token. */
  const held = new Map<string, string>();
  const running = new Set<Promise<void>>();

  const handleTaken = async (taken: Taken): Promise<void> => {
    const outcome = await outcomeOf(deps, handle, taken);
    // Only once Redis has heard of it is the item off the tray; while it has not, the lease is renewed, and nobody else takes the lane.
    while (!gone.signal.aborted) {
      const finished = await finishItem(work, adapter, taken, outcome);
      if (finished.ok) {
        if (finished.value) tell(deps, taken, outcome);
        return;
      }
      await clock.sleep(1_000, gone.signal);
    }
  };
  const start = (taken: Taken): void => {
    held.set(taken.lane, taken.token);
    const handling = handleTaken(taken).finally(() => {
      // The lane may be held again already, under another token, where the lease of this one had been lost.
      if (held.get(taken.lane) === taken.token) held.delete(taken.lane);
      running.delete(handling);
      latch.open();
    });
    running.add(handling);
  };
  const nudges = () => deps.subscriber.listen(inboxKeys(adapter).lanes, { onMessage: latch.open, onGap: latch.open });
  const takeOn = async (): Promise<void> => {
    let listening = await nudges();
    while (!leaving.signal.aborted) {
      latch.close();
      if (!listening.ok) listening = await nudges();
      const free = LANES - running.size;
      const reply = free < 1 ? undefined : await takeItems(work, adapter, seal, { token: clock.newId(), ms: leaseMs }, free);
      if (reply?.ok === false) {
        log.debug({ adapter, detail: reply.failure.detail }, 'the in-tray cannot be looked into now');
        await clock.sleep(1_000, leaving.signal);
        continue;
      }
      for (const taken of reply?.value.taken ?? []) start(taken);
      // A full batch may have left more behind.
      if (reply?.value.taken.length === free) continue;
      await latch.wait(Math.min(reply?.value.nextMs ?? LOOK_AGAIN_MS, LOOK_AGAIN_MS), leaving.signal);
    }
    if (listening.ok) await listening.value[Symbol.asyncDispose]();
  };
  const renewOn = async (): Promise<void> => {
    while (!gone.signal.aborted) {
      await clock.sleep(leaseMs / 3, gone.signal);
      if (held.size > 0 && !gone.signal.aborted) await renewLanes(work, adapter, held, leaseMs);
    }
  };
  const taking = takeOn();
  const renewing = renewOn();
  return {
    [Symbol.asyncDispose]: async () => {
      leaving.abort();
      latch.open();
      await taking;
      const enough = new AbortController();
      await Promise.race([Promise.allSettled(running), clock.sleep(LEAVE_MS, enough.signal)]);
      enough.abort();
      gone.abort();
      await renewing;
    },
  };
};

/** Hands the item over, and decides what becomes of it. Never rejects. */
const outcomeOf = async (deps: InboxDeps, handle: Handle, taken: Taken): Promise<Outcome> => {
  if (taken.payload === null)
    return { end: 'dead', reason: 'unreadable', detail: 'not an item, or sealed with another HEKTOR_ENCRYPTION_KEY' };
  if (taken.takes > TAKES) return { end: 'dead', reason: 'never-finished', detail: `taken ${TAKES} times, and whoever took it died` };
  const handled = await guarded(handle, taken.payload);
  if (handled.ok) return { end: 'done' };
  const { code, detail } = handled.failure;
  const failed = code === 'store-unreachable' ? taken.failed : taken.failed + 1;
  if (!mayRetry(handled.failure) || failed >= ATTEMPTS) return { end: 'dead', reason: code, detail };
  deps.log.warn(
    { adapter: deps.adapter, item: taken.id, code, detail },
    `a delivery is handled again later: ${forOperator(handled.failure)}`,
  );
  const pauses = deps.pausesMs ?? PAUSES_MS;
  return { end: 'again', pauseMs: pauses[Math.max(0, failed - 1)] ?? 0, failed };
};

/** A handler that throws is a bug, and its item one that could not be handled. */
const guarded = async (handle: Handle, payload: string): Promise<Result<void, Failure>> => {
  try {
    return await handle(payload);
  } catch (cause) {
    return err(
      failure('interrupted', {}, `the handler threw: ${cause instanceof Error ? (cause.stack ?? cause.message) : describe(cause)}`, cause),
    );
  }
};

const tell = (deps: InboxDeps, taken: Taken, outcome: Outcome): void => {
  count(deps, outcome.end);
  if (outcome.end === 'dead') {
    const { reason, detail } = outcome;
    deps.log.error({ adapter: deps.adapter, item: taken.id, reason, detail }, 'a delivery was put aside; --requeue puts it back');
  }
};

const count = ({ metrics, adapter }: InboxDeps, outcome: string): void => metrics.count('hektor_inbox_total', { adapter, outcome });
