/**
 * Prompts are values. A prompt is defined once (`definePrompt`), rendered with typed variables, and only a
 * `RenderedPrompt` can be put to a model. Tool descriptions and what the model reads about a failed tool are prompts too.
 */
import { createHash } from 'node:crypto';
import type { PromptStamp } from './conversation.ts';
import type { PromptText } from './trust.ts';

declare const rendered: unique symbol;

/** Text that may go to a model, with the prompt behind it. Only `render` makes one. */
export type RenderedPrompt = { readonly [rendered]: true; readonly text: PromptText; readonly stamp: PromptStamp };

export type Prompt<Variables> = {
  readonly id: string;
  /** Raised with every change of the words; a manifest test compares it with the snapshots. */
  readonly version: number;
  readonly words: (variables: Variables) => PromptText;
};

/** Checks a prompt's id and returns it unchanged. Ids are kebab-case and unique over the whole project. */
export const definePrompt = <Variables>(prompt: Prompt<Variables>): Prompt<Variables> => {
  if (!/^[a-z][a-z0-9-]*$/.test(prompt.id)) throw new TypeError(`not a prompt id: ${prompt.id}`);
  return prompt;
};

/** The prompt's words with these variables, stamped with id, version and a hash of the text. */
export const render = <Variables>(prompt: Prompt<Variables>, variables: Variables): RenderedPrompt => {
  const text = prompt.words(variables);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const value = { text, stamp: { id: prompt.id, version: prompt.version, hash } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place where the brand is given
  return value as RenderedPrompt;
};
