/** Timing for the benchmarks: figures of one run on one machine, printed beside a rival's of the same run. Trust the ratios. */
export type Timing = { readonly n: number; readonly p50: number; readonly p95: number };

export const timingOf = (samples: readonly number[]): Timing => {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
  return { n: sorted.length, p50: at(0.5), p95: at(0.95) };
};

/** Calls `act` n times; each call resolves with what is to be counted, in ms. */
export const repeat = async (n: number, act: (index: number) => Promise<number>): Promise<Timing> => {
  const samples: number[] = [];
  for (let index = 0; index < n; index += 1) samples.push(await act(index));
  return timingOf(samples);
};

export const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await act();
  return performance.now() - started;
};

export const print = (line = ''): void => void process.stdout.write(`${line}\n`);
export const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
export const row = (what: string, { n, p50, p95 }: Timing, rivals: { readonly [name: string]: Timing } = {}): void => {
  const ratios = Object.entries(rivals).map(([name, rival]) => `${(rival.p50 / p50).toFixed(1)} x faster than ${name}`);
  print(`${what.padEnd(52)} p50 ${ms(p50).padStart(6)}  p95 ${ms(p95).padStart(6)} ms  (n ${n})  ${ratios.join(', ')}`);
};
