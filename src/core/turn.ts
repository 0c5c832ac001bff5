/**
 * The turn as a state machine: `step(turn, event) -> [turn, effect]`. Pure. The shell (src/turn/run-turn.ts) performs the
 * effect and feeds back what came of it. Events are journalled, so a turn whose worker died is resumed by replaying them.
 *
 * A turn answers one mailbox item (and the messages that joined it on the way). It ends with the effect `finish`;
 * then `turn.entries` is what it adds to the conversation. Every call has exactly one result by then. A call that needs a person's yes
 * ends the turn with a result that says so; the yes is an item of its own, whose turn makes the call just as it was stored.
 */
import type { EntryOf, ToolCall } from './conversation.ts';
import { failure, toStoredFailure } from './failure.ts';
import { callId } from './ids.ts';
import type { MailboxItem } from './message.ts';
import { repetitionOf } from './repetition.ts';
import { allAnswered, closeOpen, closeStep, takeOn, withResult, withStarted } from './turn-calls.ts';
import type { Decision, TurnEvent, TurnEventOf } from './turn-event.ts';
import { afterRun, answer, end, NOBODY, personMessage, saidIn, withSpent } from './turn-state.ts';
import type { Hint, Next, Turn } from './turn-state.ts';

/** Begins a turn from its first event. */
export const beginTurn = (event: TurnEventOf<'turn-started'>): Next => {
  const { item, decision } = event;
  if (item.kind === 'command') throw new TypeError('a command is not a turn of the model');
  const turn: Turn = {
    id: event.turn,
    item,
    joined: [],
    limits: event.limits,
    session: event.session,
    step: 0,
    calls: 0,
    open: [],
    entries: item.kind === 'decision' ? [] : saidIn(event.turn, item),
    spoken: [],
    files: [],
    usage: null,
    costMicros: 0,
    replied: NOBODY,
    decided: null,
    nudged: false,
    continued: false,
    trail: [],
    ended: false,
  };
  if (item.kind === 'run') return [turn, { do: 'run-code', code: item.code }];
  if (item.kind === 'ask') return askModel(turn, 'none');
  if (decision === null) throw new TypeError('a decision about nothing');
  return decide(turn, event, decision);
};

/** A person's yes makes the stored call, under an id of this turn; a no only says so. */
const decide = (turn: Turn, { at, item }: TurnEventOf<'turn-started'>, { waiting, others, passBack }: Decision): Next => {
  const approved = item.kind === 'decision' && item.verdict === 'approve';
  const decided: EntryOf<'decided'> = {
    kind: 'decided',
    at,
    turn: turn.id,
    message: waiting.message,
    approval: waiting.approval,
    by: item.author,
    verdict: approved ? 'approved' : 'denied',
    tool: waiting.tool,
    arguments: waiting.arguments,
  };
  const entries = [...turn.entries, decided];
  if (!approved) return goOn({ ...turn, entries, decided: { waiting, others, call: null } }, at, 'none');
  // Some servers take a call only with what they sent beside it, which they know by the call's place in the reply: it keeps that place.
  const place = /:([\d.]+)$/.exec(waiting.call)?.[1] ?? '0';
  const call: ToolCall = { id: callId(`${turn.id}:0:${place}`), name: waiting.tool, arguments: waiting.arguments };
  const called: EntryOf<'called'> = { kind: 'called', at, turn: turn.id, step: 0, text: '', calls: [call], passBack };
  return [
    {
      ...turn,
      entries: [...entries, called],
      calls: 1,
      open: [{ call, result: null, started: false, grant: null }],
      decided: { waiting, others, call: call.id },
    },
    { do: 'run-tools', calls: [call] },
  ];
};

/** The next state and the next thing to do. An event that comes after the end changes nothing. */
export const step = (turn: Turn, event: TurnEvent): Next => {
  if (turn.ended) return [turn, { do: 'finish' }];
  switch (event.type) {
    case 'turn-started':
      throw new TypeError('a turn starts once');
    case 'model-replied':
      return modelReplied(withSpent(turn, event), event);
    case 'model-failed':
      return answer(withSpent(turn, event), event.at, { text: event.text, status: 'failed', failure: event.failure });
    case 'model-spent':
      return [withSpent(turn, event), { do: 'wait' }];
    case 'history-summarised':
      return [summarised(withSpent(turn, event), event), { do: 'wait' }];
    case 'tool-started':
      return [withStarted(turn, event), { do: 'wait' }];
    case 'tool-finished': {
      const next = withResult(turn, event);
      return allAnswered(next) ? stepDone(next, event.at) : [next, { do: 'wait' }];
    }
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

const askModel = (turn: Turn, hint: Hint): Next => {
  const last = turn.step + 1 >= turn.limits.steps || turn.calls >= turn.limits.calls;
  const why = hint === 'none' && last ? 'answer-now' : hint;
  return [
    { ...turn, step: turn.step + 1 },
    { do: 'ask-model', tools: !last && why !== 'repeating' && repetitionOf(turn.trail) !== 'stop', hint: why },
  ];
};

const modelReplied = (turn: Turn, event: TurnEventOf<'model-replied'>): Next => {
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
  const next = takeOn(turn, event, text);
  const waiting = next.open.filter((one) => one.result === null).map((one) => one.call);
  return waiting.length === 0 ? stepDone(next, event.at) : [next, { do: 'run-tools', calls: waiting }];
};

/** All calls of the step have results: the model goes on, unless somebody has to say yes first. */
const stepDone = (turn: Turn, time: number): Next => {
  const { turn: next, circles, waiting } = closeStep(turn, time);
  if (waiting) return answer(next, time, { text: NEEDS_YES, status: 'complete', failure: null }, next.replied);
  return goOn(next, time, circles ? 'repeating' : 'none');
};
const NEEDS_YES = 'Before I go on, somebody has to say yes or no to what I would like to do.';

/** Asks the model, except in a turn that decided one of several calls while others still wait: it goes on after the last of them. */
const goOn = (turn: Turn, time: number, hint: Hint): Next => {
  const others = turn.step === 0 ? (turn.decided?.others ?? 0) : 0;
  if (others === 0) return askModel(turn, hint);
  const text = `I go on when ${others === 1 ? 'the other call has' : `the other ${others} calls have`} been decided, too.`;
  return answer(turn, time, { text, status: 'complete', failure: null });
};

const joinPerson = (turn: Turn, item: MailboxItem): Turn => {
  if ((item.kind !== 'ask' && item.kind !== 'run') || turn.joined.some((other) => other.key === item.key)) return turn;
  return { ...turn, joined: [...turn.joined, item], entries: [...turn.entries, ...saidIn(turn.id, item)] };
};

const summarised = (turn: Turn, { at, from, text, model, outside, prompts }: TurnEventOf<'history-summarised'>): Turn => ({
  ...turn,
  entries: [...turn.entries, { kind: 'summarised', at, turn: turn.id, from, text, model, outside, prompts }],
});
