import { describe, expect, it } from 'vitest';
import { createLiveLanes } from '../../src/core/live-lanes.ts';
import type { LiveOp } from '../../src/core/outbound.ts';
import { turnId } from '../../src/core/ids.ts';

const working = (turn: string): LiveOp => ({ op: 'status', turn: turnId(turn), state: 'working', text: 'Thinking', origin: {} });
const idle = (turn: string): LiveOp => ({ op: 'status', turn: turnId(turn), state: 'idle', text: '', origin: {} });

const world = () => {
  const told: string[] = [];
  const lanes = createLiveLanes<string, ReturnType<typeof shownAs>>({
    now: () => 0,
    // Nothing is ever forgotten here: the look sleeps until it is disposed.
    sleep: (_ms, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true })),
    onThrow: (error) => told.push(`threw ${String(error)}`),
  });
  const shownAs = (name: string) => ({
    name,
    offer: (op: LiveOp) => void told.push(`${name} ${op.op}`),
    end: async () => void told.push(`${name} ended`),
    heardAt: () => 0,
  });
  const show = (key: string, op: LiveOp) => lanes.show(key, op, () => shownAs(`${key}/${op.turn}`));
  return { lanes, told, show };
};

describe('lanes', () => {
  it('take posts of one conversation in their order, and others beside them', async () => {
    await using stack = new AsyncDisposableStack();
    const { lanes } = world();
    stack.use(lanes);
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const posts = [
      lanes.post('a', 't', () => first.promise.then(() => void order.push('a1'))),
      lanes.post('a', 't', async () => void order.push('a2')),
      lanes.post('b', 't', async () => void order.push('b1')),
    ];
    await posts[2];
    first.resolve();
    await Promise.all(posts);
    expect(order).toEqual(['b1', 'a1', 'a2']);
  });

  it('go on after a post that threw', async () => {
    await using stack = new AsyncDisposableStack();
    const { lanes } = world();
    stack.use(lanes);
    await expect(lanes.post('a', 't', () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
    expect(await lanes.post('a', 't', async () => 'said')).toBe('said');
  });

  it('hand what is shown of a turn to its posts alone, and end it when the posts before the end are out', async () => {
    await using stack = new AsyncDisposableStack();
    const { lanes, told, show } = world();
    stack.use(lanes);
    show('a', working('t1'));
    const gate = Promise.withResolvers<void>();
    const post = lanes.post('a', 't1', async (shown, anyShown) => {
      await gate.promise;
      return [shown?.name, anyShown()];
    });
    show('a', idle('t1'));
    expect(told).toEqual(['a/t1 status']);
    gate.resolve();
    expect(await post).toEqual(['a/t1', true]);
    expect(await lanes.post('a', 't1', async (shown, anyShown) => [shown, anyShown()])).toEqual([null, false]);
    expect(told).toEqual(['a/t1 status', 'a/t1 ended']);
  });

  it('end what was shown of the turn before, and everything when they are disposed', async () => {
    const { lanes, told, show } = world();
    for (const turn of ['t1', 't2']) show('a', working(turn));
    expect(told).toEqual(['a/t1 status', 'a/t1 ended', 'a/t2 status']);
    await lanes[Symbol.asyncDispose]();
    expect(told.at(-1)).toBe('a/t2 ended');
    show('a', working('t3'));
    expect(told.at(-1)).toBe('a/t2 ended');
  });
});
