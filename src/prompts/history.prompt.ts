import { definePrompt } from '../core/prompt.ts';
import { quote, untrusted, words } from '../core/trust.ts';

/** Stands where earlier messages were left out because they no longer fit. */
export const gapPrompt = definePrompt<{ readonly left: number }>({
  id: 'history-gap',
  version: 1,
  words: ({ left }) =>
    words`(From the chat program: ${left} earlier entries of this thread are left out here because they no longer fit. If you need them, ask.)`,
});

/** What a tool call gave, as it was recorded: already bounded and, where it came from outside, fenced. */
export const toolResultPrompt = definePrompt<{ readonly text: string }>({
  id: 'tool-result',
  version: 1,
  words: ({ text }) => quote('result', untrusted(text)),
});
