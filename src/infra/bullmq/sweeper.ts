import type { Clock } from '../../ports/clock.ts';
import type { ConversationStore } from '../../ports/conversation-store.ts';
import type { Log } from '../../ports/log.ts';
import type { TurnQueue } from '../../ports/turn-queue.ts';

export type SweeperOptions = {
  readonly store: Pick<ConversationStore, 'pendingSince'>;
  readonly queue: Pick<TurnQueue, 'wake'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How often. */
  readonly everyMs?: number;
  /** How long a conversation must have waited. */
  readonly afterMs?: number;
};

/**
 * Wakes conversations that have had something to do for a while: the message of a gateway that died before it woke anybody, a turn that
 * failed, a post that could not be delivered. A wake too many is an idle pass at most, so every worker process may sweep.
 */
export const startSweeper = (options: SweeperOptions): AsyncDisposable => {
  const { store, queue, clock, log, everyMs = 15_000, afterMs = 20_000 } = options;
  const closing = new AbortController();

  const sweep = async (): Promise<void> => {
    const waiting = await store.pendingSince(clock.now() - afterMs);
    if (!waiting.ok) return log.debug({ failure: waiting.failure }, 'could not sweep');
    for (const conversation of waiting.value) {
      if (closing.signal.aborted) return;
      const woken = await queue.wake(conversation);
      if (!woken.ok) return log.debug({ failure: woken.failure }, 'could not sweep');
    }
    if (waiting.value.length > 0) log.info({ conversations: waiting.value.length }, 'woke conversations that had waited');
  };

  const loop = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sweep();
      await clock.sleep(everyMs, closing.signal);
    }
  };
  const ended = loop();

  return {
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await ended;
    },
  };
};
