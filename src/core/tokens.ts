/** How many tokens a text is, roughly, and how wrong that is for a model. No tokenizer: those differ by model, and cost seconds on hostile text. */

/** Rough tokens of a text: UTF-8 bytes by three, which errs on the high side for prose and fits code. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3);

/** The next ratio of true to estimated tokens after a request: a moving average that no single request can push far. */
export const nextRatio = (ratio: number, estimated: number, reported: number): number =>
  // A small request is mostly wrapping, which says little about texts.
  estimated < 200 || reported <= 0 ? ratio : clamp(ratio + 0.3 * (clamp(reported / estimated) - ratio));
const clamp = (ratio: number): number => Math.min(2, Math.max(0.5, ratio));

/** Remembers for each model, while the process lives, how its true counts stand to the estimates. */
export type Calibration = {
  readonly ratioOf: (model: string) => number;
  readonly learn: (model: string, estimated: number, reported: number) => void;
};

export const createCalibration = (): Calibration => {
  const ratios = new Map<string, number>();
  const ratioOf = (model: string): number => ratios.get(model) ?? 1;
  return { ratioOf, learn: (model, estimated, reported) => void ratios.set(model, nextRatio(ratioOf(model), estimated, reported)) };
};
