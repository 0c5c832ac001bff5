/** How a run ended, told from what its container said and what the worker did. Pure. */
import type { RunEnd } from '../../core/run.ts';
import type { RunRecord } from './converse.ts';

export type Verdict = {
  readonly end: RunEnd;
  /** Sentences for the person and the model. */
  readonly notes: readonly string[];
};

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** The run's state was accepted. */
export const judgeKept = (record: RunRecord, timeoutMs: number): Verdict => {
  const { end, answer } = record;
  if (record.stopAsked && end?.interrupted === true)
    return { end: 'stopped', notes: ['The run was interrupted; what it had done until then is kept.'] };
  if (end?.timedOut === true) {
    const note = `The run was interrupted at its time limit of ${seconds(timeoutMs)}; what it had done until then is kept.`;
    return { end: 'timed-out', notes: [note] };
  }
  const notes = end?.oom === true ? ['A process that the run had started was ended because memory ran out.'] : [];
  return { end: answer?.error ? 'raised' : 'finished', notes };
};

/** The state is as it was before; `refused` says why the state that was offered was not taken, null where none was. */
export const judgeRolledBack = (record: RunRecord, refused: string | null, limits: { timeoutMs: number; memoryMb: number }): Verdict => {
  const { end, cut } = record;
  const before = 'the state is as it was before this run.';
  if (cut === 'stopped' || (record.stopAsked && end !== null && refused === null))
    return { end: 'stopped', notes: [`The run was ended by force; ${before}`] };
  if (end?.oom === true)
    return { end: 'out-of-memory', notes: [`The run used more than ${limits.memoryMb} MB of memory and was ended; ${before}`] };
  if (end?.timedOut === true || cut === 'overdue')
    return {
      end: 'timed-out',
      notes: [`The run did not let itself be interrupted at its time limit of ${seconds(limits.timeoutMs)} and was ended; ${before}`],
    };
  const reason = refused ?? end?.refused ?? (cut === 'too-large' ? 'it is too large' : cut === 'garbled' ? 'its report was garbled' : null);
  if (reason !== null) return { end: 'broken', notes: [`The state after the run could not be kept (${reason}); ${before}`] };
  if (end?.signal !== undefined && end.signal !== null) return { end: 'killed', notes: [`The run was ended by ${end.signal}; ${before}`] };
  return { end: 'killed', notes: [`The run left the interpreter${end?.exit ? ` with code ${end.exit}` : ''}; ${before}`] };
};
