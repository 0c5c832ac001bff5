/**
 * The turn as a state machine: `step(turn, event) -> [turn, effect]`. Pure. The shell (src/turn/run-turn.ts) performs the
 * effect and feeds back what came of it. Events are journalled, so a turn whose worker died is resumed by replaying them.
 *
 * A turn answers one mailbox item (and the messages that joined it on the way). It ends with the effect `finish`;
 * then `turn.entries` is what it adds to the conversation. Every call has exactly one result by then.
 */
import type { Entry, EntryOf, ToolCall, Usage } from './conversation.ts';
import type { Session } from './conversation.ts';
import { addCost, addUsage } from './cost.ts';
import type { StoredFailure } from './failure.ts';
import { failure, toStoredFailure } from './failure.ts';
import type { MessageId, TurnId } from './ids.ts';
import { messageId } from './ids.ts';
import type { ItemOf, MailboxItem } from './message.ts';
import type { Trail } from './repetition.ts';
import { repetitionOf } from './repetition.ts';
import type { Run, RunFile } from './run.ts';
import type { ToolResult } from './tool.ts';
import type { TurnEvent, TurnEventOf, TurnLimits } from './turn-event.ts';

/** What is said to the model beside the history: why it must answer now, or that it said nothing. */
export type Hint = 'none' | 'answer-now' | 'repeating' | 'say-something' | 'go-on';

export type Effect =
  | { readonly do: 'ask-model'; readonly tools: boolean; readonly hint: Hint }
  | { readonly do: 'run-tools'; readonly calls: readonly ToolCall[] }
  | { readonly do: 'run-code'; readonly code: string }
  /** Nothing to do until the events of the effect that is under way have come. */
  | { readonly do: 'wait' }
  | { readonly do: 'finish' };

export type Turn = {
  readonly id: TurnId;
  readonly item: ItemOf<'ask' | 'run'>;
  readonly joined: readonly MailboxItem[];
  readonly limits: TurnLimits;
  readonly session: Session;
  readonly step: number;
  readonly calls: number;
  /** Calls of the running step, in order, with their results as they come. */
  readonly open: readonly { readonly call: ToolCall; readonly result: ToolResult | null; readonly started: boolean }[];
  readonly entries: readonly Entry[];
  /** What the model said in steps that went on with calls, and in parts cut off by its length limit. */
  readonly spoken: readonly string[];
  readonly files: readonly RunFile[];
  readonly usage: Usage | null;
  /** What all requests cost; null once one of them cost nobody knows what. */
  readonly costMicros: number | null;
  readonly nudged: boolean;
  readonly continued: boolean;
  /** What was called and what came of it, in order. */
  readonly trail: Trail;
  readonly ended: boolean;
};

/** The bot's message of a turn. */
export const botMessage = (turn: TurnId): MessageId => messageId(turn);
/** A person's message, by the key of its event. */
export const personMessage = (item: MailboxItem): MessageId => messageId(item.key);

/** A person's message as the turn that takes it up records it. */
export const saidIn = (turn: TurnId, item: ItemOf<'ask' | 'run'>): EntryOf<'said'> => ({
  kind: 'said',
  at: item.at,
  turn,
  message: personMessage(item),
  key: item.key,
  author: item.author,
  text: item.text,
  intent: item.kind,
  files: item.files,
});

type Next = readonly [Turn, Effect];

/** Begins a turn from its first event. */
export const beginTurn = (event: TurnEventOf<'turn-started'>): Next => {
  const { item } = event;
  if (item.kind === 'command') throw new TypeError('a command is not a turn of the model');
  const said = saidIn(event.turn, item);
  const turn: Turn = {
    id: event.turn,
    item,
    joined: [],
    limits: event.limits,
    session: event.session,
    step: 0,
    calls: 0,
    open: [],
    entries: [said],
    spoken: [],
    files: [],
    usage: null,
    costMicros: 0,
    nudged: false,
    continued: false,
    trail: [],
    ended: false,
  };
  return item.kind === 'run' ? [turn, { do: 'run-code', code: item.code }] : askModel(turn, 'none');
};

/** The next state and the next thing to do. An event that comes after the end changes nothing. */
export const step = (turn: Turn, event: TurnEvent): Next => {
  if (turn.ended) return [turn, { do: 'finish' }];
  switch (event.type) {
    case 'turn-started':
      throw new TypeError('a turn starts once');
    case 'model-replied':
      return modelReplied(turn, event);
    case 'model-failed':
      return answer(withSpent(turn, event), event.at, { text: event.text, status: 'failed', failure: event.failure });
    case 'model-spent':
      return [withSpent(turn, event), { do: 'wait' }];
    case 'history-summarised':
      return [summarised(withSpent(turn, event), event), { do: 'wait' }];
    case 'tool-started':
      return [
        { ...turn, open: turn.open.map((open) => (open.call.id === event.call ? { ...open, started: true } : open)) },
        { do: 'wait' },
      ];
    case 'tool-finished':
      return toolFinished(turn, event);
    case 'code-finished': {
      const ran: EntryOf<'ran'> = {
        kind: 'ran',
        at: event.at,
        turn: turn.id,
        call: null,
        message: personMessage(turn.item),
        run: event.run,
      };
      return end({ ...turn, session: afterRun(turn.session, event.run), entries: [...turn.entries, ran] });
    }
    case 'code-failed':
      return answer(turn, event.at, { text: '', status: 'failed', failure: event.failure });
    case 'person-joined':
      return [joinPerson(turn, event.item), { do: 'wait' }];
    case 'stop-requested':
      return answer(closeOpen(turn, event.at, 'it was stopped'), event.at, {
        text: event.text,
        status: 'stopped',
        failure: toStoredFailure(failure('stopped', { by: event.by.name })),
      });
    case 'time-ran-out':
      return answer(closeOpen(turn, event.at, 'the time for this turn was up'), event.at, {
        text: event.text,
        status: 'cut',
        failure: event.failure,
      });
    default:
      return event satisfies never;
  }
};

/** Replays a journal. Undefined where it is empty. */
export const replay = (events: readonly TurnEvent[]): Next | undefined => {
  const [first, ...rest] = events;
  if (first?.type !== 'turn-started') return undefined;
  // `wait` means that the effect before it is still under way: after a crash that effect is what must be taken up again.
  return rest.reduce<Next>(([turn, effect], event) => {
    const [next, following] = step(turn, event);
    return [next, following.do === 'wait' ? effect : following];
  }, beginTurn(first));
};

/** The items that the turn answers, oldest first. */
export const itemsOf = (turn: Turn): readonly MailboxItem[] => [turn.item, ...turn.joined];

const askModel = (turn: Turn, hint: Hint): Next => {
  const last = turn.step + 1 >= turn.limits.steps || turn.calls >= turn.limits.calls;
  const why = hint === 'none' && last ? 'answer-now' : hint;
  return [
    { ...turn, step: turn.step + 1 },
    { do: 'ask-model', tools: !last && why !== 'repeating' && repetitionOf(turn.trail) !== 'stop', hint: why },
  ];
};

const modelReplied = (before: Turn, event: TurnEventOf<'model-replied'>): Next => {
  const turn = withSpent(before, event);
  const text = event.text.trim();
  const mayCall = turn.step < turn.limits.steps && turn.calls < turn.limits.calls;
  if (event.finish === 'filtered')
    return answer(turn, event.at, { text: '', status: 'failed', failure: toStoredFailure(failure('model-filtered', {})) }, event);
  if (event.calls.length > 0 && mayCall) return called(turn, event, text);
  if (text === '' && !turn.nudged) return askModel({ ...turn, nudged: true }, 'say-something');
  if (text === '')
    return answer(turn, event.at, { text: '', status: 'failed', failure: toStoredFailure(failure('model-empty', {})) }, event);
  if (event.finish === 'length' && !turn.continued)
    return askModel(
      { ...turn, continued: true, spoken: [...turn.spoken, event.text], entries: [...turn.entries, assistantPart(turn, event)] },
      'go-on',
    );
  return answer(turn, event.at, { text, status: event.finish === 'length' ? 'cut' : 'complete', failure: null }, event);
};

const assistantPart = (turn: Turn, event: TurnEventOf<'model-replied'>): EntryOf<'called'> => ({
  kind: 'called',
  at: event.at,
  turn: turn.id,
  step: turn.step,
  text: event.text,
  calls: [],
  passBack: event.passBack,
});

const called = (turn: Turn, event: TurnEventOf<'model-replied'>, text: string): Next => {
  const room = Math.min(turn.limits.callsPerStep, turn.limits.calls - turn.calls);
  const open = event.calls.map(({ call, problem }, index) => ({
    call,
    started: false,
    result: index < room ? problem : notRun('there were too many calls at once'),
  }));
  const entry: EntryOf<'called'> = {
    kind: 'called',
    at: event.at,
    turn: turn.id,
    step: turn.step,
    text,
    calls: event.calls.map((offered) => offered.call),
    passBack: event.passBack,
  };
  const next = {
    ...turn,
    open,
    calls: turn.calls + Math.min(open.length, room),
    entries: [...turn.entries, entry],
    spoken: text === '' ? turn.spoken : [...turn.spoken, text],
  };
  const waiting = open.filter((one) => one.result === null).map((one) => one.call);
  return waiting.length === 0 ? closeStep(next, event.at) : [next, { do: 'run-tools', calls: waiting }];
};

const toolFinished = (turn: Turn, event: TurnEventOf<'tool-finished'>): Next => {
  const open = turn.open.map((one) => (one.call.id === event.call && one.result === null ? { ...one, result: event.result } : one));
  const run = event.result.run;
  const next = {
    ...turn,
    open,
    session: run === null ? turn.session : afterRun(turn.session, run),
    files: run === null ? turn.files : [...turn.files, ...run.files],
  };
  return open.every((one) => one.result !== null) ? closeStep(next, event.at) : [next, { do: 'wait' }];
};

/** All calls of the step have results: they enter the history in call order, and the model goes on. */
const closeStep = (turn: Turn, time: number): Next => {
  let trail = turn.trail;
  let circles = false;
  const entries: Entry[] = [];
  for (const { call, result } of turn.open) {
    if (result === null) throw new TypeError('a call without a result');
    trail = [...trail, `${call.name} ${call.arguments} ${outcomeOf(result)}`];
    const repetition = repetitionOf(trail);
    circles ||= repetition === 'stop';
    if (result.run !== null)
      entries.push({ kind: 'ran', at: time, turn: turn.id, call: call.id, message: botMessage(turn.id), run: result.run });
    entries.push({
      kind: 'result',
      at: time,
      turn: turn.id,
      call: call.id,
      name: call.name,
      text: repetition === 'note' ? `${result.text}\n${REPEATED}` : result.text,
      failed: result.failed,
      run: result.run?.n ?? null,
      outside: result.outside,
      links: result.links,
      kept: result.kept,
    });
  }
  return askModel({ ...turn, trail, open: [], entries: [...turn.entries, ...entries] }, circles ? 'repeating' : 'none');
};
/** Runs differ in their numbers and times; what was printed, given back or raised is what counts. */
const outcomeOf = ({ run, text }: ToolResult): string =>
  run === null ? text : `${run.end} ${run.output} ${run.value ?? ''} ${run.error?.type ?? ''} ${run.error?.value ?? ''}`;
const REPEATED =
  '(You are going round in circles: the same calls gave the same results before. Do not make them again; answer, or try something else.)';

const notRun = (why: string): ToolResult => ({
  text: `This call was not run: ${why}.`,
  failed: true,
  run: null,
  head: null,
  outside: false,
  links: [],
  kept: null,
});

/** Gives every call that has no result an honest one, so that the history stays valid. */
const closeOpen = (turn: Turn, time: number, why: string): Turn => {
  if (turn.open.length === 0) return turn;
  const open = turn.open.map((one) => ({ ...one, result: one.result ?? notRun(one.started ? `${why}; its outcome is unknown` : why) }));
  const [closed] = closeStep({ ...turn, open }, time);
  return { ...closed, step: turn.step };
};

const joinPerson = (turn: Turn, item: MailboxItem): Turn => {
  if (item.kind === 'command' || turn.joined.some((other) => other.key === item.key)) return turn;
  return { ...turn, joined: [...turn.joined, item], entries: [...turn.entries, saidIn(turn.id, item)] };
};

const summarised = (turn: Turn, { at, from, text, model, outside, prompts }: TurnEventOf<'history-summarised'>): Turn => ({
  ...turn,
  entries: [...turn.entries, { kind: 'summarised', at, turn: turn.id, from, text, model, outside, prompts }],
});

type Outcome = { readonly text: string; readonly status: EntryOf<'answered'>['status']; readonly failure: StoredFailure | null };

const answer = (turn: Turn, time: number, outcome: Outcome, reply?: TurnEventOf<'model-replied'>): Next => {
  const answered: EntryOf<'answered'> = {
    kind: 'answered',
    at: time,
    turn: turn.id,
    message: botMessage(turn.id),
    text: outcome.text,
    files: turn.files,
    status: outcome.status,
    failure: outcome.failure,
    model: reply?.model ?? '',
    usage: turn.usage,
    costMicros: turn.usage === null ? null : turn.costMicros,
    prompts: reply?.prompts ?? [],
  };
  return end({ ...turn, entries: [...turn.entries, answered] });
};
const end = (turn: Turn): Next => [{ ...turn, ended: true }, { do: 'finish' }];

const afterRun = (session: Session, run: Run): Session => ({
  ...session,
  runs: Math.max(session.runs, run.n),
  head: run.after,
});

type SpentEvent = { readonly usage: Usage | null; readonly costMicros: number | null };
const withSpent = (turn: Turn, { usage, costMicros }: SpentEvent): Turn =>
  usage === null ? turn : { ...turn, usage: addUsage(turn.usage, usage), costMicros: addCost(turn.costMicros, costMicros) };

/** The calls of the running step that have no result; `started` ones have an unknown outcome after a crash. */
export const unfinished = (turn: Turn): readonly { readonly call: ToolCall; readonly started: boolean }[] =>
  turn.open.filter((one) => one.result === null).map(({ call, started }) => ({ call, started }));
