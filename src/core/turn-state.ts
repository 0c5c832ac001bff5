/** What a turn is made of: its state, what it wants done next, and the ways in which it may end. Pure; `turn.ts` moves it. */
import type { Grant, Waiting } from './approval.ts';
import type { Entry, EntryOf, PromptStamp, Session, ToolCall, Usage } from './conversation.ts';
import { addCost, addUsage } from './cost.ts';
import type { StoredFailure } from './failure.ts';
import type { CallId, MessageId, TurnId } from './ids.ts';
import { messageId } from './ids.ts';
import type { ItemOf, MailboxItem, Person } from './message.ts';
import type { Trail } from './repetition.ts';
import type { Run, RunFile } from './run.ts';
import type { ToolResult } from './tool.ts';
import type { TurnEventOf, TurnLimits } from './turn-event.ts';

/** What is said to the model beside the history: why it must answer now, or that it said nothing. */
export type Hint = 'none' | 'answer-now' | 'repeating' | 'say-something' | 'go-on';

export type Effect =
  | { readonly do: 'ask-model'; readonly tools: boolean; readonly hint: Hint }
  | { readonly do: 'run-tools'; readonly calls: readonly ToolCall[] }
  | { readonly do: 'run-code'; readonly code: string }
  /** Nothing to do until the events of the effect that is under way have come. */
  | { readonly do: 'wait' }
  | { readonly do: 'finish' };

/** An item that a turn answers. */
export type TurnItem = ItemOf<'ask' | 'run' | 'decision'>;

/** A call of the running step. One with a grant waits for a person's yes beyond this turn. */
export type OpenCall = {
  readonly call: ToolCall;
  readonly result: ToolResult | null;
  readonly started: boolean;
  readonly grant: Grant | null;
};

export type Turn = {
  readonly id: TurnId;
  readonly item: TurnItem;
  readonly joined: readonly MailboxItem[];
  readonly limits: TurnLimits;
  readonly session: Session;
  readonly step: number;
  readonly calls: number;
  /** Calls of the running step, in order, with their results as they come. */
  readonly open: readonly OpenCall[];
  readonly entries: readonly Entry[];
  /** What the model said in steps that went on with calls, and in parts cut off by its length limit. */
  readonly spoken: readonly string[];
  readonly files: readonly RunFile[];
  readonly usage: Usage | null;
  /** What all requests cost; null once one of them cost nobody knows what. */
  readonly costMicros: number | null;
  /** Who answered last, and what it had read. */
  readonly replied: { readonly model: string; readonly prompts: readonly PromptStamp[] };
  /** The call that this turn was begun to make, or not to make. */
  readonly decided: Decided | null;
  readonly nudged: boolean;
  readonly continued: boolean;
  /** What was called and what came of it, in order. */
  readonly trail: Trail;
  readonly ended: boolean;
};

/** `others`: so many calls of the same turn are still waiting; the model goes on when all are decided. `call`: as it stands in this turn; null where it was denied. */
export type Decided = { readonly waiting: Waiting; readonly others: number; readonly call: CallId | null };

export type Next = readonly [Turn, Effect];

/** The bot's message of a turn. */
export const botMessage = (turn: TurnId): MessageId => messageId(turn);
/** A person's message, by the key of its event. */
export const personMessage = (item: Pick<MailboxItem, 'key'>): MessageId => messageId(item.key);

/** Whose turn it is: who asked. After a decision it is still the one who asked in the first place. */
export const askerOf = (turn: Turn): Person => turn.decided?.waiting.asker ?? turn.item.author;

/** A person's message as the turn that takes it up records it, after what was read of the thread for it. */
export const saidIn = (turn: TurnId, item: ItemOf<'ask' | 'run'>): readonly EntryOf<'said' | 'heard'>[] => {
  const said: EntryOf<'said'> = {
    kind: 'said',
    at: item.at,
    turn,
    message: personMessage(item),
    key: item.key,
    author: item.author,
    text: item.text,
    intent: item.kind,
    files: item.files,
  };
  return item.kind === 'ask' && item.earlier.length > 0 ? [{ kind: 'heard', at: item.at, turn, messages: item.earlier }, said] : [said];
};

/** The items that the turn answers, oldest first. */
export const itemsOf = (turn: Turn): readonly MailboxItem[] => [turn.item, ...turn.joined];

/**
 * Whether a waiting message may join the running turn: its asker's may, and the owner's of the thread, unless the asker may have code run and the
 * owner may not: words that steer are followed with the asker's rights.
 */
export const maySteer = (item: MailboxItem, turn: Turn, mayRun: (person: Person) => boolean): boolean => {
  if (item.kind !== 'ask' || item.files.length > 0) return false;
  const asker = askerOf(turn);
  if (item.author.id === asker.id) return true;
  return item.author.id === turn.session.owner?.id && (mayRun(item.author) || !mayRun(asker));
};

export type Outcome = { readonly text: string; readonly status: EntryOf<'answered'>['status']; readonly failure: StoredFailure | null };

/** Ends the turn with an answer. */
export const answer = (turn: Turn, time: number, outcome: Outcome, { model, prompts } = NOBODY): Next => {
  const answered: EntryOf<'answered'> = {
    kind: 'answered',
    at: time,
    turn: turn.id,
    message: botMessage(turn.id),
    text: outcome.text,
    files: turn.files,
    status: outcome.status,
    failure: outcome.failure,
    model,
    usage: turn.usage,
    costMicros: turn.usage === null ? null : turn.costMicros,
    prompts,
  };
  return end({ ...turn, entries: [...turn.entries, answered] });
};
export const NOBODY: Turn['replied'] = { model: '', prompts: [] };

export const end = (turn: Turn): Next => [{ ...turn, ended: true }, { do: 'finish' }];

export const afterRun = (session: Session, run: Run): Session => ({
  ...session,
  runs: Math.max(session.runs, run.n),
  head: run.after,
});

type SpentEvent = Pick<TurnEventOf<'model-spent'>, 'usage' | 'costMicros'>;
export const withSpent = (turn: Turn, { usage, costMicros }: SpentEvent): Turn =>
  usage === null ? turn : { ...turn, usage: addUsage(turn.usage, usage), costMicros: addCost(turn.costMicros, costMicros) };
