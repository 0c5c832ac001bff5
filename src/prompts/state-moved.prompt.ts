import type { EntryOf } from '../core/conversation.ts';
import { definePrompt } from '../core/prompt.ts';
import { quoteInline, untrusted, words } from '../core/trust.ts';

/** The session's state was moved by a person: later runs no longer count. */
export const stateMovedPrompt = definePrompt<{ readonly moved: EntryOf<'state-moved'> }>({
  id: 'state-moved',
  version: 1,
  words: ({ moved }) => {
    const who = quoteInline(untrusted(moved.by.name), 80);
    switch (moved.how) {
      case 'undo':
        return moved.toRun === 0
          ? words`${who} took the Python session back to its beginning: nothing that was defined before exists any more.`
          : words`${who} took the Python session back to how it was after run ${moved.toRun}: what later runs defined or changed no longer exists.`;
      case 'reset':
        return words`${who} reset this conversation: the Python session is empty.`;
      case 'fork':
        return words`${who} copied this conversation, its Python session and files into this new thread.`;
      default:
        return moved.how satisfies never;
    }
  },
});
