/** Runs in the words that every platform shows of them. Pure; texts are plain, and whoever shows them escapes them. */
import { z } from 'zod';
import { howItEnded, runsAgain } from './export.ts';
import { sizeWords } from './markdown-text.ts';
import type { Run } from './run.ts';
import { cutMiddle } from './text.ts';
import { clean } from './trust.ts';

/** What of the code and of what came of it is kept for the folded form. */
const FOLDED = 2_400;

/** All that a Python prompt would show. */
export const replText = (run: Run): string =>
  [
    run.output.replace(/\n$/, ''),
    run.value ?? '',
    run.error === null ? '' : (run.error.traceback || `${run.error.type}: ${run.error.value}`).replace(/\n$/, ''),
  ]
    .map(clean)
    .filter((part) => part !== '')
    .join('\n');

/** What is worth knowing beside the output. */
export const remarks = (run: Run): readonly string[] => {
  const names = run.lost.slice(0, 6).map(({ name, path, type, why }) => `${path === '' ? name : path} (${type}: ${why})`);
  const more = run.lost.length > names.length ? ` and ${run.lost.length - names.length} more` : '';
  return [
    ...(runsAgain(run) || run.error !== null || run.notes.length > 0 ? [] : [howItEnded(run)]),
    ...(run.droppedBytes === 0 ? [] : [`${sizeWords(run.droppedBytes)} more were printed and are not shown`]),
    ...(names.length === 0 ? [] : [`not kept for later runs: ${names.join(', ')}${more}`]),
    ...(run.removedFiles.length === 0 ? [] : [`removed: ${run.removedFiles.slice(0, 8).join(', ')}`]),
    ...run.notes,
  ];
};

/** The small print under what came of a person's run. */
export const smallPrint = (run: Run): string =>
  [
    `Run ${run.n}`,
    duration(run.durationMs),
    ...(replText(run) === '' && run.files.length === 0 ? ['nothing to show'] : []),
    ...remarks(run),
  ].join(' · ');

/** A run of the model, short enough to be kept until the answer is posted. */
export const foldedCellSchema = z
  .object({ n: z.number(), title: z.string(), code: z.string(), said: z.string(), failed: z.boolean(), small: z.string() })
  .readonly();
export type FoldedCell = z.infer<typeof foldedCellSchema>;

export const foldedCell = (run: Run): FoldedCell => {
  const code = clean(run.code).replace(/\n+$/, '');
  const lines = code.split('\n').length;
  return {
    n: run.n,
    title: `Run ${run.n}: ${lines === 1 ? '1 line' : `${lines} lines`} of Python, ${duration(run.durationMs)}`,
    code: firstLines(code, FOLDED),
    said: cutMiddle(replText(run), FOLDED),
    failed: run.end !== 'finished',
    small: remarks(run).join(' · '),
  };
};

/** A time that something took. */
export const duration = (ms: number): string =>
  ms < 950
    ? `${Math.max(1, Math.round(ms))} ms`
    : ms < 60_000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;

/** The first whole lines of a text that fit. */
export const firstLines = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const end = head.lastIndexOf('\n');
  return `${(end > max / 2 ? head.slice(0, end) : head).toWellFormed()}\n[…]`;
};
