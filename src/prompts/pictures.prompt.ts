import { definePrompt } from '../core/prompt.ts';
import { words } from '../core/trust.ts';

/** Stands beside the pictures that the model's own runs drew: a tool's result can hold none. */
export const picturesPrompt = definePrompt<object>({
  id: 'pictures',
  version: 1,
  words: () =>
    words`(From the chat program, not from a person: the pictures that the code above drew, in order. The people see them, too.)`,
});
