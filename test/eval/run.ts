/** Runs cases against models, some at a time, until all is done or the money or the tokens are used up. */
import type { PromptStamp } from '../../src/core/conversation.ts';
import type { Model } from '../../src/ports/model.ts';
import type { Prices } from '../../src/ports/prices.ts';
import { askCase, evalTools, inWords } from './ask.ts';
import type { EvalCase } from './case.ts';
import { faultsOf } from './check.ts';
import type { EvalReply } from './check.ts';
import type { EvalResult, ModelResult } from './result.ts';

export type Candidate = { readonly label: string; readonly model: Model };
export type RunOptions = {
  readonly cases: readonly EvalCase[];
  readonly candidates: readonly Candidate[];
  readonly samples: number;
  readonly concurrency: number;
  /** Null: no limit. Money counts as far as prices are known. */
  readonly maxMicros: number | null;
  readonly maxTokens: number | null;
  readonly prices: Prices;
  readonly at: string;
  readonly signal: AbortSignal;
  readonly progress: (done: number, all: number) => void;
};

type Sample = { readonly candidate: Candidate; readonly one: EvalCase };
type Outcome = Sample & { readonly faults: readonly string[]; readonly reply: EvalReply | null; readonly error: string | null };

/** The text protocol knows no tool but Python: a case that wants another says nothing about a model without function calls. */
const canBeAsked =
  ({ expect: { calls = 'none' } }: EvalCase) =>
  ({ model }: Candidate): boolean =>
    model.describe().toolCalls || calls === 'none' || calls === 'python';

type Sum = { tokens: number; micros: number; unknown: number; prefix: string };
const nothing = (): Sum => ({ tokens: 0, micros: 0, unknown: 0, prefix: '' });

export const runEval = async (options: RunOptions): Promise<EvalResult> => {
  const table = evalTools();
  const waiting: Sample[] = Array.from({ length: options.samples }).flatMap(() =>
    options.cases.flatMap((one) => options.candidates.filter(canBeAsked(one)).map((candidate) => ({ candidate, one }))),
  );
  const all = waiting.length;
  const outcomes: Outcome[] = [];
  const stamps = new Map<string, PromptStamp>();
  const spent = new Map<string, Sum>();
  const isOver = (): boolean => {
    const sums = [...spent.values()];
    const tokens = sums.reduce((sum, one) => sum + one.tokens, 0);
    const micros = sums.reduce((sum, one) => sum + one.micros, 0);
    return (options.maxTokens !== null && tokens >= options.maxTokens) || (options.maxMicros !== null && micros >= options.maxMicros);
  };
  const work = async (): Promise<void> => {
    for (;;) {
      const sample = isOver() || options.signal.aborted ? undefined : waiting.shift();
      if (sample === undefined) return;
      const { candidate, one } = sample;
      const asked = await askCase(candidate.model, table, one, options.signal);
      for (const stamp of asked.stamps) stamps.set(`${stamp.id}@${stamp.version}`, stamp);
      const sum = spent.get(candidate.label) ?? nothing();
      sum.prefix = asked.prefix;
      for (const spending of asked.spendings) {
        const micros = options.prices.costOf(spending);
        sum.tokens += spending.usage.input + spending.usage.output;
        sum.micros += micros ?? 0;
        sum.unknown += micros === null ? 1 : 0;
      }
      spent.set(candidate.label, sum);
      const { reply } = asked;
      outcomes.push(
        reply.ok
          ? { ...sample, faults: faultsOf(reply.value, one.expect), reply: reply.value, error: null }
          : { ...sample, faults: [], reply: null, error: inWords(reply.failure) },
      );
      options.progress(outcomes.length, all);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  return {
    at: options.at,
    samples: options.samples,
    prompts: [...stamps.values()].map(({ id, version }) => ({ id, version })).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    notRun: all - outcomes.length,
    models: options.candidates.map((candidate) => toModelResult(candidate, options.cases, outcomes, spent.get(candidate.label))),
  };
};

const toModelResult = (
  candidate: Candidate,
  cases: readonly EvalCase[],
  outcomes: readonly Outcome[],
  spent: Readonly<Sum> = nothing(),
): ModelResult => ({
  label: candidate.label,
  prefix: spent.prefix,
  tokens: Math.round(spent.tokens),
  costMicros: spent.unknown > 0 ? null : spent.micros,
  cases: cases.map((one) => {
    const mine = outcomes.filter((outcome) => outcome.candidate === candidate && outcome.one === one);
    const judged = mine.filter((outcome) => outcome.error === null);
    return {
      id: one.id,
      passed: judged.filter((outcome) => outcome.faults.length === 0).length,
      of: judged.length,
      errors: mine.flatMap((outcome) => (outcome.error === null ? [] : [outcome.error])),
      failures: judged.flatMap(({ faults, reply }) => (faults.length === 0 || reply === null ? [] : [{ faults, reply }])),
    };
  }),
});
