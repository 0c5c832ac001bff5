/** Which runs of the ledger still count: those whose effects, if any, are part of the state. Pure. */
import type { Entry, EntryOf } from './conversation.ts';

/** The runs that were not undone or reset away, in order. A run that was rolled back by itself counts: it happened, and is in the history. */
export const countingRuns = (entries: readonly Entry[]): readonly EntryOf<'ran'>[] => {
  let counting: EntryOf<'ran'>[] = [];
  for (const entry of entries) {
    if (entry.kind === 'ran') counting.push(entry);
    if (entry.kind === 'state-moved') counting = counting.filter((ran) => ran.run.n <= entry.toRun);
  }
  return counting;
};

/** Numbers as people write them: `1`, `1 and 2`, `1, 2 and 5`; stretches of three and more as `1–4`. */
export const listRuns = (numbers: readonly number[]): string => {
  const stretches: { first: number; last: number }[] = [];
  for (const n of numbers) {
    const open = stretches.at(-1);
    if (open !== undefined && n === open.last + 1) open.last = n;
    else stretches.push({ first: n, last: n });
  }
  const parts = stretches.flatMap(({ first, last }) =>
    last - first < 2 ? (first === last ? [String(first)] : [String(first), String(last)]) : [`${first}–${last}`],
  );
  const end = parts.at(-1) ?? '';
  return parts.length < 2 ? end : `${parts.slice(0, -1).join(', ')} and ${end}`;
};
