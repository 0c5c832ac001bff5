import { definePrompt } from '../core/prompt.ts';
import type { Hint } from '../core/turn-state.ts';
import type { PromptText } from '../core/trust.ts';
import { words } from '../core/trust.ts';

/** A word from the loop itself, put after the history: why the model must answer now, or that it said nothing. */
export const hintPrompt = definePrompt<{ readonly hint: Exclude<Hint, 'none'> }>({
  id: 'hint',
  version: 1,
  words: ({ hint }) => texts[hint],
});

const texts: Readonly<Record<Exclude<Hint, 'none'>, PromptText>> = {
  'answer-now': words`(From the chat program, not from a person: no further tool calls are possible in this turn. Answer now with what you have, and say what is missing.)`,
  repeating: words`(From the chat program, not from a person: the same call gave the same result again and again. No further calls in this turn: answer with what you have, and say what did not work.)`,
  'say-something': words`(From the chat program, not from a person: your last reply was empty. Answer the last request in words, or use a tool.)`,
  'go-on': words`(From the chat program, not from a person: your reply was cut off by the length limit. Go on exactly where you stopped, without repeating anything.)`,
};
