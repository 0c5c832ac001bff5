import { definePrompt } from '../core/prompt.ts';
import type { Untrusted } from '../core/trust.ts';
import { joinWords, quote, words } from '../core/trust.ts';

/** For servers that read the model's calls themselves and refuse what they cannot read: the model is shown what it wrote and asked again. */
export const callGarbledPrompt = definePrompt<{ readonly generation: Untrusted }>({
  id: 'call-garbled',
  version: 1,
  words: ({ generation }) =>
    joinWords(
      [
        words`(From the chat program, not from a person: your last tool call could not be read and was not made.`,
        ...(generation.untrusted.trim() === '' ? [] : [words`You had written:`, quote('written', generation)]),
        words`Use the function-call format with one complete JSON object as arguments, or answer in words.)`,
      ],
      '\n',
    ),
});
