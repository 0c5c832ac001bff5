import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';

/**
 * Secrets of installations, such as OAuth tokens: sealed at rest under HEKTOR_ENCRYPTION_KEY, kept until they are removed.
 *
 * Contract: nothing rejects. Without that key `get` and `put` fail as `config-invalid`, and so does reading what another key sealed: a
 * secret is never stored in the open. No value is ever logged.
 */
export type Secrets = {
  /** Null: there is none. */
  readonly get: (name: string) => Promise<Result<string | null, Failure>>;
  readonly put: (name: string, value: string) => Promise<Result<void, Failure>>;
  readonly remove: (name: string) => Promise<Result<void, Failure>>;
  /** The names that begin with `prefix`, sorted. */
  readonly list: (prefix: string) => Promise<Result<readonly string[], Failure>>;
  /**
   * Runs `work` while no other process does for this name: for a token that may be refreshed by one at a time. Waits for its turn, at most 30
   * seconds; then `store-busy`, and nothing was run. The lock of a process that died is free after 30 seconds. Where the store is lost in
   * mid-work the work goes on, and another may begin: read again inside what decides. `work` that throws gives the lock back and throws.
   */
  readonly withLock: <T>(name: string, work: () => Promise<T>) => Promise<Result<T, Failure>>;
};
