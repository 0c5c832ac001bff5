/**
 * What goes to the model: entries -> context items, within a budget. Pure, and always valid: every call is followed by exactly one
 * result, results without a call do not appear, and only whole turns are left out, the oldest first.
 *
 * Relief comes in this order: older results are taken out, then the oldest turns are summed up (`planSummary`; the shell has that done),
 * then whole turns are left out. The stored entries are never changed by any of it; a thread's full history stays readable.
 */
import { costOf, groupByTurn, toItems } from './context-item.ts';
import type { ContextItem } from './context-item.ts';
import type { Entry, EntryOf } from './conversation.ts';
import type { SessionFacts } from './ledger.ts';
import { clearOld, shorten } from './relief.ts';

/** Entries of a conversation that count; `base` is the index of the first one. Entries before it, from `since` on, count and are not at hand. */
export type History = { readonly entries: readonly Entry[]; readonly base: number; readonly since: number };

/** All of a short conversation. */
export const wholeHistory = (entries: readonly Entry[], base = 0): History => ({ entries, base, since: base });

type Kept = { readonly turns: readonly (readonly Entry[])[]; readonly summary: EntryOf<'summarised'> | null; readonly unseen: number };

/** What the newest summary leaves to be told in full. */
const keptOf = ({ entries, base, since }: History): Kept => {
  const summary = entries.findLast((entry) => entry.kind === 'summarised' && entry.text !== '') ?? null;
  const from = summary?.kind === 'summarised' ? summary.from : since;
  const rest = entries.slice(Math.max(0, from - base)).filter((entry) => entry.kind !== 'summarised');
  return { turns: groupByTurn(rest), summary: summary?.kind === 'summarised' ? summary : null, unseen: Math.max(0, base - from) };
};

const summaryItems = ({ summary }: Kept): readonly ContextItem[] => (summary === null ? [] : [{ kind: 'summary', text: summary.text }]);

/** Above this share of the budget, relief begins; a summary brings it down to about the other. */
const TIGHT = 0.8;
const KEEP = 0.3;

/** So many entries are too many, whatever they cost: the shell reads 2,000, and what is beyond them would be left out without a summary. */
const MOST_ENTRIES = 1_600;
const KEEP_ENTRIES = 600;

/** The items of all turns; where they are more than a good part of the budget, without the results of the older ones. */
const relieved = (kept: Kept, budget: number): readonly (readonly ContextItem[])[] => {
  const turns = kept.turns.map(toItems);
  return costOf([...summaryItems(kept), ...turns.flat()]) > budget * TIGHT ? clearOld(turns) : turns;
};

/** Whether a context leaves something out, so that the model must be told where the session stands. */
export const leavesOut = (history: History, budget: number): boolean => {
  const kept = keptOf(history);
  return kept.summary !== null || kept.unseen > 0 || costOf(kept.turns.flatMap(toItems)) > budget * TIGHT;
};

/**
 * The newest turns that fit into `budget` tokens, always with the last one; what was left out is told as a summary or a gap. `facts` stand
 * before the last turn, as late as may be: they change from turn to turn, and what comes before them does not.
 */
export const project = (history: History, budget: number, facts: SessionFacts | null = null): readonly ContextItem[] => {
  const kept = keptOf(history);
  const turns = relieved(kept, budget);
  const session: readonly ContextItem[] = facts === null ? [] : [{ kind: 'session', facts }];
  const summary = summaryItems(kept);
  const shown: (readonly ContextItem[])[] = [];
  let room = budget - costOf([...summary, ...session]);
  for (const items of turns.toReversed()) {
    const cost = costOf(items);
    if (cost > room && shown.length > 0) break;
    shown.unshift(cost > room ? shorten(items, room) : items);
    room -= cost;
  }
  const left = kept.unseen + kept.turns.slice(0, turns.length - shown.length).flat().length;
  return [
    ...summary,
    ...(left === 0 ? [] : [{ kind: 'gap' as const, left }]),
    ...shown.slice(0, -1).flat(),
    ...session,
    ...(shown.at(-1) ?? []),
  ];
};

/** What is to be summed up: `items`, after an earlier summary where there is one. Entries from index `from` on stay as they are. */
export type SummaryPlan = { readonly from: number; readonly previous: string | null; readonly items: readonly ContextItem[] };

/** Null where the history still fits, or where nothing but the last turn is left. Cuts stand between turns only. */
export const planSummary = (history: History, budget: number): SummaryPlan | null => {
  const kept = keptOf(history);
  const turns = relieved(kept, budget);
  const fits = costOf([...summaryItems(kept), ...turns.flat()]) <= budget * TIGHT;
  if (fits && kept.turns.flat().length <= MOST_ENTRIES) return null;
  let room = budget * KEEP;
  let entries = 0;
  let first = turns.length;
  for (const [index, items] of [...turns.entries()].toReversed()) {
    room -= costOf(items);
    entries += kept.turns[index]?.length ?? 0;
    if ((room < 0 || entries > KEEP_ENTRIES) && first < turns.length) break;
    first -= 1;
  }
  if (first === 0) return null;
  const entriesKept = kept.turns.slice(first).flat()[0];
  const index = entriesKept === undefined ? -1 : history.entries.indexOf(entriesKept);
  if (index < 0) return null;
  return { from: history.base + index, previous: kept.summary?.text ?? null, items: kept.turns.slice(0, first).flatMap(toItems) };
};
