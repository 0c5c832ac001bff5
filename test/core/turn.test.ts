import { describe, expect, it } from 'vitest';
import { newSession } from '../../src/core/conversation.ts';
import type { Entry } from '../../src/core/conversation.ts';
import { callId, eventKey, turnId } from '../../src/core/ids.ts';
import type { ItemOf, MailboxItem } from '../../src/core/message.ts';
import { unfinished } from '../../src/core/turn-calls.ts';
import { beginTurn, replay, step } from '../../src/core/turn.ts';
import { turnEventSchema } from '../../src/core/turn-event.ts';
import { maySteer } from '../../src/core/turn-state.ts';
import type { Effect, Turn } from '../../src/core/turn-state.ts';
import type { TurnEvent, TurnEventOf } from '../../src/core/turn-event.ts';
import type { ToolResult } from '../../src/core/tool.ts';
import { aRun } from '../support/a-run.ts';

const ann = { id: 'u1', name: 'Ann' };
const ask: ItemOf<'ask'> = {
  kind: 'ask',
  key: eventKey('k1'),
  at: 1,
  author: ann,
  origin: {},
  text: 'what is 2+2?',
  files: [],
  earlier: [],
};
const limits = { steps: 4, calls: 6, callsPerStep: 3, wallMs: 1_000 };
const started = (item: MailboxItem = ask): TurnEventOf<'turn-started'> => ({
  type: 'turn-started',
  at: 1,
  turn: turnId('t1'),
  item,
  session: newSession(0),
  decision: null,
  limits,
});
const replied = (
  text: string,
  calls: readonly string[] = [],
  finish: 'stop' | 'length' | 'filtered' = 'stop',
  args = '{"code":"2+2"}',
): TurnEvent => ({
  type: 'model-replied',
  at: 2,
  text,
  finish,
  model: 'm',
  usage: { input: 10, cachedInput: 0, output: 5, reasoning: 0, estimated: false },
  passBack: null,
  costMicros: null,
  prompts: [],
  calls: calls.map((id) => ({ call: { id: callId(id), name: 'python', arguments: args }, problem: null, grant: null })),
});
const result = (text: string): ToolResult => ({
  text,
  failed: false,
  run: null,
  head: null,
  outside: false,
  links: [],
  kept: null,
  files: [],
});
const finished = (id: string, text = '4'): TurnEvent => ({ type: 'tool-finished', at: 3, call: callId(id), result: result(text) });

/** Plays events from the start; gives the turn, the last effect that is not `wait`, and every effect. */
const play = (events: readonly TurnEvent[], first = started()): { turn: Turn; effect: Effect; all: Effect[] } => {
  let [turn, effect] = beginTurn(first);
  const all = [effect];
  for (const event of events) {
    const [next, following] = step(turn, event);
    turn = next;
    all.push(following);
    if (following.do !== 'wait') effect = following;
  }
  return { turn, effect, all };
};
const kinds = (turn: Turn): readonly Entry['kind'][] => turn.entries.map((entry) => entry.kind);
const answered = (turn: Turn): Extract<Entry, { kind: 'answered' }> => {
  const last = turn.entries.at(-1);
  if (last?.kind !== 'answered') throw new Error('not answered');
  return last;
};

describe('the turn', () => {
  it('asks the model, then finishes with its answer', () => {
    expect(play([]).effect).toEqual({ do: 'ask-model', tools: true, hint: 'none' });
    const { turn, effect } = play([replied('It is 4.')]);
    expect(effect).toEqual({ do: 'finish' });
    expect(kinds(turn)).toEqual(['said', 'answered']);
    expect(answered(turn)).toMatchObject({ text: 'It is 4.', status: 'complete', failure: null, model: 'm' });
  });

  it('runs calls until the model answers, one result per call in call order', () => {
    const { turn, effect } = play([replied('Let me see.', ['a', 'b']), finished('b', 'second'), finished('a', 'first'), replied('Done.')]);
    expect(effect.do).toBe('finish');
    expect(kinds(turn)).toEqual(['said', 'called', 'result', 'result', 'answered']);
    expect(turn.entries.flatMap((entry) => (entry.kind === 'result' ? [entry.text] : []))).toEqual(['first', 'second']);
    expect(turn.spoken).toEqual(['Let me see.']);
    expect(answered(turn).usage).toMatchObject({ input: 20, output: 10 });
  });

  it('answers a call that could not be decoded without running it', () => {
    const problem = { text: 'Unknown tool', failed: true, run: null, head: null, outside: false, links: [], kept: null, files: [] };
    const reply: TurnEvent = {
      ...replied(''),
      type: 'model-replied',
      calls: [{ call: { id: callId('a'), name: 'nope', arguments: '{}' }, problem, grant: null }],
    } as TurnEvent;
    const { turn, effect } = play([reply]);
    expect(effect).toMatchObject({ do: 'ask-model', tools: true });
    expect(turn.entries.at(-1)).toMatchObject({ kind: 'result', text: 'Unknown tool', failed: true });
  });

  it('MI3: runs at most so many calls of one message and answers the rest', () => {
    const { effect, turn } = play([replied('', ['a', 'b', 'c', 'd', 'e'])]);
    expect(effect.do === 'run-tools' && effect.calls.map((call) => call.id)).toEqual(['a', 'b', 'c']);
    expect(unfinished(turn)).toHaveLength(3);
    const done = play([replied('', ['a', 'b', 'c', 'd', 'e']), finished('a'), finished('b'), finished('c')]);
    expect(done.turn.entries.filter((entry) => entry.kind === 'result')).toHaveLength(5);
  });

  it('U095, U101: at the last step asks without tools, and takes the text even if calls come all the same (MD7)', () => {
    const rounds = [0, 1, 2].flatMap((n) => [replied('', [`c${n}`]), finished(`c${n}`, `r${n}`)]);
    const { effect } = play(rounds);
    expect(effect).toEqual({ do: 'ask-model', tools: false, hint: 'answer-now' });
    const end = play([...rounds, replied('This is what I have.', ['again'])]);
    expect(end.effect.do).toBe('finish');
    expect(answered(end.turn)).toMatchObject({ text: 'This is what I have.', status: 'complete' });
  });

  it('MI1, U094: warns at the third equal call with an equal result and takes the tools away at the fifth', () => {
    const wide = { ...started(), limits: { ...limits, steps: 12, calls: 24 } };
    const rounds = (n: number): TurnEvent[] => Array.from({ length: n }, (_, i) => [replied('', [`c${i}`]), finished(`c${i}`)]).flat();
    const third = play(rounds(3), wide);
    expect(third.turn.entries.at(-1)).toMatchObject({ kind: 'result', text: expect.stringContaining('round in circles') });
    expect(play(rounds(5), wide).effect).toEqual({ do: 'ask-model', tools: false, hint: 'repeating' });
    // Once the tools are off they stay off.
    expect(play([...rounds(5), replied('')], wide).effect).toEqual({ do: 'ask-model', tools: false, hint: 'say-something' });
  });

  it('notices two calls in turn (A-B-A-B) with the same results; other results are no circle', () => {
    const wide = { ...started(), limits: { ...limits, steps: 12, calls: 24 } };
    const rounds = (n: number, text: (i: number) => string): TurnEvent[] =>
      Array.from({ length: n }, (_, i) => [replied('', [`c${i}`], 'stop', `{"code":"${i % 2}"}`), finished(`c${i}`, text(i))]).flat();
    const same = (i: number): string => `result ${i % 2}`;
    expect(play(rounds(3, same), wide).turn.entries.at(-1)).toMatchObject({ text: 'result 0' });
    expect(play(rounds(4, same), wide).turn.entries.at(-1)).toMatchObject({ text: expect.stringContaining('round in circles') });
    expect(play(rounds(6, same), wide).effect).toEqual({ do: 'ask-model', tools: false, hint: 'repeating' });
    expect(play(rounds(6, String), wide).effect).toMatchObject({ tools: true });
  });

  it('sums what its requests used and cost, those that failed or were broken off too', () => {
    const usage = { input: 10, cachedInput: 0, output: 5, reasoning: 0, estimated: true };
    const spent = (costMicros: number | null): TurnEvent => ({ type: 'model-spent', at: 2, usage, costMicros });
    const failed = (costMicros: number | null): TurnEvent => ({
      type: 'model-failed',
      at: 3,
      failure: { code: 'model-silent', words: 'w' },
      text: '',
      usage,
      costMicros,
    });
    expect(answered(play([spent(3), failed(4)]).turn)).toMatchObject({ usage: { input: 20, estimated: true }, costMicros: 7 });
    expect(answered(play([spent(null), failed(4)]).turn)).toMatchObject({ usage: { input: 20 }, costMicros: null });
    const nothing: TurnEvent = { type: 'stop-requested', at: 3, by: ann, text: '' };
    expect(answered(play([nothing]).turn)).toMatchObject({ usage: null, costMicros: null });
    expect(answered(play([spent(3), nothing]).turn)).toMatchObject({ status: 'stopped', costMicros: 3 });
  });

  it('MD3: nudges once after an empty reply, then says honestly that nothing came', () => {
    expect(play([replied('  ')]).effect).toEqual({ do: 'ask-model', tools: true, hint: 'say-something' });
    const end = play([replied(''), replied('')]);
    expect(answered(end.turn)).toMatchObject({ status: 'failed', failure: { code: 'model-empty' } });
  });

  it('MD10: goes on once after a length cut, then delivers with a cut mark', () => {
    const first = play([replied('Part one', [], 'length')]);
    expect(first.effect).toMatchObject({ hint: 'go-on' });
    const end = play([replied('Part one', [], 'length'), replied(' and two', [], 'length')]);
    expect(answered(end.turn).status).toBe('cut');
    expect(end.turn.spoken).toEqual(['Part one']);
  });

  it('MD9: a filtered reply keeps no calls', () => {
    const end = play([replied('x', ['a'], 'filtered')]);
    expect(kinds(end.turn)).toEqual(['said', 'answered']);
    expect(answered(end.turn).failure?.code).toBe('model-filtered');
  });

  it('MG5, U137: a stop gives every open call a result and ends the turn', () => {
    const { turn, effect } = play([
      replied('Working', ['a', 'b']),
      { type: 'tool-started', at: 2, call: callId('a') },
      { type: 'stop-requested', at: 3, by: ann, text: '' },
    ]);
    expect(effect.do).toBe('finish');
    expect(kinds(turn)).toEqual(['said', 'called', 'result', 'result', 'answered']);
    expect(turn.entries.flatMap((entry) => (entry.kind === 'result' ? [entry.text] : []))[0]).toContain('outcome is unknown');
    expect(answered(turn)).toMatchObject({ status: 'stopped', failure: { words: 'Stopped by Ann.' } });
    expect(answered(turn).text).not.toContain('Working'); // it stays in `spoken`, so that it is not said twice
  });

  it('keeps what was streamed when the time runs out', () => {
    const end = play([{ type: 'time-ran-out', at: 9, text: 'half an ans', failure: { code: 'turn-timeout', words: 'too long' } }]);
    expect(answered(end.turn)).toMatchObject({ text: 'half an ans', status: 'cut' });
  });

  it('runs a person’s code and records it as their run', () => {
    const { earlier: _earlier, ...said } = ask;
    const item: MailboxItem = { ...said, kind: 'run', code: 'x = 41' };
    const first = started(item);
    expect(play([], first).effect).toEqual({ do: 'run-code', code: 'x = 41' });
    const end = play([{ type: 'code-finished', at: 2, run: aRun({ n: 1, by: 'person', code: 'x = 41' }) }], first);
    expect(kinds(end.turn)).toEqual(['said', 'ran']);
    expect(end.turn.session.runs).toBe(1);
  });

  it('a message that joins is answered with the turn', () => {
    const joined: MailboxItem = { ...ask, key: eventKey('k2'), text: 'and 3+3?' };
    const { turn, effect } = play([replied('', ['a']), finished('a'), { type: 'person-joined', at: 4, item: joined }]);
    expect(effect.do).toBe('ask-model');
    expect(kinds(turn)).toEqual(['said', 'called', 'result', 'said']);
    expect(turn.joined).toHaveLength(1);
  });

  it('is steered by its asker and by the owner of the thread, but by nobody with fewer rights', () => {
    const [bob, eve] = [
      { id: 'u2', name: 'Bob' },
      { id: 'u3', name: 'Eve' },
    ];
    const from = (author: typeof ann, files: typeof ask.files = []): MailboxItem => ({ ...ask, key: eventKey('k2'), author, files });
    const first = started();
    const { turn } = play([replied('', ['a'])], { ...first, session: { ...first.session, owner: bob } });
    const everybody = (): boolean => true;
    expect([ann, bob, eve].map((author) => maySteer(from(author), turn, everybody))).toEqual([true, true, false]);
    expect(maySteer(from(bob), turn, (person) => person.id === ann.id)).toBe(false);
    expect(maySteer(from(bob), turn, () => false)).toBe(true);
    const { earlier: _earlier, ...said } = ask;
    expect(maySteer({ ...said, kind: 'run', code: '1' }, turn, everybody)).toBe(false);
  });

  it('resumes from its journal exactly where it was', () => {
    const journal: TurnEvent[] = [
      started(),
      replied('', ['a', 'b']),
      { type: 'tool-started', at: 2, call: callId('a') },
      finished('a'),
      { type: 'tool-started', at: 2, call: callId('b') },
    ];
    const decoded = journal.map((event) => turnEventSchema.parse(JSON.parse(JSON.stringify(event))));
    const resumed = replay(decoded);
    expect(resumed?.[1].do).toBe('run-tools');
    expect(resumed && unfinished(resumed[0])).toEqual([{ call: expect.objectContaining({ id: 'b' }), started: true }]);
    expect(replay([])).toBeUndefined();
  });

  it('ignores what comes after the end', () => {
    const { turn } = play([replied('Done.')]);
    expect(step(turn, finished('late'))[0]).toBe(turn);
  });
});
