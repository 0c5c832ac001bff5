/**
 * What goes to the model: entries -> context items, within a budget. Pure, and always valid: every call is followed by exactly one
 * result, results without a call do not appear, and only whole turns are left out, the oldest first.
 *
 * The stored entries are never changed by this; a thread's full history stays readable.
 */
import type { Entry, EntryOf, ToolCall } from './conversation.ts';
import type { CallId } from './ids.ts';
import type { Run } from './run.ts';
import { cutMiddle } from './text.ts';

export type ContextItem =
  | { readonly kind: 'said'; readonly entry: EntryOf<'said'> }
  | { readonly kind: 'person-ran'; readonly entry: EntryOf<'ran'> }
  | {
      readonly kind: 'assistant';
      readonly text: string;
      readonly calls: readonly ToolCall[];
      readonly passBack: EntryOf<'called'>['passBack'];
    }
  | { readonly kind: 'result'; readonly call: ToolCall; readonly text: string; readonly run: Run | null }
  | { readonly kind: 'moved'; readonly entry: EntryOf<'state-moved'> }
  | { readonly kind: 'gap'; readonly left: number };

/** Rough tokens of a text: UTF-8 bytes by three, which errs on the high side for prose and fits code. */
const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3);

/** The newest turns that fit into `budget` tokens, always with the last one; what was left out is told as a gap. */
export const project = (entries: readonly Entry[], budget: number): readonly ContextItem[] => {
  const turns = groupByTurn(entries).map(toItems);
  const kept: (readonly ContextItem[])[] = [];
  let room = budget;
  for (const items of turns.toReversed()) {
    const cost = costOf(items);
    if (cost > room && kept.length > 0) break;
    kept.unshift(cost > room ? shorten(items, room) : items);
    room -= cost;
  }
  const left = turns.length - kept.length;
  return [...(left === 0 ? [] : [{ kind: 'gap' as const, left: entriesIn(entries, left) }]), ...kept.flat()];
};

const entriesIn = (entries: readonly Entry[], turns: number): number => groupByTurn(entries).slice(0, turns).flat().length;

const groupByTurn = (entries: readonly Entry[]): readonly (readonly Entry[])[] => {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.[0]?.turn === entry.turn) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
};

const toItems = (entries: readonly Entry[]): readonly ContextItem[] => {
  const results = new Map<CallId, EntryOf<'result'>>();
  const runs = new Map<CallId, Run>();
  for (const entry of entries) {
    if (entry.kind === 'result') results.set(entry.call, entry);
    if (entry.kind === 'ran' && entry.call !== null) runs.set(entry.call, entry.run);
  }
  return entries.flatMap((entry): ContextItem[] => {
    switch (entry.kind) {
      case 'said':
        return entry.intent === 'ask' ? [{ kind: 'said', entry }] : [];
      case 'ran':
        return entry.call === null ? [{ kind: 'person-ran', entry }] : [];
      case 'called':
        return [
          { kind: 'assistant', text: entry.text, calls: entry.calls, passBack: entry.passBack },
          // A call whose result is missing was interrupted: providers refuse a history with a call that nothing answers.
          ...entry.calls.map((call): ContextItem => ({
            kind: 'result',
            call,
            text: results.get(call.id)?.text ?? 'This call was interrupted; its outcome is unknown.',
            run: runs.get(call.id) ?? null,
          })),
        ];
      case 'answered':
        return entry.text.trim() === '' ? [] : [{ kind: 'assistant', text: entry.text, calls: [], passBack: null }];
      case 'state-moved':
        return [{ kind: 'moved', entry }];
      case 'result':
      case 'noticed':
        return [];
      default:
        return entry satisfies never;
    }
  });
};

const costOf = (items: readonly ContextItem[]): number => items.reduce((sum, item) => sum + 8 + estimateTokens(textOf(item)), 0);

const textOf = (item: ContextItem): string => {
  switch (item.kind) {
    case 'said':
      return item.entry.text;
    case 'person-ran':
      return item.entry.run.code + runText(item.entry.run);
    case 'assistant':
      return item.text + item.calls.map((call) => call.name + call.arguments).join('');
    case 'result':
      return item.run === null ? item.text : runText(item.run);
    case 'moved':
    case 'gap':
      return '';
    default:
      return item satisfies never;
  }
};
const runText = (run: Run): string => run.output + (run.value ?? '') + (run.error?.traceback ?? '');

/** A single turn that does not fit: its outputs are cut head and tail, so that the person's words and the calls stay. */
const shorten = (items: readonly ContextItem[], budget: number): readonly ContextItem[] => {
  const bulky = items.filter((item) => item.kind === 'result' || item.kind === 'person-ran').length;
  const fixed = costOf(items.filter((item) => item.kind !== 'result' && item.kind !== 'person-ran'));
  const each = Math.max(200, Math.floor(((budget - fixed) * 3) / Math.max(1, bulky)));
  const cutRun = (run: Run): Run => ({
    ...run,
    output: cutMiddle(run.output, each),
    value: run.value === null ? null : cutMiddle(run.value, each),
  });
  return items.map((item) => {
    if (item.kind === 'result') return { ...item, text: cutMiddle(item.text, each), run: item.run === null ? null : cutRun(item.run) };
    if (item.kind === 'person-ran') return { ...item, entry: { ...item.entry, run: cutRun(item.entry.run) } };
    return item;
  });
};
