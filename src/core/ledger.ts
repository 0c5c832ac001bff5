/** Which runs of the ledger still count: those whose effects, if any, are part of the state. Pure. */
import type { Entry, EntryOf } from './conversation.ts';
import type { Run } from './run.ts';
import type { Manifest } from './snapshot.ts';
import { cutMiddle } from './text.ts';

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

/** Where the session stands, for a model that no longer sees how it got there. */
export type SessionFacts = {
  readonly runs: number;
  readonly names: readonly { readonly name: string; readonly type: string; readonly preview: string }[];
  /** Names beyond those told. */
  readonly moreNames: number;
  readonly modules: readonly string[];
  readonly files: readonly string[];
  readonly lastRuns: readonly Pick<Run, 'n' | 'by' | 'code'>[];
};

const TOLD_NAMES = 60;
const TOLD_FILES = 40;
const TOLD_RUNS = 3;
const TOLD_CODE = 1_500;

/** The facts as the interpreter itself saved them; null where the session was never used. */
export const sessionFacts = (runs: number, manifest: Manifest, entries: readonly Entry[]): SessionFacts | null => {
  const names = Object.entries(manifest.names);
  const files = manifest.files.flatMap((file) => ('id' in file ? [file.path] : []));
  if (runs === 0 && files.length === 0) return null;
  return {
    runs,
    names: names.slice(0, TOLD_NAMES).map(([name, { type, preview }]) => ({ name, type, preview: preview.slice(0, 80) })),
    moreNames: Math.max(0, names.length - TOLD_NAMES),
    modules: Object.entries(manifest.modules).map(([name, module]) => (name === module ? module : `${module} as ${name}`)),
    files: files.slice(0, TOLD_FILES),
    lastRuns: countingRuns(entries)
      .slice(-TOLD_RUNS)
      .map(({ run }) => ({ n: run.n, by: run.by, code: cutMiddle(run.code, TOLD_CODE) })),
  };
};
