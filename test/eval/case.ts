/** A behaviour case as data: what happened in the thread, what is asked, and what must and must not come back. */
import type { Entry } from '../../src/core/conversation.ts';
import { entrySchema } from '../../src/core/conversation.ts';
import type { Language } from './language.ts';

type RunFacts = {
  readonly code: string;
  readonly output?: string;
  readonly value?: string;
  readonly error?: { readonly type: string; readonly value: string };
  readonly end?: 'finished' | 'raised' | 'timed-out';
};

/** One thing that happened, in order. A call and what it gave are one thing. */
export type Past =
  | { readonly said: string; readonly by?: string }
  | { readonly answered: string }
  | { readonly ran: RunFacts; readonly by?: string }
  | { readonly called: 'python'; readonly ran: RunFacts; readonly text?: string }
  | { readonly called: string; readonly args: { readonly [name: string]: unknown }; readonly result: string }
  | { readonly undoneTo: number };

type Patterns = { readonly must?: readonly RegExp[]; readonly mustNot?: readonly RegExp[] };

/** Every part must hold. */
export type Expectation = {
  /** The tool that must be called; `none`: no tool may be. */
  readonly calls?: string;
  /** Over all Python code of the reply. */
  readonly code?: Patterns;
  /** Over the arguments of all calls. */
  readonly arguments?: Patterns;
  /** Over what is said aloud. */
  readonly text?: Patterns;
  /** A function that the code must not call by itself; calls within functions and classes do not count. */
  readonly notCalled?: string;
  readonly language?: Language;
  /** Characters of what is said aloud. */
  readonly longest?: number;
};

export type EvalCase = {
  readonly id: string;
  readonly what: string;
  readonly past: readonly Past[];
  /** The last message; null where the model goes on after the result of its own call. */
  readonly ask: string | null;
  readonly by?: string;
  readonly expect: Expectation;
};

/** What happened, as the entries that a conversation would hold of it. */
export const toEntries = ({ past, ask, by }: EvalCase): readonly Entry[] => {
  const entries: unknown[] = [];
  const last: readonly Past[] = ask === null ? [] : [{ said: ask, ...(by === undefined ? {} : { by }) }];
  let turn = 0;
  let runs = 0;
  let calls = 0;
  const base = (): { readonly at: number; readonly turn: string } => ({ at: turn, turn: `t${turn}` });
  const run = (facts: RunFacts, author: string | null) => ({
    n: (runs += 1),
    by: author === null ? 'model' : 'person',
    author: author === null ? null : person(author),
    at: turn,
    code: facts.code,
    end: facts.end ?? (facts.error === undefined ? 'finished' : 'raised'),
    output: facts.output ?? '',
    droppedBytes: 0,
    value: facts.value ?? null,
    error: facts.error === undefined ? null : { ...facts.error, traceback: `${facts.error.type}: ${facts.error.value}`, line: 1 },
    files: [],
    removedFiles: [],
    lost: [],
    notes: [],
    durationMs: 5,
    before: null,
    after: null,
  });
  for (const one of [...past, ...last]) {
    if ('said' in one) {
      turn += 1;
      const author = person(one.by ?? 'Ann');
      const said = { kind: 'said', message: `m${turn}`, key: `k${turn}`, author, text: one.said, intent: 'ask', files: [] };
      entries.push({ ...base(), ...said });
    } else if ('answered' in one) {
      const rest = { files: [], status: 'complete', failure: null, model: 'm', usage: null, prompts: [] };
      entries.push({ ...base(), kind: 'answered', message: `t${turn}`, text: one.answered, ...rest });
    } else if ('undoneTo' in one) {
      turn += 1;
      entries.push({ ...base(), kind: 'state-moved', by: person('Ann'), how: 'undo', toRun: one.undoneTo, head: null });
    } else if ('called' in one) {
      calls += 1;
      const id = `c${calls}`;
      const args = 'args' in one ? one.args : { code: one.ran.code };
      const call = { id, name: one.called, arguments: JSON.stringify(args) };
      const ran = 'ran' in one ? run(one.ran, null) : null;
      const text = 'ran' in one ? (one.text ?? '') : '';
      entries.push({ ...base(), kind: 'called', step: calls, text, calls: [call], passBack: null });
      if (ran !== null) entries.push({ ...base(), kind: 'ran', call: id, message: `t${turn}`, run: ran });
      const result = 'result' in one ? one.result : '';
      entries.push({ ...base(), kind: 'result', call: id, name: one.called, text: result, failed: false, run: ran?.n ?? null });
    } else {
      turn += 1;
      entries.push({ ...base(), kind: 'ran', call: null, message: `m${turn}`, run: run(one.ran, one.by ?? 'Ann') });
    }
  }
  // Decoded as stored records are: what a case leaves out gets the default of the record.
  return entries.map((entry) => entrySchema.parse(entry));
};

const person = (name: string) => ({ id: name.toLowerCase(), name });
