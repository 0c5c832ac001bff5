/** What is cut within turns so that a context fits. Pure; the stored entries stay as they are. */
import { costOf } from './context-item.ts';
import type { ContextItem } from './context-item.ts';
import type { Run } from './run.ts';
import { cutMiddle } from './text.ts';

/** Results of this many of the newest turns are never cleared. */
const KEPT_TURNS = 3;
/** Results are cleared for so many turns at once: what stands before them stays equal from request to request, and servers cache it. */
const STRIDE = 4;
/** Shorter results are worth more than the words that would stand in their place. */
const WORTH = 400;

/** The turns, oldest first, with the results of the older ones taken out. A word says under which name `read_more` finds each. */
export const clearOld = (turns: readonly (readonly ContextItem[])[]): readonly (readonly ContextItem[])[] => {
  const upTo = Math.floor(Math.max(0, turns.length - KEPT_TURNS) / STRIDE) * STRIDE;
  return turns.map((items, index) => (index < upTo ? items.map(cleared) : items));
};

const cleared = (item: ContextItem): ContextItem => {
  if (item.kind === 'person-ran') return { ...item, entry: { ...item.entry, run: clearedRun(item.entry.run) } };
  if (item.kind !== 'result') return item;
  if (item.run !== null) return { ...item, run: clearedRun(item.run) };
  return item.text.length <= WORTH ? item : { ...item, text: `(An older result, taken out to save room; kept as ${item.call.id}.)` };
};

const clearedRun = (run: Run): Run => {
  const long = run.output.length + (run.value ?? '').length + (run.error?.traceback ?? '').length > WORTH;
  if (!long) return run;
  return {
    ...run,
    output: `(An older output, taken out to save room; kept as run ${run.n}.)`,
    value: null,
    error: run.error === null ? null : { ...run.error, traceback: '', value: cutMiddle(run.error.value, 200) },
  };
};

/** A single turn that does not fit: its outputs are cut head and tail, so that the person's words and the calls stay. */
export const shorten = (items: readonly ContextItem[], budget: number): readonly ContextItem[] => {
  const bulky = items.filter((item) => item.kind === 'result' || item.kind === 'person-ran').length;
  const fixed = costOf(items.filter((item) => item.kind !== 'result' && item.kind !== 'person-ran'));
  const each = Math.max(200, Math.floor(((budget - fixed) * 3) / Math.max(1, bulky)));
  const cutRun = (run: Run): Run => ({
    ...run,
    output: cutMiddle(run.output, each),
    value: run.value === null ? null : cutMiddle(run.value, each),
  });
  return items.map((item) => {
    if (item.kind === 'result') return { ...item, text: cutMiddle(item.text, each), run: item.run === null ? null : cutRun(item.run) };
    if (item.kind === 'person-ran') return { ...item, entry: { ...item.entry, run: cutRun(item.entry.run) } };
    return item;
  });
};
