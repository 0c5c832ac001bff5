/** What an evaluation found, as it is written to a file and read back for a comparison. */
import { z } from 'zod';

const replySchema = z.object({
  text: z.string(),
  calls: z.array(z.object({ name: z.string(), arguments: z.string(), problem: z.string().nullable() })).readonly(),
});
const caseSchema = z.object({
  id: z.string(),
  passed: z.number().int().nonnegative(),
  /** Samples that were judged. Requests that failed are no samples; they stand in `errors`. */
  of: z.number().int().nonnegative(),
  errors: z.array(z.string()).readonly(),
  failures: z.array(z.object({ faults: z.array(z.string()).readonly(), reply: replySchema })).readonly(),
});
const modelSchema = z.object({
  label: z.string(),
  /** A digest of the system prompt and the tools that it was given. */
  prefix: z.string(),
  tokens: z.number().int().nonnegative(),
  /** Null: unknown. */
  costMicros: z.number().int().nonnegative().nullable(),
  cases: z.array(caseSchema).readonly(),
});
export const resultSchema = z.object({
  at: z.string(),
  samples: z.number().int().positive(),
  prompts: z.array(z.object({ id: z.string(), version: z.number().int() })).readonly(),
  /** Samples that a limit left out. */
  notRun: z.number().int().nonnegative(),
  models: z.array(modelSchema).readonly(),
});
export type EvalResult = z.infer<typeof resultSchema>;
export type ModelResult = z.infer<typeof modelSchema>;

type Count = { readonly passed: number; readonly of: number };
/** All cases count alike, however many of their samples were judged; null where none was. */
export const rateOf = (cases: readonly Count[]): number | null => {
  const judged = cases.filter((one) => one.of > 0);
  return judged.length === 0 ? null : judged.reduce((sum, one) => sum + one.passed / one.of, 0) / judged.length;
};

/** What keeps a run from being good: too low a rate, samples without an outcome. Empty where all is well. */
export const complaints = (result: EvalResult, least: number): readonly string[] => [
  ...(result.notRun === 0 ? [] : [`${result.notRun} samples were not run: a limit was reached`]),
  ...result.models.flatMap(({ label, cases }) => {
    const rate = rateOf(cases);
    const errors = cases.reduce((sum, one) => sum + one.errors.length, 0);
    return [
      ...(errors === 0 ? [] : [`${label}: ${errors} requests failed`]),
      ...(rate === null
        ? [`${label}: nothing was judged`]
        : rate < least
          ? [`${label}: ${percent(rate)} passed, less than ${percent(least)}`]
          : []),
    ];
  }),
];

export type Change = { readonly label: string; readonly id: string; readonly before: number; readonly after: number };
/** The cases whose rate differs from that of an earlier run of the same model, the worst first. Cases that are new or gone are no change. */
export const changesSince = (earlier: EvalResult, now: EvalResult): readonly Change[] =>
  now.models
    .flatMap(({ label, cases }) => {
      const old = earlier.models.find((model) => model.label === label)?.cases ?? [];
      return cases.flatMap((one): Change[] => {
        const before = rateOf(old.filter((other) => other.id === one.id));
        const after = rateOf([one]);
        return before === null || after === null || before === after ? [] : [{ label, id: one.id, before, after }];
      });
    })
    .toSorted((a, b) => a.after - a.before - (b.after - b.before));

export const percent = (rate: number): string => `${Math.round(rate * 100)} %`;

/** The models whose rate over the cases of both runs fell by more than `most`. */
export const drops = (earlier: EvalResult, now: EvalResult, most: number): readonly string[] =>
  now.models.flatMap(({ label, cases }) => {
    const old = earlier.models.find((model) => model.label === label)?.cases ?? [];
    const isIn = (list: readonly { readonly id: string }[]) => (one: { readonly id: string }) => list.some((other) => other.id === one.id);
    const [before, after] = [rateOf(old.filter(isIn(cases))), rateOf(cases.filter(isIn(old)))];
    return before === null || after === null || before - after <= most
      ? []
      : [`${label}: fell from ${percent(before)} to ${percent(after)}`];
  });
