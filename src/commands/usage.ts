import type { DayUse } from '../core/budget.ts';
import { defineCommand } from '../core/command.ts';
import type { Entry } from '../core/conversation.ts';
import { dollars } from '../core/cost.ts';
import { codeSpan, markdownTable } from '../core/markdown-text.ts';
import { ok } from '../core/result.ts';

/** Tokens and money of this thread, and of the person and the channel today, by model. What is not known is said to be unknown. */
export const usageCommand = defineCommand({
  name: 'usage',
  description: 'Show what this thread used, and you and this channel today: tokens and money',
  usage: 'usage',
  options: [],
  action: 'read',
  when: 'now',
  run: async (_call, { entries, today }) => {
    const [all, used] = await Promise.all([entries(), today()]);
    if (!all.ok) return all;
    if (!used.ok) return used;
    const thread = ofThread(all.value);
    const { person, channel } = used.value;
    const parts = [
      ...(thread.length > 0 ? ['**This thread**', threadTable(thread)] : []),
      // Outside of threads (a slash command) there is no thread to speak of.
      ...(thread.length === 0 && all.value.length > 0 ? ['No answer of a model in this thread yet, so no tokens.'] : []),
      ...(person.models.length === 0 ? [] : ['**You, today**', dayTable(ofDay(person))]),
      ...(channel.models.length === 0 ? [] : ['**This channel, today**', dayTable(ofDay(channel))]),
    ];
    if (parts.length === 0) return ok({ text: 'Nothing was used yet today, by you or in this channel.', private: true });
    return ok({ text: [...parts, ...notes(thread)].join('\n\n'), private: true });
  },
});

/** `uncounted`: answers of which the server told no tokens. `unpriced`: answers or requests whose cost nobody knows. */
type Row = {
  readonly model: string;
  readonly times: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
  readonly micros: number;
  readonly unpriced: number;
  readonly uncounted: number;
  readonly estimated: boolean;
};

const empty: Omit<Row, 'model'> = {
  times: 0,
  input: 0,
  cached: 0,
  output: 0,
  reasoning: 0,
  micros: 0,
  unpriced: 0,
  uncounted: 0,
  estimated: false,
};

const ofThread = (entries: readonly Entry[]): readonly Row[] => {
  const rows = new Map<string, Row>();
  for (const entry of entries) {
    // A turn that ended before any reply has neither a model nor a count: it is no use of a model.
    if (entry.kind !== 'answered' || (entry.usage === null && entry.model === '')) continue;
    const { model, usage, costMicros } = entry;
    const row = rows.get(model) ?? { ...empty, model };
    rows.set(model, {
      model,
      times: row.times + 1,
      input: row.input + (usage?.input ?? 0),
      cached: row.cached + (usage?.cachedInput ?? 0),
      output: row.output + (usage?.output ?? 0),
      reasoning: row.reasoning + (usage?.reasoning ?? 0),
      micros: row.micros + (costMicros ?? 0),
      unpriced: row.unpriced + (costMicros === null ? 1 : 0),
      uncounted: row.uncounted + (usage === null ? 1 : 0),
      estimated: row.estimated || usage?.estimated === true,
    });
  }
  return [...rows.values()];
};

const ofDay = (day: DayUse): readonly Row[] =>
  day.models.map(({ requests, unknown, ...model }) => ({ ...empty, ...model, times: requests, unpriced: unknown }));

const threadTable = (rows: readonly Row[]): string =>
  markdownTable(
    ['model', 'answers', 'tokens in', 'of them cached', 'tokens out', 'of them reasoning', 'cost'],
    rows.map((row) => [name(row), ...[row.times, row.input, row.cached, row.output, row.reasoning].map(number), cost(row)]),
  );
const dayTable = (rows: readonly Row[]): string =>
  markdownTable(
    ['model', 'requests', 'tokens in', 'tokens out', 'cost'],
    rows.map((row) => [name(row), ...[row.times, row.input, row.output].map(number), cost(row)]),
  );
const name = ({ model }: Row): string => codeSpan(model) || 'unknown';

const cost = ({ times, micros, unpriced }: Row): string =>
  unpriced === 0 ? dollars(micros) : unpriced === times ? 'unknown' : `${dollars(micros)} and ${number(unpriced)} unknown`;

const notes = (rows: readonly Row[]): readonly string[] => {
  const uncounted = rows.reduce((total, row) => total + row.uncounted, 0);
  return [
    ...(uncounted === 0
      ? []
      : [`For ${uncounted === 1 ? 'one answer' : `${uncounted} answers`} the server told no count, so the true sum is higher.`]),
    ...(rows.some((row) => row.estimated) ? ['Some counts are estimates.'] : []),
    ...(rows.some((row) => row.unpriced > 0) ? ['An unknown cost is a model without a known price.'] : []),
  ];
};
const number = (n: number): string => n.toLocaleString('en');
