import { describe, expect, it } from 'vitest';
import { newSession } from '../../src/core/conversation.ts';
import { failure } from '../../src/core/failure.ts';
import { callId, eventKey, messageId, turnId } from '../../src/core/ids.ts';
import { emptyDraft, postsOf, renderEvent } from '../../src/core/render.ts';
import type { ThreadEvent } from '../../src/core/thread-event.ts';
import { beginTurn, step } from '../../src/core/turn.ts';
import type { TurnEvent } from '../../src/core/turn-event.ts';
import { aRun } from '../support/a-run.ts';

const turn = turnId('t1');
const call = { id: callId('a'), name: 'python', arguments: '{}' };
const play = (events: readonly ThreadEvent[]) =>
  events.reduce(
    (state, event) => {
      const [draft, ops] = renderEvent(state.draft, event);
      return { draft, ops: [...state.ops, ...ops] };
    },
    { draft: emptyDraft, ops: [] as ReturnType<typeof renderEvent>[1][number][] },
  );

describe('the draft', () => {
  it('shows the whole text so far, with the tools under it', () => {
    const { ops } = play([
      { type: 'text-streamed', turn, message: messageId('t1'), text: 'Let me' },
      { type: 'text-streamed', turn, message: messageId('t1'), text: 'Let me see.' },
      { type: 'tool-started', turn, call, summary: 'Running Python' },
      { type: 'tool-finished', turn, call, failed: false },
      { type: 'text-streamed', turn, message: messageId('t1'), text: 'It is 4.' },
    ]);
    expect(ops.at(-1)).toEqual({
      op: 'draft',
      turn,
      message: 't1',
      text: 'Let me see.\n\nIt is 4.',
      progress: [{ call: 'a', text: 'Running Python', state: 'done' }],
    });
  });

  it('starts the step’s text again after a retry', () => {
    const { draft } = play([
      { type: 'text-streamed', turn, message: messageId('t1'), text: 'garbled' },
      { type: 'turn-retrying', turn, failure: failure('model-broken-stream', {}), waitMs: 1 },
    ]);
    expect(draft.text).toBe('');
  });

  it('U076: ends with an idle status', () => {
    expect(play([{ type: 'turn-finished', turn }]).ops).toEqual([{ op: 'status', turn, state: 'idle', text: '', origin: {} }]);
  });
});

describe('the posts of a turn', () => {
  const item = {
    kind: 'ask' as const,
    key: eventKey('k'),
    at: 1,
    author: { id: 'u', name: 'Ann' },
    origin: { ts: '1' },
    text: 'hi',
    files: [],
    earlier: [],
  };
  const first: TurnEvent = {
    type: 'turn-started',
    at: 1,
    turn,
    item,
    session: newSession(0),
    decision: null,
    limits: { steps: 5, calls: 5, callsPerStep: 5, wallMs: 1 },
  };
  const reply = (text: string, calls: readonly (typeof call)[]): TurnEvent => ({
    type: 'model-replied',
    at: 1,
    text,
    calls: calls.map((one) => ({ call: one, problem: null, grant: null })),
    finish: 'stop',
    model: 'm',
    usage: null,
    passBack: null,
    costMicros: null,
    prompts: [],
  });
  const finish = (events: readonly TurnEvent[]) =>
    postsOf(events.reduce((state, event) => step(state, event)[0], beginTurn(first as never)[0]));

  it('U074: keeps what was said before a failure and adds the failure', () => {
    const posts = finish([
      reply('Let me see.', [call]),
      {
        type: 'tool-finished',
        at: 1,
        call: call.id,
        result: { text: 'x', failed: true, run: null, head: null, outside: false, links: [], kept: null, files: [] },
      },
      {
        type: 'model-failed',
        at: 1,
        failure: { code: 'model-unreachable', words: 'I could not reach it.' },
        text: '',
        usage: null,
        costMicros: null,
      },
    ]);
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({
      kind: 'answer',
      status: 'failed',
      text: 'Let me see.\n\nI could not reach it.',
      actions: ['retry'],
      origin: { ts: '1' },
    });
  });

  it('posts the model’s runs before the answer, each with a key of its own', () => {
    const posts = finish([
      reply('', [call]),
      {
        type: 'tool-finished',
        at: 1,
        call: call.id,
        result: { text: 'x', failed: false, run: aRun({ n: 3 }), head: null, outside: false, links: [], kept: null, files: [] },
      },
      reply('Done.', []),
    ]);
    expect(posts.map((post) => post.key)).toEqual(['t1:run:3', 't1:answer']);
  });
});
