import { describe, expect, it } from 'vitest';
import { failure } from '../../../src/core/failure.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import { decodeWake } from '../../../src/infra/bullmq/wake.ts';
import { startSweeper } from '../../../src/infra/bullmq/sweeper.ts';
import { systemClock } from '../../../src/infra/system/clock.ts';
import { aConversation } from '../../support/samples.ts';
import { createTestLog } from '../../support/test-log.ts';
import { until } from '../../support/until.ts';

describe('the sweeper', () => {
  it('U025: wakes what has waited long enough, again and again, until it is told to end', async () => {
    const conversations = [aConversation(), aConversation()];
    const asked: number[] = [];
    const woken: ConversationId[] = [];
    const store = { pendingSince: async (at: number) => (asked.push(at), ok(conversations)) };
    const queue = { wake: async (id: ConversationId) => (woken.push(id), ok(undefined)) };
    const before = Date.now();
    const sweeper = startSweeper({ store, queue, clock: systemClock, log: createTestLog().log, everyMs: 10, afterMs: 5_000 });
    await until(() => woken.length >= 6, 'three sweeps');
    await sweeper[Symbol.asyncDispose]();
    const sweeps = asked.length;
    expect(asked[0]).toBeGreaterThanOrEqual(before - 5_000);
    expect(asked[0]).toBeLessThanOrEqual(Date.now() - 5_000);
    expect(woken.slice(0, 4)).toEqual([...conversations, ...conversations]);
    await systemClock.sleep(50);
    expect(asked).toHaveLength(sweeps);
  });

  it('goes on after Redis was away, in the list or in the queue', async () => {
    const conversation = aConversation();
    const away = err(failure('store-unreachable', {}));
    let sweeps = 0;
    const woken: ConversationId[] = [];
    const store = { pendingSince: async () => (++sweeps === 1 ? away : ok([conversation])) };
    const queue = { wake: async (id: ConversationId) => (sweeps === 2 ? away : (woken.push(id), ok(undefined))) };
    const { log, lines } = createTestLog();
    const sweeper = startSweeper({ store, queue, clock: systemClock, log, everyMs: 5, afterMs: 0 });
    await until(() => woken.length > 0, 'a wake');
    await sweeper[Symbol.asyncDispose]();
    expect(lines.filter((line) => line.level === 'debug')).toHaveLength(2);
  });
});

describe('a job of the queue', () => {
  it('is a wake only where it names a conversation', () => {
    const conversation = aConversation();
    expect(decodeWake({ id: conversation })).toBe(conversation);
    for (const data of [null, undefined, 'x', {}, { id: 7 }, { id: '' }, { id: 'a/b' }, { id: 'a/b/c/d/e' }, { id: 'a b/c/d/e' }])
      expect(decodeWake(data)).toBeUndefined();
  });
});
