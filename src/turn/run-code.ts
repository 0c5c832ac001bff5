/** One run in the conversation's session: sandbox outcome -> ledger record. Used for people's code and the model's alike. */
import type { Session } from '../core/conversation.ts';
import { forOperator, forPerson } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import type { ConversationId, SnapshotId } from '../core/ids.ts';
import type { Person } from '../core/message.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { Run } from '../core/run.ts';
import type { TurnDeps } from './deps.ts';

export type CodeRun = {
  readonly conversation: ConversationId;
  readonly session: Session;
  readonly by: 'person' | 'model';
  readonly author: Person | null;
  readonly code: string;
  readonly signal: AbortSignal;
  readonly onOutput: (n: number, text: string) => void;
  readonly onWaiting: (ahead: number) => void;
};

/** The finished run, however it ended; a failure where no run took place. The caller journals it and moves the session on. */
export const runCode = async (deps: RunDeps, request: CodeRun): Promise<Result<Run, Failure>> => {
  const first = await attempt(deps, request, request.session.head);
  if (first.ok || first.failure.code !== 'snapshot-lost') return first;
  // A state that cannot be read any more must not stop the thread for good: the code runs on an empty one, and everybody is told.
  deps.log.error(
    { conversation: request.conversation, snapshot: request.session.head, detail: first.failure.detail },
    forOperator(first.failure),
  );
  const fresh = await attempt(deps, request, null);
  return fresh.ok ? ok({ ...fresh.value, notes: [forPerson(first.failure), ...fresh.value.notes] }) : fresh;
};

type RunDeps = Pick<TurnDeps, 'sandbox' | 'clock' | 'metrics' | 'settings' | 'log'>;

const attempt = async (deps: RunDeps, request: CodeRun, base: SnapshotId | null): Promise<Result<Run, Failure>> => {
  const n = request.session.runs + 1;
  const at = deps.clock.now();
  const ran = await deps.sandbox.run({
    conversation: request.conversation,
    n,
    code: request.code,
    base,
    timeoutMs: deps.settings.runMs,
    signal: request.signal,
    onOutput: (text) => request.onOutput(n, text),
    onWaiting: request.onWaiting,
  });
  if (!ran.ok) return err(ran.failure);
  const { value: outcome } = ran;
  deps.metrics.count('hektor_runs_total', { by: request.by, end: outcome.end });
  deps.metrics.observe('hektor_run_seconds', { by: request.by }, outcome.durationMs / 1000);
  return ok({ n, by: request.by, author: request.author, at, code: request.code, before: base, ...outcome });
};
