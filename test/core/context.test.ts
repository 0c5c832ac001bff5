import { describe, expect, it } from 'vitest';
import { project } from '../../src/core/context.ts';
import type { ContextItem } from '../../src/core/context.ts';
import type { Entry } from '../../src/core/conversation.ts';
import { callId, eventKey, messageId, turnId } from '../../src/core/ids.ts';
import { aRun } from '../support/a-run.ts';

const ann = { id: 'u1', name: 'Ann' };
const said = (turn: string, text: string, intent: 'ask' | 'run' = 'ask'): Entry => ({
  kind: 'said',
  at: 1,
  turn: turnId(turn),
  message: messageId(turn),
  key: eventKey(turn),
  author: ann,
  text,
  intent,
  files: [],
});
const called = (turn: string, ...ids: string[]): Entry => ({
  kind: 'called',
  at: 1,
  turn: turnId(turn),
  step: 1,
  text: '',
  calls: ids.map((id) => ({ id: callId(id), name: 'python', arguments: '{}' })),
  passBack: null,
});
const result = (turn: string, id: string, text = 'ok'): Entry => ({
  kind: 'result',
  at: 1,
  turn: turnId(turn),
  call: callId(id),
  name: 'python',
  text,
  failed: false,
  run: null,
  outside: false,
  links: [],
});
const answered = (turn: string, text: string): Entry => ({
  kind: 'answered',
  at: 1,
  turn: turnId(turn),
  message: messageId(`b${turn}`),
  text,
  files: [],
  status: 'complete',
  failure: null,
  model: 'm',
  usage: null,
  costMicros: null,
  prompts: [],
});

/** What every provider demands: each call is followed by its result before anything else comes, and no result is without its call. */
const isValid = (items: readonly ContextItem[]): boolean => {
  let open: string[] = [];
  for (const item of items) {
    if (item.kind === 'result') {
      if (open[0] !== item.call.id) return false;
      open = open.slice(1);
    } else if (open.length > 0) return false;
    if (item.kind === 'assistant') open = item.calls.map((call) => call.id);
  }
  return open.length === 0;
};

describe('the context', () => {
  it('puts a turn’s calls and results in order', () => {
    const items = project([said('1', 'hi'), called('1', 'a', 'b'), result('1', 'a'), result('1', 'b'), answered('1', 'there')], 10_000);
    expect(items.map((item) => item.kind)).toEqual(['said', 'assistant', 'result', 'result', 'assistant']);
    expect(isValid(items)).toBe(true);
  });

  it('MG5, U098: gives a call whose result was lost an honest one', () => {
    const items = project([said('1', 'hi'), called('1', 'a', 'b'), result('1', 'a')], 10_000);
    expect(isValid(items)).toBe(true);
    expect(items.at(-1)).toMatchObject({ kind: 'result', text: expect.stringContaining('interrupted') });
  });

  it('MG4, U097: leaves out whole turns only, the oldest first, and says so', () => {
    const turns = Array.from({ length: 50 }, (_, n) => [
      said(`${n}`, 'x'.repeat(300)),
      called(`${n}`, `c${n}`),
      result(`${n}`, `c${n}`),
      answered(`${n}`, 'y'.repeat(300)),
    ]).flat();
    for (const budget of [1, 300, 1_000, 5_000, 100_000]) {
      const items = project(turns, budget);
      expect(isValid(items)).toBe(true);
      expect(items.at(-1)).toMatchObject({ kind: 'assistant', text: 'y'.repeat(300) });
      if (budget < 10_000) expect(items[0]).toMatchObject({ kind: 'gap' });
    }
    expect(project(turns, 100_000)).toHaveLength(200);
  });

  it('cuts the outputs of a single turn that is too large, and keeps the question', () => {
    const items = project([said('1', 'why?'), called('1', 'a'), result('1', 'a', 'z'.repeat(400_000))], 2_000);
    expect(items[0]).toMatchObject({ kind: 'said' });
    const last = items.at(-1);
    expect(last?.kind === 'result' && last.text.length).toBeLessThan(8_000);
  });

  it('tells a person’s run once, as a run, and not as a question', () => {
    const ran: Entry = { kind: 'ran', at: 1, turn: turnId('1'), call: null, message: messageId('1'), run: aRun({ by: 'person' }) };
    expect(project([said('1', '>>> x = 1', 'run'), ran], 10_000).map((item) => item.kind)).toEqual(['person-ran']);
  });

  it('takes 10,000 messages', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => [said(`${n}`, `question ${n}`), answered(`${n}`, `answer ${n}`)]).flat();
    const items = project(many, 2_000);
    expect(items.length).toBeLessThan(400);
    expect(items.at(-1)).toMatchObject({ text: 'answer 4999' });
  });
});
