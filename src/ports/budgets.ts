import type { DayLimits, DayUse, Exceeded, RateLimits, Scope, Spender } from '../core/budget.ts';
import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';

/** What is taken off the budgets while a request runs, until it is settled. `id` is unique; it is given back by itself after `forMs`. */
export type Hold = { readonly id: string; readonly tokens: number; readonly micros: number; readonly forMs: number };

/** What one attempt used; `micros` null: nobody knows. Counts are whole numbers. */
export type Used = { readonly model: string; readonly input: number; readonly output: number; readonly micros: number | null };

/**
 * The counters behind the limits of `src/core/budget.ts`, shared by all processes. A person is counted within a workspace.
 *
 * Contract: each call is one atomic step, so that two requests can never both take what is left for one. A call that is sent twice counts
 * once. Nothing rejects; the only failure is `store-unreachable`.
 */
export type Budgets = {
  /**
   * Counts a message, unless a limit says no: resolves with the milliseconds to wait then, and with 0 where it was counted. A message
   * that is turned away is not counted; `event` that was counted in the last minute is admitted again.
   */
  readonly admit: (who: Spender, event: string, limits: RateLimits) => Promise<Result<number, Failure>>;
  /** Holds an estimate, if what was used today, what is held and this stay within the limits; else says which of them it would break. */
  readonly reserve: (who: Spender, hold: Hold, limits: DayLimits) => Promise<Result<Exceeded | null, Failure>>;
  /** Counts what was used today and ends the hold of that id, if there is one. */
  readonly settle: (who: Spender, id: string, used: readonly Used[]) => Promise<Result<void, Failure>>;
  /** What was used today. */
  readonly today: (who: Spender) => Promise<Result<{ readonly [S in Scope]: DayUse }, Failure>>;
};
