/** Suggestions for the options of commands, as they are typed. */
import type { Choice } from '../core/command.ts';
import type { ConversationId } from '../core/ids.ts';
import { commandHelp } from '../commands/index.ts';
import type { Models } from '../ports/model.ts';

/** No platform shows more. */
const MOST = 25;

/** Those that contain what was typed, those that begin with it first; at most 25. Without any option of that name: none. */
export const completions = (
  models: Models,
  conversation: ConversationId,
  command: string,
  option: string,
  partial: string,
): readonly Choice[] => {
  const known = commandHelp.find(({ name }) => name === command)?.options.find(({ name }) => name === option);
  if (known?.completes !== true) return [];
  const wanted = partial.trim().toLowerCase();
  const found = suggestionsFor(models, conversation, option).filter(({ name }) => name.toLowerCase().includes(wanted));
  const first = (choice: Choice): number => (choice.value.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found.toSorted((a, b) => first(a) - first(b)).slice(0, MOST);
};

const suggestionsFor = (models: Models, conversation: ConversationId, option: string): readonly Choice[] => {
  switch (option) {
    case 'name':
    case 'model': {
      const choices = models
        .choices(conversation)
        .map(({ key, name }) => ({ name: (key === name ? key : `${key} (${name})`).slice(0, 100), value: key }));
      // A model may itself be called `default`, and is then chosen by that name.
      return choices.some(({ value }) => value === 'default') ? choices : [...choices, { name: 'default', value: 'default' }];
    }
    case 'command':
      return commandHelp.map(({ name, description }) => ({ name: `${name}: ${description}`.slice(0, 100), value: name }));
    default:
      return [];
  }
};
