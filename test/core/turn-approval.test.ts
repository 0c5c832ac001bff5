/** The turn’s part in approvals: a call that needs a yes ends the turn; a decision begins one that makes just that call, or does not. */
import { describe, expect, it } from 'vitest';
import { project, wholeHistory } from '../../src/core/context.ts';
import type { EntryOf } from '../../src/core/conversation.ts';
import { newSession } from '../../src/core/conversation.ts';
import { callId, eventKey, turnId } from '../../src/core/ids.ts';
import type { MailboxItem } from '../../src/core/message.ts';
import { postsOf } from '../../src/core/render.ts';
import type { ToolResult } from '../../src/core/tool.ts';
import type { TurnEvent, TurnEventOf } from '../../src/core/turn-event.ts';
import type { Effect, Turn } from '../../src/core/turn-state.ts';
import { beginTurn, replay, step } from '../../src/core/turn.ts';
import { toMessages } from '../../src/core/view.ts';

const ann = { id: 'ann', name: 'Ann' };
const bob = { id: 'bob', name: 'Bob' };
const limits = { steps: 6, calls: 6, callsPerStep: 4, wallMs: 1_000 };
const ask: MailboxItem = {
  kind: 'ask',
  key: eventKey('k1'),
  at: 1,
  author: ann,
  origin: { ts: '1' },
  text: 'mail it',
  files: [],
  earlier: [],
};
const started = (item: MailboxItem, turn: string, decision: TurnEventOf<'turn-started'>['decision'] = null): TurnEvent => ({
  type: 'turn-started',
  at: 1,
  turn: turnId(turn),
  item,
  session: newSession(0),
  decision,
  limits,
});
type Call = { readonly id: string; readonly yes?: string };
const replied = (text: string, calls: readonly Call[] = []): TurnEvent => ({
  type: 'model-replied',
  at: 2,
  text,
  finish: 'stop',
  model: 'm',
  usage: { input: 10, cachedInput: 0, output: 5, reasoning: 0, estimated: false },
  passBack: null,
  costMicros: null,
  prompts: [],
  calls: calls.map(({ id, yes }) => ({
    call: { id: callId(id), name: yes === undefined ? 'look' : 'send', arguments: `{"id":"${id}"}` },
    problem: null,
    grant: yes === undefined ? null : { approval: yes, expiresAt: 1_000 },
  })),
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
const finished = (id: string, text: string): TurnEvent => ({ type: 'tool-finished', at: 3, call: callId(id), result: result(text) });
const stop: TurnEvent = { type: 'stop-requested', at: 4, by: ann, text: '' };

const play = (events: readonly [TurnEvent, ...TurnEvent[]]): { turn: Turn; effect: Effect } => {
  const next = replay(events);
  if (next === undefined) throw new Error('no turn');
  return { turn: next[0], effect: next[1] };
};
const kinds = (turn: Turn): readonly string[] => turn.entries.map((entry) => entry.kind);
const waitingOf = (turn: Turn): readonly EntryOf<'awaiting'>[] => turn.entries.filter((entry) => entry.kind === 'awaiting');
const resultsOf = (turn: Turn): readonly string[] => turn.entries.flatMap((entry) => (entry.kind === 'result' ? [entry.text] : []));

describe('a call that needs a yes', () => {
  it('is not run: the turn ends with an honest result, and a question of its own for people', () => {
    const { turn, effect } = play([started(ask, 't1'), replied('I will mail it.', [{ id: 'a', yes: 'aaa' }])]);
    expect(effect).toEqual({ do: 'finish' });
    expect(kinds(turn)).toEqual(['said', 'called', 'result', 'awaiting', 'answered']);
    expect(resultsOf(turn)[0]).toMatch(/has not been made: it waits for a person/);
    expect(waitingOf(turn)).toMatchObject([
      { approval: 'aaa', call: 'a', tool: 'send', arguments: '{"id":"a"}', asker: ann, expiresAt: 1_000 },
    ]);
    const posts = postsOf(turn);
    expect(posts.map(({ kind, actions, approval }) => ({ kind, actions, approval }))).toEqual([
      { kind: 'answer', actions: [], approval: null },
      { kind: 'notice', actions: ['approve', 'deny'], approval: 'aaa' },
    ]);
    expect(posts[0]?.text).toContain('I will mail it.');
    expect(turn.entries.at(-1)).toMatchObject({ kind: 'answered', status: 'complete', model: 'm', usage: { input: 10 } });
  });

  it('does not keep the other calls of its step from running, and each result stands in its place', () => {
    const reply = replied('', [{ id: 'a' }, { id: 'b', yes: 'bbb' }, { id: 'c', yes: 'ccc' }, { id: 'd' }]);
    const half = play([started(ask, 't1'), reply]);
    expect(half.effect.do === 'run-tools' && half.effect.calls.map((call) => call.id)).toEqual(['a', 'd']);
    const { turn } = play([started(ask, 't1'), reply, finished('d', 'last'), finished('a', 'first')]);
    expect(resultsOf(turn)).toEqual(['first', expect.stringMatching(/waits/), expect.stringMatching(/waits/), 'last']);
    expect(waitingOf(turn).map((one) => one.approval)).toEqual(['bbb', 'ccc']);
    expect(turn.ended).toBe(true);
  });

  it('waits no longer where somebody stops the turn', () => {
    const { turn } = play([started(ask, 't1'), replied('', [{ id: 'a' }, { id: 'b', yes: 'bbb' }]), stop]);
    expect(waitingOf(turn)).toEqual([]);
    expect(resultsOf(turn)).toEqual(['This call was not run: it was stopped.', 'This call was not run: it was stopped.']);
  });
});

describe('a decision', () => {
  const before = play([started(ask, 't1'), replied('', [{ id: 'a', yes: 'aaa' }])]).turn;
  const [waiting] = waitingOf(before);
  const decision = (verdict: 'approve' | 'deny', others = 0) =>
    started(
      { kind: 'decision', key: eventKey('approval:aaa'), at: 5, author: bob, origin: { press: '1' }, approval: 'aaa', verdict },
      't2',
      { waiting: waiting!, others, passBack: null },
    );

  it('yes sends the call back to its server with what it came with, at the place it had in its reply (ME4)', () => {
    const passBack = { host: 'h', model: 'm', message: { reasoning_content: 'hm' }, calls: { '1': { extra_content: 'signature' } } };
    const asked = { ...waiting!, call: callId('t1:1:1') };
    const { turn } = play([
      started({ kind: 'decision', key: eventKey('k'), at: 5, author: bob, origin: {}, approval: 'aaa', verdict: 'approve' }, 't2', {
        waiting: asked,
        others: 0,
        passBack,
      }),
    ]);
    expect(turn.entries.at(-1)).toMatchObject({ kind: 'called', calls: [{ id: 't2:0:1' }], passBack });
  });

  it('yes makes the stored call, not one that a model makes again, and lets the model go on', () => {
    const begun = play([decision('approve')]);
    expect(begun.effect).toEqual({ do: 'run-tools', calls: [{ id: 't2:0:0', name: 'send', arguments: '{"id":"a"}' }] });
    expect(begun.turn.decided).toMatchObject({ call: 't2:0:0', waiting: { call: 'a' } });
    const { turn, effect } = play([decision('approve'), finished('t2:0:0', 'sent')]);
    expect(effect).toMatchObject({ do: 'ask-model', tools: true });
    expect(kinds(turn)).toEqual(['decided', 'called', 'result']);
    const end = play([decision('approve'), finished('t2:0:0', 'sent'), replied('It is sent.')]).turn;
    expect(postsOf(end).map(({ kind, message, actions, text }) => [kind, message, actions.includes('approve'), text])).toEqual([
      ['notice', waiting!.message, false, 'Bob approved the call of `send`.'],
      ['answer', 't2', false, 'It is sent.'],
    ]);
  });

  it('no makes nothing, and tells the model', () => {
    const { turn, effect } = play([decision('deny')]);
    expect(effect).toMatchObject({ do: 'ask-model' });
    expect(kinds(turn)).toEqual(['decided']);
  });

  it('leaves a history in which every call is followed by its one result', () => {
    const after = play([decision('approve'), finished('t2:0:0', 'sent'), replied('It is sent.')]).turn;
    const items = project(wholeHistory([...before.entries, ...after.entries]), 10_000);
    expect(items.map((item) => item.kind)).toEqual([
      'said',
      'assistant',
      'result',
      'assistant',
      'decided',
      'assistant',
      'result',
      'assistant',
    ]);
  });

  it('is one of several: the model goes on after the last of them', () => {
    const yes = play([decision('approve', 2), finished('t2:0:0', 'sent')]);
    expect(yes.effect).toEqual({ do: 'finish' });
    expect(yes.turn.entries.at(-1)).toMatchObject({ kind: 'answered', text: expect.stringContaining('the other 2 calls') });
    expect(play([decision('deny', 1)]).effect).toEqual({ do: 'finish' });
  });

  it('of the owner leaves the one who asked in charge of what the model asks for next', () => {
    const more = play([decision('approve'), finished('t2:0:0', 'sent'), replied('', [{ id: 'n', yes: 'nnn' }])]).turn;
    expect(waitingOf(more)).toMatchObject([{ approval: 'nnn', asker: ann }]);
  });

  it('U128: taken up again by another worker, is the same decision: the call that had begun is known to have begun', () => {
    const begun: TurnEvent = { type: 'tool-started', at: 6, call: callId('t2:0:0') };
    const { turn, effect } = play([decision('approve'), begun]);
    expect(effect).toMatchObject({ do: 'run-tools' });
    expect(turn.open).toMatchObject([{ started: true, result: null }]);
    expect(step(turn, finished('t2:0:0', 'interrupted'))[1]).toMatchObject({ do: 'ask-model' });
  });

  it('shows in the thread what became of the question', () => {
    const after = beginTurn(decision('deny') as TurnEventOf<'turn-started'>)[0];
    const asked = toMessages(before.entries, 'Hektor').find((message) => message.approval !== null);
    expect(asked?.approval).toEqual({ id: 'aaa', state: 'waiting', until: 1_000 });
    const told = toMessages([...before.entries, ...after.entries], 'Hektor').find((message) => message.approval !== null);
    expect(told).toMatchObject({ id: asked?.id, approval: { state: 'denied' }, text: expect.stringContaining('Bob denied') });
  });
});
