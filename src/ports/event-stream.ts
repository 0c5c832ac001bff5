import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';

/** `id` is opaque and ordered; it can be handed back to go on after this event. */
export type StreamedEvent = { readonly id: string; readonly data: string };

/**
 * A short memory of what was shown, per topic, for readers that come and go (server-sent events, a waiting command).
 * Contract: events of a topic are read in the order of `append`, each once per reader; the newest 1,000 of a topic can be re-read for an hour.
 */
export type EventStream = {
  readonly append: (topic: string, data: string) => Promise<Result<string, Failure>>;
  /** The id of the newest event; reading after it yields only what comes later. `0` where there is none. */
  readonly latest: (topic: string) => Promise<Result<string, Failure>>;
  /** Events after `after`, then new ones as they come, until the signal aborts. Ends early, without throwing, when the store is gone. */
  readonly read: (topic: string, after: string, signal: AbortSignal) => AsyncIterable<StreamedEvent>;
  /** Forgets what was shown on the topic. */
  readonly erase: (topic: string) => Promise<Result<void, Failure>>;
};
