import { defineCommand } from '../core/command.ts';
import type { EntryOf } from '../core/conversation.ts';
import { failure } from '../core/failure.ts';
import { err, ok } from '../core/result.ts';

/** State and history start afresh. Committed on its own, so that no failure of what comes after it brings the old state back. */
export const resetCommand = defineCommand({
  name: 'reset',
  description: 'Start afresh: empty Python state, nothing said so far is used any more',
  usage: 'reset',
  options: [],
  action: 'undo',
  when: 'in-turn',
  run: async ({ args, turn, now }, { author, session, entries }) => {
    // Words behind it mean that somebody wrote about a reset rather than asked for one.
    if (args.trim() !== '') return err(failure('command-arguments', { usage: '`reset` alone' }));
    const all = await entries();
    if (!all.ok) return all;
    const moved: EntryOf<'state-moved'> = { kind: 'state-moved', at: now, turn, by: author, how: 'reset', toRun: 0, head: null };
    const next = session.runs === 0 ? 'The first run will be number 1.' : `The next run will be number ${session.runs + 1}.`;
    return ok({
      text: `Started afresh. The Python state and its files are empty, and I no longer see what was said before. ${next}`,
      append: [moved],
      session: { ...session, head: null, since: all.value.length + 1 },
    });
  },
});
