import { defineCommand, option } from '../core/command.ts';
import type { EntryOf } from '../core/conversation.ts';
import { ok } from '../core/result.ts';
import { firstLine } from '../core/text.ts';

/** A new thread that goes on from here on its own: history, Python state and files are copied, and this thread stays as it is. */
export const forkCommand = defineCommand({
  name: 'fork',
  description: 'Open a new thread with a copy of this one: history, Python state and files',
  usage: 'fork [title]',
  options: [option('title', 'What the new thread is to be called')],
  action: 'talk',
  when: 'in-turn',
  run: async ({ args, turn, now }, { author, session, entries }) => {
    const all = await entries();
    if (!all.ok) return all;
    if (all.value.length === 0) return ok({ text: 'There is nothing to copy yet: just start a new thread.', private: true });
    const question = all.value.findLast((entry) => entry.kind === 'said' && entry.intent === 'ask');
    const title = firstLine(args) || `Fork of ${question?.kind === 'said' ? firstLine(question.text, 60) : 'a thread'}`;
    const moved: EntryOf<'state-moved'> = {
      kind: 'state-moved',
      at: now,
      turn,
      by: author,
      how: 'fork',
      toRun: session.runs,
      head: session.head,
    };
    return ok({
      text: 'Forked: a new thread goes on from here with a copy of the history, the Python state and the files.',
      fork: { entries: [...all.value, moved], session: { ...session, title, createdAt: now, owner: author } },
    });
  },
});
