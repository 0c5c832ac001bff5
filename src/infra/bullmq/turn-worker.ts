import { Worker } from 'bullmq';
import type { ConnectionOptions, Job } from 'bullmq';
import type { ConversationId } from '../../core/ids.ts';
import type { Log } from '../../ports/log.ts';
import type { Pass, TurnQueue, TurnWorker } from '../../ports/turn-queue.ts';
import { decodeWake, QUEUE_NAME, QUEUE_PREFIX } from './wake.ts';

/**
 * A lock is renewed every half of its life; a stalled job is found at the first check after its lock has run out. So what a killed worker
 * held is taken up again at most 25 seconds later.
 */
const LOCK_MS = 20_000;
const STALLED_CHECK_MS = 5_000;
/** A conversation whose workers die again and again is the store's matter (it counts attempts); the job must go on existing. */
const NEVER = 1_000_000;
/** The pause after a fetch that failed; BullMQ's own 15 seconds would prolong every short outage of Redis by as much. */
const FETCH_AGAIN_MS = 1_000;
/** How long a pass may take to end after its signal has aborted, when the worker closes. */
const GRACE_MS = 25_000;

export type TurnWorkerOptions = {
  /** An open client of purpose `queue`; it stays the caller's to close. */
  readonly connection: ConnectionOptions;
  /** For what this worker leaves undone. */
  readonly queue: TurnQueue;
  readonly log: Log;
  /** How many conversations at a time. */
  readonly concurrency: number;
  readonly pass: Pass;
};

export const startTurnWorker = ({ connection, queue, log, concurrency, pass }: TurnWorkerOptions): TurnWorker => {
  const running = new Set<Promise<void>>();
  let closing = false;

  const work = async (conversation: ConversationId, signal: AbortSignal): Promise<void> => {
    try {
      // While it closes the worker may still be handed one job more, the one that it was waiting for.
      if (!closing) await pass(conversation, signal);
    } catch (error) {
      // A bug in the pass. Its message stays in the mailbox; the sweeper tries again and the count of attempts ends that.
      log.error({ conversation, error }, 'a pass threw');
    }
    // Cut short by us: somebody else goes on, at once rather than at the next sweep. Without Redis the sweeper does it.
    if (closing || signal.aborted) await queue.wake(conversation);
  };

  // BullMQ hands out the signal only to a function that declares all three parameters.
  const process = async (job: Job, _token: string | undefined, signal: AbortSignal | undefined): Promise<void> => {
    const conversation = decodeWake(job.data);
    if (conversation === undefined) {
      log.error({ job: job.id }, 'a job of the queue is not a wake');
      return;
    }
    const working = work(conversation, signal ?? new AbortController().signal);
    running.add(working);
    await working.finally(() => running.delete(working));
  };

  const worker = new Worker(QUEUE_NAME, process, {
    connection,
    prefix: QUEUE_PREFIX,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: NEVER,
    runRetryDelay: FETCH_AGAIN_MS,
    removeOnComplete: { count: 0 },
  });
  worker.on('error', (error) => log.debug({ detail: error.message }, 'the worker reports an error'));
  worker.on('failed', (job, error) => log.warn({ job: job?.id, detail: error.message }, 'a wake failed'));
  worker.on('stalled', (job) => log.warn({ job }, 'a wake whose worker is gone is taken up again'));
  // Losing a lock does not abort by itself: the pass would go on although another worker may have begun.
  worker.on('lockRenewalFailed', (jobs) => {
    for (const job of jobs) worker.cancelJob(job, 'lock lost');
  });

  return {
    [Symbol.asyncDispose]: async () => {
      closing = true;
      await worker.pause(true);
      worker.cancelAllJobs('shutdown');
      const ended = await settledWithin(GRACE_MS, () => Promise.all(running));
      if (!ended) log.warn({ passes: running.size }, 'passes did not end in time; they are left to the next worker');
      // A second `close` would only wait for the first, so whether to force is decided before. Forced or not, Redis may be gone: not for ever.
      await settledWithin(5_000, () => worker.close(!ended));
    },
  };
};

const settledWithin = async (ms: number, work: () => Promise<unknown>): Promise<boolean> => {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  try {
    return await Promise.race([work().then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
};
