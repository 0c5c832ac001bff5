/** The parts of a context, made from entries: one turn after another, always valid, with what they cost. Pure. */
import type { Entry, EntryOf, ToolCall } from './conversation.ts';
import type { CallId } from './ids.ts';
import type { SessionFacts } from './ledger.ts';
import { SHOWN_OUTPUT } from './run.ts';
import type { Run, RunFile } from './run.ts';
import { estimateTokens } from './tokens.ts';

export type ContextItem =
  | { readonly kind: 'said'; readonly entry: EntryOf<'said'> }
  | { readonly kind: 'heard'; readonly entry: EntryOf<'heard'> }
  | { readonly kind: 'redacted'; readonly entry: EntryOf<'redacted'> }
  | { readonly kind: 'person-ran'; readonly entry: EntryOf<'ran'> }
  | {
      readonly kind: 'assistant';
      readonly text: string;
      readonly calls: readonly ToolCall[];
      readonly passBack: EntryOf<'called'>['passBack'];
    }
  | {
      readonly kind: 'result';
      readonly call: ToolCall;
      readonly text: string;
      readonly run: Run | null;
      readonly files: readonly RunFile[];
    }
  | { readonly kind: 'moved'; readonly entry: EntryOf<'state-moved'> }
  | { readonly kind: 'decided'; readonly entry: EntryOf<'decided'> }
  /** Everything earlier in a few words. */
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'gap'; readonly left: number }
  /** Where the Python session stands; takes the place of runs that are no longer in the context. */
  | { readonly kind: 'session'; readonly facts: SessionFacts };

export const groupByTurn = (entries: readonly Entry[]): readonly (readonly Entry[])[] => {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.[0]?.turn === entry.turn) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
};

/** The items of one turn. Every call is followed by exactly one result, and results without a call do not appear. */
export const toItems = (entries: readonly Entry[]): readonly ContextItem[] => {
  const results = new Map<CallId, EntryOf<'result'>>();
  const runs = new Map<CallId, Run>();
  for (const entry of entries) {
    if (entry.kind === 'result') results.set(entry.call, entry);
    if (entry.kind === 'ran' && entry.call !== null) runs.set(entry.call, entry.run);
  }
  // Of a turn whose words were all erased nothing is left to tell but where the state went.
  const forgotten = entries.some((entry) => entry.kind === 'redacted' && entry.why === 'forgotten') && !entries.some(isSaid);
  return entries.flatMap((entry): ContextItem[] => {
    if (forgotten && entry.kind !== 'state-moved') return [];
    switch (entry.kind) {
      case 'said':
        return entry.intent === 'ask' ? [{ kind: 'said', entry }] : [];
      case 'heard':
        return entry.messages.length === 0 ? [] : [{ kind: 'heard', entry }];
      case 'redacted':
        return [{ kind: 'redacted', entry }];
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
            files: results.get(call.id)?.files ?? [],
          })),
        ];
      case 'answered':
        return entry.text.trim() === '' ? [] : [{ kind: 'assistant', text: entry.text, calls: [], passBack: null }];
      case 'state-moved':
        return [{ kind: 'moved', entry }];
      case 'decided':
        return [{ kind: 'decided', entry }];
      case 'result':
      case 'awaiting':
      case 'noticed':
      case 'summarised':
        return [];
      default:
        return entry satisfies never;
    }
  });
};

const isSaid = (entry: Entry): boolean => entry.kind === 'said';

/** Tokens that items cost by estimate; the words around each of them are counted in. */
export const costOf = (items: readonly ContextItem[]): number =>
  items.reduce((sum, item) => sum + WRAPPING + estimateTokens(textOf(item)), 0);
const WRAPPING = 16;

const textOf = (item: ContextItem): string => {
  switch (item.kind) {
    case 'said':
      return item.entry.text;
    case 'heard':
      return item.entry.messages.map((one) => [one.author.name, one.text, ...one.files].join(' ')).join('\n');
    case 'person-ran':
      return item.entry.run.code + runText(item.entry.run);
    case 'assistant':
      return item.text + item.calls.map((call) => call.name + call.arguments).join('');
    case 'result':
      return item.run === null ? item.text : runText(item.run);
    case 'summary':
      return item.text;
    case 'session':
      return JSON.stringify(item.facts);
    case 'decided':
      return item.entry.arguments;
    case 'moved':
    case 'redacted':
    case 'gap':
      return '';
    default:
      return item satisfies never;
  }
};
const runText = (run: Run): string =>
  run.output.slice(0, SHOWN_OUTPUT) + (run.value ?? '').slice(0, SHOWN_OUTPUT) + (run.error?.traceback ?? '').slice(0, 4_000);
