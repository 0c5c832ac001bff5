import { Queue } from 'bullmq';
import type { ConnectionOptions } from 'bullmq';
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Log } from '../../ports/log.ts';
import type { TurnQueue } from '../../ports/turn-queue.ts';
import { QUEUE_NAME, QUEUE_PREFIX, WAKE, wakeOptions } from './wake.ts';
import type { WakeData } from './wake.ts';

/** A Redis that has not even connected would let a call wait; nobody who wakes has that long. */
const ANSWER_MS = 5_000;

/**
 * The queue as the gateway and the sweeper use it. `connection`: an open client of purpose `ingest`, so that a wake fails at once while
 * Redis is away; it stays the caller's to close.
 */
export const createTurnQueue = (options: { readonly connection: ConnectionOptions; readonly log: Log }): TurnQueue & AsyncDisposable => {
  const queue = new Queue<WakeData, void, typeof WAKE>(QUEUE_NAME, { connection: options.connection, prefix: QUEUE_PREFIX });
  queue.on('error', (error) => options.log.debug({ detail: error.message }, 'the queue reports an error'));
  return {
    wake: async (conversation) => {
      const added = await within(ANSWER_MS, () => queue.add(WAKE, { id: conversation }, wakeOptions(conversation)));
      return added.ok ? ok(undefined) : added;
    },
    depth: async () => {
      const counts = await within(ANSWER_MS, () => queue.getJobCounts('waiting', 'active'));
      return counts.ok ? ok({ waiting: counts.value['waiting'] ?? 0, active: counts.value['active'] ?? 0 }) : counts;
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
};

/** A late answer changes nothing: a wake that is added after all is one idle pass. */
const within = async <T>(ms: number, exchange: () => Promise<T>): Promise<Result<T, Failure>> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return ok(await Promise.race([exchange(), late]));
  } catch (error) {
    return err(failure('store-unreachable', {}, error instanceof Error ? error.message : String(error), error));
  } finally {
    clearTimeout(timer);
  }
};
