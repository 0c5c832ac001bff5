import { defineCommand } from '../core/command.ts';
import type { SentPart } from '../core/command.ts';
import type { Entry, EntryOf, PromptStamp, Usage } from '../core/conversation.ts';
import { codeBlock, codeSpan, markdownTable, plainWords } from '../core/markdown-text.ts';
import { ok } from '../core/result.ts';
import { firstLine } from '../core/text.ts';

/**
 * What stood behind the last answer: the question, the model, the prompts with version and hash, the tool calls, the tokens; and, as a file,
 * every word that the model read. That text is rendered anew from the stored history; the hashes tell whether it is still the same.
 */
export const whyCommand = defineCommand({
  name: 'why',
  description: 'Show what the last answer rests on: prompts, model, tool calls',
  usage: 'why',
  options: [],
  action: 'read',
  when: 'now',
  run: async (_call, { session, entries, sent }) => {
    const all = await entries();
    if (!all.ok) return all;
    const current = all.value.slice(session.since);
    const at = current.findLastIndex((entry) => entry.kind === 'answered');
    const answer = current[at];
    if (answer?.kind !== 'answered') return ok({ text: 'There is no answer yet that I could explain.', private: true });
    const parts = await sent(current.slice(0, at));
    if (!parts.ok) return parts;
    const turn = current.filter((entry) => entry.turn === answer.turn);
    return ok({
      text: [summary(answer, turn), prompts(answer.prompts, parts.value), calls(turn), 'The whole text that the model read is in the file.']
        .filter((part) => part !== '')
        .join('\n\n'),
      files: [{ name: 'why.md', type: 'text/markdown', content: stack(answer, parts.value) }],
    });
  },
});

const summary = (answer: EntryOf<'answered'>, turn: readonly Entry[]): string => {
  const asked = turn.flatMap((entry) =>
    entry.kind === 'said' ? [`${plainWords(entry.author.name)}: ${codeSpan(firstLine(entry.text))}`] : [],
  );
  const steps = 1 + turn.filter((entry) => entry.kind === 'called').length;
  return [
    ...asked.map((question) => `- Asked by ${question}`),
    `- Model: ${answer.model === '' ? 'none answered' : codeSpan(answer.model)}, ${steps === 1 ? 'one request' : `${steps} requests`}`,
    `- Tokens: ${tokens(answer.usage)}`,
    `- Ended: ${answer.status}${answer.failure === null ? '' : ` (${codeSpan(answer.failure.code)})`}`,
  ].join('\n');
};

const tokens = (usage: Usage | null): string =>
  usage === null
    ? 'unknown, the server told no count'
    : `${usage.input.toLocaleString('en')} in (${usage.cachedInput.toLocaleString('en')} cached), ${usage.output.toLocaleString('en')} out (${usage.reasoning.toLocaleString('en')} reasoning)${usage.estimated ? ', estimated' : ''}`;

const prompts = (stamps: readonly PromptStamp[], parts: readonly SentPart[]): string => {
  if (stamps.length === 0) return 'No prompts are recorded for it: no request was answered.';
  const now = new Set(parts.flatMap((part) => (part.stamp === null ? [] : [keyOf(part.stamp)])));
  const changed = stamps.filter((stamp) => !now.has(keyOf(stamp)));
  const rows = stamps.map((stamp) => [codeSpan(stamp.id), String(stamp.version), codeSpan(stamp.hash)]);
  return [
    markdownTable(['prompt', 'version', 'hash'], rows),
    ...(changed.length === 0
      ? []
      : [
          `Not in the file in these very words: ${changed.map((stamp) => codeSpan(stamp.id)).join(', ')} (sent for one request only, or changed since).`,
        ]),
  ].join('\n\n');
};
const keyOf = (stamp: PromptStamp): string => `${stamp.id} ${stamp.version} ${stamp.hash}`;

const calls = (turn: readonly Entry[]): string => {
  const failed = new Map(turn.flatMap((entry) => (entry.kind === 'result' ? [[entry.call, entry.failed] as const] : [])));
  const lines = turn.flatMap((entry) =>
    entry.kind === 'called'
      ? entry.calls.map(
          (call) => `- ${codeSpan(call.name)} ${codeSpan(firstLine(call.arguments, 120))}${failed.get(call.id) === true ? ': failed' : ''}`,
        )
      : [],
  );
  return lines.length === 0 ? '' : `Tool calls:\n\n${lines.join('\n')}`;
};

const stack = (answer: EntryOf<'answered'>, parts: readonly SentPart[]): string =>
  `${[
    `# What the model read before it answered`,
    `Model: ${answer.model === '' ? 'none answered' : codeSpan(answer.model)}`,
    ...parts.map(({ role, text, stamp }, index) => {
      const from =
        stamp === null ? 'its own words' : `prompt ${codeSpan(stamp.id)}, version ${stamp.version}, hash ${codeSpan(stamp.hash)}`;
      return `## ${index + 1}. ${role}: ${from}\n\n${codeBlock(text, 'text')}`;
    }),
    '# Its answer',
    answer.text,
  ].join('\n\n')}\n`;
