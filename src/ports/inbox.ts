import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';

/** One delivery of a platform. `id`: the platform's own, the same when it delivers again. `lane`: what must stay in order (a channel's thread). */
export type InboxItem = { readonly id: string; readonly lane: string; readonly payload: string };

/**
 * An adapter's durable in-tray: what a platform delivered is put here *before* the platform is acknowledged, and is worked off after it, by
 * any process that has the tray open. Several processes share one tray.
 *
 * Contract: nothing rejects. An item that `put` said is `new` is handed over at least once, whatever dies when; `handle` must bear
 * to see one again (`accept` does, by its event key). The store being away delays items and loses none.
 */
export type Inbox = {
  /**
   * Resolves once the item is durable, after one round trip. `duplicate`: an item of this id came in within the last 24 hours, and nothing
   * happens. A failure: it is not known to be kept, so the platform must not be acknowledged; putting it again is safe.
   */
  readonly put: (item: InboxItem) => Promise<Result<'new' | 'duplicate', Failure>>;
  /**
   * Hands payloads to `handle` until disposed: those of a lane in the order of `put`, one at a time over all processes; lanes side by side, at
   * most 16 in this process. What `handle` resolves with decides:
   *
   * - ok: the item is done and forgotten. Also for what the adapter refused and told somebody about.
   * - a failure that may be retried, or a rejection (a bug): handed over again after a pause (1, 5, 30, 120 seconds); meanwhile its lane waits.
   *   After five attempts it is dead. `store-unreachable` says nothing about the item and does not count.
   * - any other failure: it is dead at once.
   *
   * Dead: logged, counted (`hektor_inbox_total`, outcome `dead`), and kept with the newest 1,000 for an operator. Its lane goes on.
   * Items that a process held when it died are taken over by another within 30 seconds. Disposing takes nothing more, waits for handlers
   * that run (at most 10 seconds), and gives back what it holds.
   */
  readonly open: (handle: (payload: string) => Promise<Result<void, Failure>>) => AsyncDisposable;
};
