import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/core/conversation.ts';
import { callId, eventKey, messageId, turnId } from '../../src/core/ids.ts';
import { toMessages } from '../../src/core/view.ts';
import { aRun } from '../support/a-run.ts';

const ann = { id: 'u1', name: 'Ann' };
const said = (turn: string, text: string, intent: 'ask' | 'run' = 'ask'): Entry => ({
  kind: 'said',
  at: 1,
  turn: turnId(turn),
  message: messageId(`m${turn}`),
  key: eventKey(turn),
  author: ann,
  text,
  intent,
  files: [],
});
const ranByPerson = (turn: string, n: number): Entry => ({
  kind: 'ran',
  at: 1,
  turn: turnId(turn),
  call: null,
  message: messageId(`m${turn}`),
  run: aRun({ n, by: 'person', author: ann }),
});
const ranByModel = (turn: string, n: number): Entry => ({
  kind: 'ran',
  at: 1,
  turn: turnId(turn),
  call: callId(`${turn}:1`),
  message: messageId(turn),
  run: aRun({ n }),
});
const called = (turn: string, text: string): Entry => ({
  kind: 'called',
  at: 1,
  turn: turnId(turn),
  step: 1,
  text,
  calls: [],
  passBack: null,
});
const answered = (turn: string, text: string, words?: string): Entry => ({
  kind: 'answered',
  at: 1,
  turn: turnId(turn),
  message: messageId(turn),
  text,
  files: [],
  status: words === undefined ? 'complete' : 'failed',
  failure: words === undefined ? null : { code: 'model-unreachable', words },
  model: 'm',
  usage: null,
  costMicros: null,
  prompts: [],
});
const undo = (toRun: number): Entry => ({ kind: 'state-moved', at: 1, turn: turnId('u'), by: ann, how: 'undo', toRun, head: null });

describe('a conversation as people see it', () => {
  it('puts a person’s run with their message and the model’s with the answer', () => {
    const messages = toMessages(
      [said('1', '>>> x = 1', 'run'), ranByPerson('1', 1), said('2', 'x?'), ranByModel('2', 2), answered('2', 'One.')],
      'Hektor',
    );
    expect(messages.map(({ role, author, text, runs }) => ({ role, author, text, runs: runs.map((run) => run.n) }))).toEqual([
      { role: 'person', author: 'Ann', text: '>>> x = 1', runs: [1] },
      { role: 'person', author: 'Ann', text: 'x?', runs: [] },
      { role: 'bot', author: 'Hektor', text: 'One.', runs: [2] },
    ]);
  });

  it('U074: shows what was said on the way, the answer, and the words about a failure', () => {
    expect(
      toMessages([said('1', 'hi'), called('1', 'Let me see.'), answered('1', 'Half', 'It broke off.')], 'Hektor').at(-1),
    ).toMatchObject({
      text: 'Let me see.\n\nHalf\n\nIt broke off.',
      status: 'failed',
    });
  });

  it('says which runs were undone', () => {
    const messages = toMessages(
      [said('1', '>>> a', 'run'), ranByPerson('1', 1), said('2', '>>> b', 'run'), ranByPerson('2', 2), undo(1)],
      'Hektor',
    );
    expect(messages.map((message) => message.undone)).toEqual([[], [2]]);
  });
});
