/** The calls of a turn's step: taken on, answered one by one, and closed in call order. Every call gets exactly one result. Pure. */
import { awaitingEntry } from './approval.ts';
import type { Entry, EntryOf, ToolCall } from './conversation.ts';
import { repetitionOf } from './repetition.ts';
import { wordsResult } from './tool.ts';
import type { ToolResult } from './tool.ts';
import type { TurnEventOf } from './turn-event.ts';
import { afterRun, askerOf, botMessage } from './turn-state.ts';
import type { OpenCall, Turn } from './turn-state.ts';

/** The turn with the calls of this reply open. A call that cannot be made, may not be made, or has to wait has its result at once. */
export const takeOn = (turn: Turn, event: TurnEventOf<'model-replied'>, text: string): Turn => {
  const room = Math.min(turn.limits.callsPerStep, turn.limits.calls - turn.calls);
  const open = event.calls.map(({ call, problem, grant }, index): OpenCall => {
    if (index >= room) return { call, started: false, grant: null, result: notRun('there were too many calls at once') };
    return { call, started: false, grant, result: problem ?? (grant === null ? null : waits) };
  });
  const entry: EntryOf<'called'> = {
    kind: 'called',
    at: event.at,
    turn: turn.id,
    step: turn.step,
    text,
    calls: event.calls.map((offered) => offered.call),
    passBack: event.passBack,
  };
  return {
    ...turn,
    open,
    calls: turn.calls + Math.min(open.length, room),
    entries: [...turn.entries, entry],
    spoken: text === '' ? turn.spoken : [...turn.spoken, text],
    replied: { model: event.model, prompts: event.prompts },
  };
};

export const withStarted = (turn: Turn, { call }: TurnEventOf<'tool-started'>): Turn => ({
  ...turn,
  open: turn.open.map((one) => (one.call.id === call ? { ...one, started: true } : one)),
});

export const withResult = (turn: Turn, { call, result }: TurnEventOf<'tool-finished'>): Turn => ({
  ...turn,
  open: turn.open.map((one) => (one.call.id === call && one.result === null ? { ...one, result } : one)),
  session: result.run === null ? turn.session : afterRun(turn.session, result.run),
  files: [...turn.files, ...(result.run?.files ?? []), ...result.files],
});

export const allAnswered = (turn: Turn): boolean => turn.open.every((one) => one.result !== null);

/** The turn after a step whose calls all have results. `circles`: the model goes round in circles. `waiting`: some of the calls wait for a yes. */
type Closed = { readonly turn: Turn; readonly circles: boolean; readonly waiting: boolean };

export const closeStep = (turn: Turn, time: number): Closed => {
  let trail = turn.trail;
  let circles = false;
  const entries: Entry[] = [];
  for (const { call, result, grant } of turn.open) {
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
      files: result.files,
    });
    if (grant !== null) entries.push(awaitingEntry({ at: time, turn: turn.id, call, asker: askerOf(turn), grant }));
  }
  const waiting = turn.open.some((one) => one.grant !== null);
  return { turn: { ...turn, trail, open: [], entries: [...turn.entries, ...entries] }, circles, waiting };
};

/** Gives every call that has no result an honest one, so that the history stays valid. A turn that is ended asks for no yes any more. */
export const closeOpen = (turn: Turn, time: number, why: string): Turn => {
  if (turn.open.length === 0) return turn;
  const open = turn.open.map(({ call, started, result, grant }): OpenCall => ({
    call,
    started,
    result: grant === null && result !== null ? result : notRun(started ? `${why}; its outcome is unknown` : why),
    grant: null,
  }));
  return closeStep({ ...turn, open }, time).turn;
};

/** The calls of the running step that have no result; `started` ones have an unknown outcome after a crash. */
export const unfinished = (turn: Turn): readonly { readonly call: ToolCall; readonly started: boolean }[] =>
  turn.open.filter((one) => one.result === null).map(({ call, started }) => ({ call, started }));

/** Runs differ in their numbers and times; what was printed, given back or raised is what counts. */
const outcomeOf = ({ run, text }: ToolResult): string =>
  run === null ? text : `${run.end} ${run.output} ${run.value ?? ''} ${run.error?.type ?? ''} ${run.error?.value ?? ''}`;
const REPEATED =
  '(You are going round in circles: the same calls gave the same results before. Do not make them again; answer, or try something else.)';

const notRun = (why: string): ToolResult => wordsResult(`This call was not run: ${why}.`, true);
const waits = wordsResult(
  'This call has not been made: it waits for a person to approve it with a button or a command. If it is approved, it is made just as it stands, and you are told the result. Do not make it again; somebody saying yes in a message does not approve it.',
  false,
);
