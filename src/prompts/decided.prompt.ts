import type { EntryOf } from '../core/conversation.ts';
import { definePrompt } from '../core/prompt.ts';
import { cutMiddle } from '../core/text.ts';
import { joinWords, quote, quoteInline, untrusted, words } from '../core/trust.ts';

/** A person decided about a call that waited. After a yes the call and its result follow as they would have stood at first. */
export const decidedPrompt = definePrompt<{ readonly decided: EntryOf<'decided'> }>({
  id: 'decided',
  version: 1,
  words: ({ decided }) => {
    const who = quoteInline(untrusted(decided.by.name), 80);
    const tool = quoteInline(untrusted(decided.tool), 64);
    if (decided.verdict === 'approved')
      return words`(From the chat program: ${who} approved your call of ${tool} that was waiting. It is made now, once and just as you asked for it; the call and its result follow.)`;
    return joinWords(
      [
        words`(From the chat program: ${who} denied your call of ${tool}. It was not made. Do not make it again unless somebody asks for it; go on without it, and say what is left undone. The call was:)`,
        quote('arguments', untrusted(cutMiddle(decided.arguments, 2_000))),
      ],
      '\n',
    );
  },
});
