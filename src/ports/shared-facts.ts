import type { Failure } from '../core/failure.ts';
import type { Result } from '../core/result.ts';

/**
 * Facts that the processes of an installation share, each adapter under its own name: up to where a channel was read, the hash of the commands
 * that were deployed, which conversation a message belongs to. No secrets and nothing that people wrote: values are stored in the open.
 *
 * Contract: nothing rejects; each call is one atomic step and may be repeated. `ttlMs` null: kept until removed.
 */
export type SharedFacts = {
  /** Null: there is none, or its time is over. */
  readonly get: (name: string) => Promise<Result<string | null, Failure>>;
  readonly set: (name: string, value: string, ttlMs: number | null) => Promise<Result<void, Failure>>;
  /** Sets it if there is none; resolves with what stands there now. Of several claims at once exactly one wins. */
  readonly claim: (name: string, value: string, ttlMs: number | null) => Promise<Result<string, Failure>>;
  readonly remove: (name: string) => Promise<Result<void, Failure>>;
};
