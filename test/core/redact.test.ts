import { describe, expect, it } from 'vitest';
import { project, wholeHistory } from '../../src/core/context.ts';
import type { Entry } from '../../src/core/conversation.ts';
import { eventKey, messageId, turnId } from '../../src/core/ids.ts';
import type { Person } from '../../src/core/message.ts';
import { isAbout, keyOfEdit, turnsOf, withoutMessage, withoutPerson, withText } from '../../src/core/redact.ts';
import { aRun } from '../support/a-run.ts';
import { ann, ben } from '../support/samples.ts';

const SECRET = 'xylophone';
const said = (turn: string, author: Person, text: string, intent: 'ask' | 'run' = 'ask'): Entry => ({
  kind: 'said',
  at: 1,
  turn: turnId(turn),
  message: messageId(`m-${turn}-${author.id}`),
  key: eventKey(`m-${turn}-${author.id}`),
  author,
  text,
  intent,
  files: [],
});
const base = (turn: string) => ({ at: 1, turn: turnId(turn) });
const answered = (turn: string, text: string): Entry => ({
  kind: 'answered',
  ...base(turn),
  message: messageId(turn),
  text,
  files: [],
  status: 'complete',
  failure: null,
  model: 'm',
  usage: null,
  costMicros: null,
  prompts: [],
});
const call = { id: 'c1' as never, name: 'python', arguments: JSON.stringify({ code: SECRET }) };
/** Ann alone, Ben alone, both in one turn, and a run of Ann's own. */
const thread: readonly Entry[] = [
  {
    kind: 'heard',
    ...base('t1'),
    messages: [
      { key: eventKey('e1'), at: 1, author: ann, text: SECRET, files: [SECRET] },
      { key: eventKey('e2'), at: 1, author: ben, text: 'by Ben', files: [] },
    ],
  },
  said('t1', ann, `my ${SECRET}`),
  { kind: 'called', ...base('t1'), step: 1, text: SECRET, calls: [call], passBack: { thoughts: SECRET } },
  {
    kind: 'ran',
    ...base('t1'),
    call: call.id,
    message: messageId('t1'),
    run: aRun({ n: 1, by: 'model', code: SECRET, output: SECRET, value: SECRET }),
  },
  {
    kind: 'result',
    ...base('t1'),
    call: call.id,
    name: 'python',
    text: SECRET,
    failed: false,
    run: 1,
    outside: false,
    links: [SECRET],
    kept: null,
    files: [],
  },
  answered('t1', `your ${SECRET}`),
  said('t2', ben, 'a question of Ben'),
  answered('t2', 'an answer to Ben'),
  said('t3', ben, 'another of Ben'),
  said('t3', ann, SECRET),
  answered('t3', 'an answer to both'),
  said('t4', ann, `>>> ${SECRET}`, 'run'),
  {
    kind: 'ran',
    ...base('t4'),
    call: null,
    message: messageId('m-t4-U1'),
    run: aRun({
      n: 2,
      by: 'person',
      author: ann,
      code: SECRET,
      output: SECRET,
      error: { type: 'E', value: SECRET, traceback: SECRET, line: 1 },
    }),
  },
  { kind: 'summarised', ...base('t5'), from: 4, text: `They spoke of a ${SECRET}`, model: 'm', outside: false, prompts: [] },
];

describe('what is taken back', () => {
  it('is known by its key, and by that of its edits', () => {
    const key = eventKey('17.1');
    expect([key, keyOfEdit(key, '9')].every((one) => isAbout(key, one))).toBe(true);
    expect(isAbout(key, eventKey('17.12'))).toBe(false);
    expect(isAbout(key, eventKey('17.1:py'))).toBe(false);
  });

  it('of a person: nothing that they wrote, or that was said to them alone, is left (U115)', () => {
    const turns = turnsOf(thread, ann);
    expect([...turns]).toEqual(['t1', 't4']);
    const left = thread.map(withoutPerson(ann, turns));
    expect(JSON.stringify(left)).not.toContain(SECRET);
    expect(JSON.stringify(left)).not.toContain('Ann');
    for (const kept of ['by Ben', 'a question of Ben', 'an answer to Ben', 'another of Ben', 'an answer to both'])
      expect(JSON.stringify(left)).toContain(kept);
    // The numbers and states of runs stay: what comes later stands on them.
    expect(left.flatMap((entry) => (entry.kind === 'ran' ? [entry.run.n] : []))).toEqual([1, 2]);
    expect(left).toHaveLength(thread.length);
  });

  it('of a person changes nothing the second time', () => {
    const left = thread.map(withoutPerson(ann, turnsOf(thread, ann)));
    expect(left.map(withoutPerson(ann, turnsOf(left, ann)))).toEqual(left);
  });

  it('leaves a history that a model server takes: no call without a result, and no words', () => {
    const left = thread.map(withoutPerson(ann, turnsOf(thread, ann)));
    const items = project(wholeHistory(left), 100_000);
    expect(items.map((item) => item.kind)).toEqual(['said', 'assistant', 'said', 'redacted', 'assistant']);
  });

  it('of a message: its words and the run of its code', () => {
    const change = withoutMessage(eventKey('m-t4-U1'), 'deleted');
    const left = thread.map(change);
    expect(left[11]).toMatchObject({ kind: 'redacted', why: 'deleted', author: ann });
    expect(left[12]).toMatchObject({
      kind: 'ran',
      run: { n: 2, code: '# deleted', output: '', value: null, error: { type: 'E', traceback: '' } },
    });
    expect(left.filter((entry, index) => entry !== thread[index])).toHaveLength(2);
    expect(left.map(change)).toEqual(left);
    expect(left.every((entry) => change(entry) === entry)).toBe(true);
  });

  it('code that was edited did run: what it did stays told', () => {
    const left = thread.map(withoutMessage(eventKey('m-t4-U1'), 'replaced'));
    expect(left[11]).toMatchObject({ kind: 'redacted', why: 'replaced' });
    expect(left[12]).toBe(thread[12]);
  });

  it('an edit reaches what was said and what was read later, and nothing else', () => {
    expect(thread.map(withText(eventKey('e2'), 'new'))[0]).toMatchObject({ messages: [{ text: SECRET }, { text: 'new' }] });
    const left = thread.map(withText(eventKey('m-t2-U2'), 'new'));
    expect(left.filter((entry, index) => entry !== thread[index])).toMatchObject([{ kind: 'said', text: 'new' }]);
    expect(thread.map(withText(eventKey('m-t2-U2'), 'a question of Ben')).every((entry, index) => entry === thread[index])).toBe(true);
  });
});
