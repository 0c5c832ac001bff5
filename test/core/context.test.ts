import { describe, expect, it } from 'vitest';
import { leavesOut, planSummary, project, wholeHistory } from '../../src/core/context.ts';
import type { ContextItem } from '../../src/core/context-item.ts';
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
  kept: null,
  files: [],
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
    const items = project(
      wholeHistory([said('1', 'hi'), called('1', 'a', 'b'), result('1', 'a'), result('1', 'b'), answered('1', 'there')]),
      10_000,
    );
    expect(items.map((item) => item.kind)).toEqual(['said', 'assistant', 'result', 'result', 'assistant']);
    expect(isValid(items)).toBe(true);
  });

  it('MG5, U098: gives a call whose result was lost an honest one', () => {
    const items = project(wholeHistory([said('1', 'hi'), called('1', 'a', 'b'), result('1', 'a')]), 10_000);
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
      const items = project(wholeHistory(turns), budget);
      expect(isValid(items)).toBe(true);
      expect(items.at(-1)).toMatchObject({ kind: 'assistant', text: 'y'.repeat(300) });
      if (budget < 10_000) expect(items[0]).toMatchObject({ kind: 'gap' });
    }
    expect(project(wholeHistory(turns), 100_000)).toHaveLength(200);
  });

  it('cuts the outputs of a single turn that is too large, and keeps the question', () => {
    const items = project(wholeHistory([said('1', 'why?'), called('1', 'a'), result('1', 'a', 'z'.repeat(400_000))]), 2_000);
    expect(items[0]).toMatchObject({ kind: 'said' });
    const last = items.at(-1);
    expect(last?.kind === 'result' && last.text.length).toBeLessThan(8_000);
  });

  it('tells a person’s run once, as a run, and not as a question', () => {
    const ran: Entry = { kind: 'ran', at: 1, turn: turnId('1'), call: null, message: messageId('1'), run: aRun({ by: 'person' }) };
    expect(project(wholeHistory([said('1', '>>> x = 1', 'run'), ran]), 10_000).map((item) => item.kind)).toEqual(['person-ran']);
  });

  it('takes 10,000 messages', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => [said(`${n}`, `question ${n}`), answered(`${n}`, `answer ${n}`)]).flat();
    const items = project(wholeHistory(many), 2_000);
    expect(items.length).toBeLessThan(400);
    expect(items.at(-1)).toMatchObject({ text: 'answer 4999' });
  });
});

describe('relief', () => {
  const turn = (n: number, text: string, output = 'ok'): readonly Entry[] => [
    said(`${n}`, text),
    called(`${n}`, `c${n}`),
    result(`${n}`, `c${n}`, output),
    answered(`${n}`, `answer ${n}`),
  ];
  const textsOf = (items: readonly ContextItem[]): string => JSON.stringify(items);

  it('U104: takes older results out first, says what they are kept as, and leaves the newest three turns alone', () => {
    const entries = Array.from({ length: 12 }, (_, n) => turn(n, `q${n}`, `${n}`.repeat(1_500))).flat();
    const loose = project(wholeHistory(entries), 100_000);
    expect(textsOf(loose)).not.toContain('kept as');
    const items = project(wholeHistory(entries), 6_000);
    expect(isValid(items)).toBe(true);
    expect(items[0]).toMatchObject({ kind: 'said', entry: { text: 'q0' } });
    expect(items.find((item) => item.kind === 'result')).toMatchObject({ text: expect.stringContaining('kept as c0') });
    expect(
      items
        .filter((item) => item.kind === 'result')
        .slice(-3)
        .every((item) => item.text.length > 1_000),
    ).toBe(true);
  });

  it('keeps the beginning of a request equal from turn to turn while results are cleared', () => {
    const entries = Array.from({ length: 11 }, (_, n) => turn(n, `q${n}`, 'r'.repeat(1_500))).flat();
    const before = project(wholeHistory(entries), 6_000);
    const after = project(wholeHistory([...entries, ...turn(11, 'one more', 'short')]), 6_000);
    const same = before.findIndex((item, index) => textsOf([item]) !== textsOf(after.slice(index, index + 1)));
    expect(same === -1 ? before.length : same).toBeGreaterThan(15);
  });

  it('clears a run’s output and keeps its code and number', () => {
    const ran = (n: number): Entry => ({
      kind: 'ran',
      at: 1,
      turn: turnId(`r${n}`),
      call: null,
      message: messageId(`r${n}`),
      run: aRun({ n, by: 'person', code: `x = ${n}`, output: 'o'.repeat(3_000) }),
    });
    const items = project(wholeHistory(Array.from({ length: 10 }, (_, n) => ran(n + 1))), 8_000);
    expect(items[0]).toMatchObject({
      kind: 'person-ran',
      entry: { run: { code: 'x = 1', output: expect.stringContaining('kept as run 1') } },
    });
  });

  it('plans a summary of whole turns once the history is tight, and not before', () => {
    const entries = Array.from({ length: 40 }, (_, n) => turn(n, 'w'.repeat(900))).flat();
    expect(planSummary(wholeHistory(entries), 100_000)).toBeNull();
    const plan = planSummary(wholeHistory(entries, 500), 10_000);
    expect(plan).toMatchObject({ previous: null });
    expect(plan?.from).toBeGreaterThan(500);
    expect(((plan?.from ?? 0) - 500) % 4).toBe(0);
    expect(plan?.items.length).toBe((plan?.from ?? 0) - 500);
  });

  it('puts a summary in the place of what it sums up, and sums up again on top of it', () => {
    const entries = Array.from({ length: 40 }, (_, n) => turn(n, 'w'.repeat(900))).flat();
    const from = planSummary(wholeHistory(entries), 10_000)?.from ?? 0;
    const summarised: Entry = {
      kind: 'summarised',
      at: 1,
      turn: turnId('39'),
      from,
      text: 'Goal: w.',
      model: 'm',
      outside: false,
      prompts: [],
    };
    const history = wholeHistory([...entries, summarised]);
    const items = project(history, 10_000);
    expect(items[0]).toEqual({ kind: 'summary', text: 'Goal: w.' });
    expect(items[1]).toMatchObject({ kind: 'said', entry: { turn: `${from / 4}` } });
    expect(isValid(items)).toBe(true);
    expect(planSummary(history, 10_000)).toBeNull();
    expect(leavesOut(history, 10_000)).toBe(true);
    const more = Array.from({ length: 30 }, (_, n) => turn(100 + n, 'v'.repeat(900))).flat();
    const again = planSummary(wholeHistory([...entries, summarised, ...more]), 10_000);
    expect(again).toMatchObject({ previous: 'Goal: w.' });
    expect(again?.from).toBeGreaterThan(from);
  });

  it('never sums up the turn that is to be answered, however long it is', () => {
    expect(planSummary(wholeHistory(turn(1, 'x'.repeat(90_000))), 2_000)).toBeNull();
    const plan = planSummary(wholeHistory([...turn(1, 'short'), ...turn(2, 'x'.repeat(90_000))]), 2_000);
    expect(plan?.from).toBe(4);
  });

  it('tells of entries that are not at hand, and puts the session’s facts right before the last turn', () => {
    const entries = [...turn(1, 'a'), ...turn(2, 'b')];
    const facts = { runs: 3, names: [], moreNames: 0, modules: [], files: [], lastRuns: [] };
    const items = project({ entries, base: 8_000, since: 0 }, 10_000, facts);
    expect(items.map((item) => item.kind)).toEqual([
      'gap',
      'said',
      'assistant',
      'result',
      'assistant',
      'session',
      'said',
      'assistant',
      'result',
      'assistant',
    ]);
    expect(items[0]).toEqual({ kind: 'gap', left: 8_000 });
  });

  it('sums up before the history is longer than what is read of it, however short its messages are', () => {
    const many = Array.from({ length: 900 }, (_, n) => [said(`${n}`, 'a'), answered(`${n}`, 'b')]).flat();
    const plan = planSummary({ entries: many, base: 0, since: 0 }, 10_000_000);
    expect(plan?.from).toBe(1_200);
    expect(planSummary({ entries: many.slice(0, 1_500), base: 0, since: 0 }, 10_000_000)).toBeNull();
  });

  it('a thread of 10,000 messages: a plan, a summary, and an answerable context', () => {
    const many = Array.from({ length: 5_000 }, (_, n) => [said(`${n}`, `question ${n}`), answered(`${n}`, `answer ${n}`)]).flat();
    const at = { entries: many.slice(-2_000), base: 8_000, since: 0 };
    const plan = planSummary(at, 8_000);
    expect(plan?.from).toBeGreaterThan(8_000);
    const summarised: Entry = {
      kind: 'summarised',
      at: 1,
      turn: turnId('4999'),
      from: plan?.from ?? 0,
      text: 's',
      model: 'm',
      outside: false,
      prompts: [],
    };
    const items = project({ ...at, entries: [...at.entries, summarised] }, 8_000);
    expect(items[0]).toEqual({ kind: 'summary', text: 's' });
    expect(items.at(-1)).toMatchObject({ text: 'answer 4999' });
  });
});
