import type { Failure } from '../core/failure.ts';
import type { ConversationId } from '../core/ids.ts';
import type { Result } from '../core/result.ts';

/**
 * Wakes workers. Carries conversation ids only, never content.
 *
 * Contract: a wake of a conversation that is being worked on leads to one more pass after it; any number of wakes while one waits is one pass;
 * two passes of one conversation never run at once on healthy workers (the store's fence covers sick ones).
 */
export type TurnQueue = {
  readonly wake: (conversation: ConversationId) => Promise<Result<void, Failure>>;
  /** How many conversations wait, and how many are being worked on. */
  readonly depth: () => Promise<Result<{ readonly waiting: number; readonly active: number }, Failure>>;
};

/**
 * One worker: calls `pass` for each woken conversation, `concurrency` at a time. `pass` never rejects.
 * Its signal aborts when this worker is shutting down or has lost its hold on the job: the pass then ends soon, leaving the work to the next one.
 * Disposing stops intake, aborts running passes, waits for them at most 25 seconds, and closes.
 */
export type TurnWorker = AsyncDisposable;
export type Pass = (conversation: ConversationId, signal: AbortSignal) => Promise<void>;
