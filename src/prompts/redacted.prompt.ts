import type { EntryOf } from '../core/conversation.ts';
import { definePrompt } from '../core/prompt.ts';
import { quoteInline, untrusted, words } from '../core/trust.ts';

/** In the place of a message that its author took back. */
export const redactedPrompt = definePrompt<{ readonly entry: EntryOf<'redacted'> }>({
  id: 'redacted',
  version: 1,
  words: ({ entry }) =>
    words`(From the chat program: a message of ${quoteInline(untrusted(entry.author.name), 80)} stood here; ${became[entry.why]})`,
});

const became = {
  deleted: words`it was deleted. Do not refer to what it said.`,
  replaced: words`it was edited since, and comes again below in its new words.`,
  forgotten: words`its words were erased. Do not refer to what it said.`,
} as const;
