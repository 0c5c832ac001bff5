import type { Failure } from '../core/failure.ts';
import type { ConversationId, SnapshotId } from '../core/ids.ts';
import type { Result } from '../core/result.ts';
import type { LostName, RunEnd, RunError, RunFile } from '../core/run.ts';

export type RunRequest = {
  readonly conversation: ConversationId;
  /** The run's number in the conversation's ledger. */
  readonly n: number;
  readonly code: string;
  /** The state to start from; null: empty. */
  readonly base: SnapshotId | null;
  readonly timeoutMs: number;
  /** Output as it comes, for showing; what counts is in the outcome. */
  readonly onOutput: (text: string) => void;
  /** The run waits for a sandbox; `ahead` others are before it. */
  readonly onWaiting: (ahead: number) => void;
  /** Aborts the run: interrupt first, kill a second later. The outcome is then `stopped`. */
  readonly signal: AbortSignal;
};

/** See `Run` in src/core/run.ts for the fields. `after` is null only where the state is empty. */
export type RunOutcome = {
  readonly end: RunEnd;
  readonly output: string;
  readonly droppedBytes: number;
  readonly value: string | null;
  readonly error: RunError | null;
  readonly files: readonly RunFile[];
  readonly removedFiles: readonly string[];
  readonly lost: readonly LostName[];
  readonly notes: readonly string[];
  readonly durationMs: number;
  readonly after: SnapshotId | null;
};

export type SandboxHealth = {
  readonly available: boolean;
  /** Why not, for the operator; empty where available. */
  readonly reason: string;
  readonly image: string;
  readonly idle: number;
  readonly ripe: number;
  readonly leased: number;
  readonly waiting: number;
};

/**
 * Runs code in throwaway containers. A container serves one conversation only, ever; it is kept for the runs of a turn and lingers frozen
 * for a short while after it. Every run is saved as it ends, so a container may be lost at any moment.
 *
 * Contract: `run` never rejects; a run that happened resolves with an outcome, however it ended. Failures: `sandbox-missing`, `sandbox-busy`,
 * `sandbox-broken` (the run did not happen or its outcome is unknown; the state is `base`), `snapshot-lost`, `store-unreachable`.
 * Runs of one conversation are serial: the caller sees to it.
 */
export type Sandbox = AsyncDisposable & {
  readonly run: (request: RunRequest) => Promise<Result<RunOutcome, Failure>>;
  /** The turn is over: freeze the container for the linger time. Without a lease nothing happens. */
  readonly rest: (conversation: ConversationId) => Promise<void>;
  /** Throw the conversation's container away now (reset, erase). */
  readonly discard: (conversation: ConversationId) => Promise<void>;
  readonly health: () => Promise<SandboxHealth>;
};
