import { defineCommand } from '../core/command.ts';
import type { Entry, Usage } from '../core/conversation.ts';
import { codeSpan, markdownTable } from '../core/markdown-text.ts';
import { ok } from '../core/result.ts';

/** Tokens of this thread by model, as the servers reported them. What is not known is said to be unknown. */
export const usageCommand = defineCommand({
  name: 'usage',
  description: 'Show how many tokens this thread has used',
  usage: 'usage',
  action: 'read',
  when: 'now',
  run: async (_call, { entries }) => {
    const all = await entries();
    return all.ok ? ok({ text: describe(all.value), private: true }) : all;
  },
});

type Sum = { answers: number; unknown: number; estimated: boolean; input: number; cachedInput: number; output: number; reasoning: number };

const describe = (entries: readonly Entry[]): string => {
  const sums = new Map<string, Sum>();
  for (const entry of entries) {
    // A turn that ended before any reply has neither a model nor a count: it is no use of a model.
    if (entry.kind === 'answered' && (entry.usage !== null || entry.model !== '')) {
      const sum = sums.get(entry.model) ?? { answers: 0, unknown: 0, estimated: false, input: 0, cachedInput: 0, output: 0, reasoning: 0 };
      sums.set(entry.model, add(sum, entry.usage));
    }
  }
  if (sums.size === 0) return 'No answer of a model in this thread yet, so no tokens.';
  const rows = [...sums].map(([model, sum]) => [
    codeSpan(model) || 'unknown',
    number(sum.answers),
    number(sum.input),
    number(sum.cachedInput),
    number(sum.output),
    number(sum.reasoning),
  ]);
  const all = [...sums.values()];
  const unknown = all.reduce((total, sum) => total + sum.unknown, 0);
  return [
    markdownTable(['model', 'answers', 'tokens in', 'of them cached', 'tokens out', 'of them reasoning'], rows),
    unknown === 0 ? '' : `For ${unknown === 1 ? 'one answer' : `${unknown} answers`} the server told no count, so the true sum is higher.`,
    all.some((sum) => sum.estimated) ? 'Some counts are estimates.' : '',
    'What this cost is unknown: no prices are set up here.',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

const add = (sum: Sum, usage: Usage | null): Sum => ({
  answers: sum.answers + 1,
  unknown: sum.unknown + (usage === null ? 1 : 0),
  estimated: sum.estimated || usage?.estimated === true,
  input: sum.input + (usage?.input ?? 0),
  cachedInput: sum.cachedInput + (usage?.cachedInput ?? 0),
  output: sum.output + (usage?.output ?? 0),
  reasoning: sum.reasoning + (usage?.reasoning ?? 0),
});
const number = (n: number): string => n.toLocaleString('en');
