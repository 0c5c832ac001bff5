import { defineCommand, option } from '../core/command.ts';
import type { EntryOf } from '../core/conversation.ts';
import { failure } from '../core/failure.ts';
import { countingRuns, listRuns } from '../core/ledger.ts';
import { codeSpan } from '../core/markdown-text.ts';
import { err, ok } from '../core/result.ts';
import { keptState } from '../core/run.ts';
import { firstLine } from '../core/text.ts';

/**
 * Takes the state back to where it was before a run, names and files. Without a number: before the last run that still counts and changed
 * the state (one that was rolled back by itself left nothing to undo). Numbers are never used again.
 */
export const undoCommand = defineCommand({
  name: 'undo',
  description: 'Take the Python state and its files back to before a run (the last one, or run n)',
  usage: 'undo [n]',
  options: [option('run', 'The state from before this run; the last run without it', { kind: 'number' })],
  action: 'undo',
  when: 'in-turn',
  run: async ({ args, turn, now }, { author, session, entries, manifest }) => {
    const wanted = /^(?:(?:run\s*)?#?(\d{1,9}))?$/i.exec(args.trim());
    if (wanted === null || wanted[1]?.replace(/^0+/, '') === '')
      return err(failure('command-arguments', { usage: '`undo`, or `undo 3` for the state before run 3' }));
    const all = await entries();
    if (!all.ok) return all;
    const counting = countingRuns(all.value);
    const numbers = counting.map((ran) => ran.run.n);
    const n = wanted[1] === undefined ? counting.findLast((ran) => keptState(ran.run))?.run.n : Number(wanted[1]);
    if (n === undefined)
      return ok({ text: 'There is no run to undo: no run here has changed the state, or all were undone already.', private: true });
    const target = counting.find((ran) => ran.run.n === n);
    if (target === undefined) return ok({ text: noSuchRun(n, session.runs, numbers), private: true });
    const before = target.run.before;
    // Never move to a state that is not there any more: better to stay where we are and say so.
    const state = await manifest(before);
    if (!state.ok) return state;
    const gone = numbers.filter((number) => number >= n);
    const moved: EntryOf<'state-moved'> = {
      kind: 'state-moved',
      at: now,
      turn,
      by: author,
      how: 'undo',
      toRun: numbers.findLast((number) => number < n) ?? 0,
      head: before,
    };
    return ok({
      text: [
        `Back to before run ${n} (${codeSpan(firstLine(target.run.code, 60))}), names and files.`,
        gone.length === 1 ? `Run ${n} no longer counts.` : `Runs ${listRuns(gone)} no longer count.`,
        before === null ? 'The state is empty.' : '',
        `The next run will be number ${session.runs + 1}.`,
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
      append: [moved],
      session: { ...session, head: before },
    });
  },
});

const noSuchRun = (n: number, runs: number, counting: readonly number[]): string => {
  const what = n > runs ? `There is no run ${n}.` : `Run ${n} no longer counts: it was undone or reset.`;
  if (counting.length === 0) return `${what} There is nothing to undo.`;
  return `${what} ${counting.length === 1 ? 'The only run that counts is' : 'The runs that count are'} ${listRuns(counting)}.`;
};
