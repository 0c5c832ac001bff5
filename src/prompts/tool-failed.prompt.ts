import type { Failure } from '../core/failure.ts';
import { forPerson } from '../core/failure.ts';
import { definePrompt } from '../core/prompt.ts';
import type { PromptText } from '../core/trust.ts';
import { joinWords, quote, quoteInline, untrusted, words } from '../core/trust.ts';

/**
 * What the model reads in the place of a result when a call did not give one. Each text says what happened and what to do next:
 * a model that is only told "error" makes the same call again.
 */
export const toolFailedPrompt = definePrompt<{ readonly failure: Failure }>({
  id: 'tool-failed',
  version: 1,
  words: ({ failure }) => wordsFor(failure),
});

const wordsFor = (failure: Failure): PromptText => {
  if (failure.code === 'tool-unknown')
    return failure.available.length === 0
      ? words`There is no tool ${name(failure.name)}; no tools are available now. Answer without one.`
      : words`There is no tool ${name(failure.name)}. Retry with one of: ${list(failure.available)}. If none of them fits, answer without a tool.`;
  if (failure.code === 'tool-arguments')
    return joinWords(
      [
        words`The call of ${name(failure.name)} was not made: its arguments were not usable.`,
        quote('problem', untrusted(failure.problem)),
        words`Call it again with corrected arguments: one complete JSON object that fits the tool's parameters.`,
      ],
      '\n',
    );
  if (failure.code === 'tool-timeout')
    return words`${name(failure.name)} took longer than ${failure.seconds} seconds and was ended. It gave no result. Try something smaller or answer without it.`;
  if (failure.code === 'tool-threw')
    return words`${name(failure.name)} failed inside; this is not the fault of your arguments. It gave no result. Do not repeat the same call more than once; else say that the tool does not work now.`;
  if (failure.code === 'tool-result-bad') return words`${name(failure.name)} returned something that cannot be read. Answer without it.`;
  if (failure.code === 'tool-not-run')
    return words`This call of ${name(failure.name)} was not run: ${quoteInline(untrusted(failure.why))}.`;
  if (failure.code === 'interrupted')
    return words`This call was interrupted before its result arrived. Its outcome is unknown: it may have taken effect or not. Do not make it again unless you have checked, or a person asks for it.`;
  return joinWords([words`The call gave no result.`, quote('problem', untrusted(forPerson(failure)))], '\n');
};

const name = (text: string): PromptText => quoteInline(untrusted(text), 64);
const list = (names: readonly string[]): PromptText => joinWords(names.map(name), ', ');
