/** Commands in the terminal: `!name arguments`. A question is the command `ask`, so that its words are never taken for anything else. */
import type { Entry } from './input.ts';

export const toCommand = (entry: Extract<Entry, { kind: 'question' | 'command' }>): { readonly name: string; readonly args: string } =>
  entry.kind === 'question' ? { name: 'ask', args: entry.text } : { name: entry.name, args: entry.args };
