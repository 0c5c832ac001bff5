/** What every in-tray must do. See src/ports/inbox.ts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { failure } from '../../src/core/failure.ts';
import type { Failure } from '../../src/core/failure.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Result } from '../../src/core/result.ts';
import type { Inbox, InboxItem } from '../../src/ports/inbox.ts';
import { valueOf } from '../support/results.ts';
import { until } from '../support/until.ts';

export type InboxUnderTest = {
  /** One tray, opened as by two processes. Pauses between attempts are short. */
  readonly trays: readonly [Inbox, Inbox];
  /** How many payloads were given up, and are kept. */
  readonly dead: () => Promise<number>;
};

/** `make` gives a fresh tray. */
export const inboxContract = (name: string, make: () => InboxUnderTest): void => {
  const item = (id: string, lane = 'lane'): InboxItem => ({ id, lane, payload: `payload of ${id} "{\u0000é` });
  const put = async (tray: Inbox, ...items: readonly InboxItem[]): Promise<void> => {
    for (const one of items) expect(valueOf(await tray.put(one))).toBe('new');
  };
  const unwell = (): Result<void, Failure> => err(failure('interrupted', {}, 'the test says so'));

  describe(`inbox: ${name}`, () => {
    it('hands over what was put, as it was put, before and after it was opened, and each item once', async () => {
      const { trays } = make();
      await put(trays[0], item('1'), item('2', 'a b/c\u0000 é'));
      const seen: string[] = [];
      await using _ = trays[1].open(async (payload) => (seen.push(payload), ok(undefined)));
      await put(trays[0], item('3'));
      await until(() => seen.length === 3, 'all are handled');
      await sleep(200);
      expect(seen.toSorted()).toEqual([item('1'), item('2'), item('3')].map(({ payload }) => payload));
    });

    it('takes the same delivery once, also while it waits, when it is done, and from another process (U025)', async () => {
      const { trays } = make();
      await put(trays[0], item('1'));
      expect(valueOf(await trays[1].put({ ...item('1'), payload: 'another' }))).toBe('duplicate');
      const seen: string[] = [];
      await using _ = trays[0].open(async (payload) => (seen.push(payload), ok(undefined)));
      await until(() => seen.length === 1, 'it is handled');
      expect(valueOf(await trays[0].put(item('1')))).toBe('duplicate');
      const many = await Promise.all(Array.from({ length: 20 }, (_, n) => trays[n % 2]!.put(item('2'))));
      expect(many.map(valueOf).filter((put) => put === 'new')).toHaveLength(1);
      await until(() => seen.length === 2, 'the other one is handled');
      await sleep(200);
      expect(seen).toEqual([item('1').payload, item('2').payload]);
    });

    it('keeps the order of a lane over two processes, one item at a time, and works lanes off side by side', async () => {
      const { trays } = make();
      const lanes = ['a', 'b', 'c', 'd'];
      for (let n = 0; n < 15; n += 1)
        for (const lane of lanes) await put(trays[n % 2]!, { id: `${lane}${n}`, lane, payload: `${lane} ${n}` });
      const seen: string[] = [];
      const busy = new Map<string, number>();
      const together = { lanes: 0, sameLane: 0 };
      const handle = async (payload: string): Promise<Result<void, Failure>> => {
        const lane = payload.slice(0, 1);
        busy.set(lane, (busy.get(lane) ?? 0) + 1);
        together.sameLane = Math.max(together.sameLane, busy.get(lane) ?? 0);
        together.lanes = Math.max(together.lanes, [...busy.values()].filter((count) => count > 0).length);
        seen.push(payload);
        await sleep(5);
        busy.set(lane, (busy.get(lane) ?? 0) - 1);
        return ok(undefined);
      };
      await using _one = trays[0].open(handle);
      await using _two = trays[1].open(handle);
      await until(() => seen.length === 60, 'all are handled');
      for (const lane of lanes)
        expect(seen.filter((payload) => payload.startsWith(lane))).toEqual(Array.from({ length: 15 }, (_, n) => `${lane} ${n}`));
      expect(together.sameLane).toBe(1);
      expect(together.lanes).toBeGreaterThan(1);
    });

    it('handles at most 16 lanes at once in a process', async () => {
      const { trays } = make();
      await put(trays[0], ...Array.from({ length: 40 }, (_, n) => item(`${n}`, `lane ${n}`)));
      const held = Promise.withResolvers<void>();
      let running = 0;
      await using _ = trays[0].open(async () => {
        running += 1;
        await held.promise;
        return ok(undefined);
      });
      await until(() => running === 16, 'sixteen run');
      await sleep(300);
      expect(running).toBe(16);
      held.resolve();
      await until(() => running === 40, 'all have run');
    });

    it('hands an item over again where handling failed, before what stands behind it in the lane, and lets other lanes pass', async () => {
      const { trays } = make();
      const [first, second, other] = [item('1'), item('2'), item('3', 'other')];
      await put(trays[0], first, second, other);
      const seen: string[] = [];
      let fails = 2;
      await using _ = trays[0].open(async (payload) => {
        seen.push(payload);
        if (payload !== first.payload || fails-- <= 0) return ok(undefined);
        if (fails === 0) throw new Error('a bug');
        return unwell();
      });
      await until(() => seen.length === 5, 'all are handled');
      expect(seen.filter((payload) => payload !== other.payload)).toEqual([first.payload, first.payload, first.payload, second.payload]);
    });

    it('gives an item up after five attempts, keeps it, and goes on with its lane', async () => {
      const { trays, dead } = make();
      await put(trays[0], item('1'), item('2'));
      const seen: string[] = [];
      await using _ = trays[0].open(async (payload) => (seen.push(payload), payload === item('1').payload ? unwell() : ok(undefined)));
      await until(() => seen.includes(item('2').payload), 'the lane goes on');
      expect(seen).toEqual([...Array.from({ length: 5 }, () => item('1').payload), item('2').payload]);
      expect(await dead()).toBe(1);
      expect(valueOf(await trays[0].put(item('1')))).toBe('duplicate');
    });

    it('gives up at once what cannot succeed', async () => {
      const { trays, dead } = make();
      await put(trays[0], item('1'), item('2'));
      const seen: string[] = [];
      await using _ = trays[0].open(async (payload) => {
        seen.push(payload);
        return payload === item('1').payload ? err(failure('request-malformed', { what: 'x' })) : ok(undefined);
      });
      await until(() => seen.length === 2, 'the lane goes on');
      expect(await dead()).toBe(1);
    });

    it('does not hold it against an item that the store was away', async () => {
      const { trays, dead } = make();
      await put(trays[0], item('1'));
      let calls = 0;
      await using _ = trays[0].open(async () => {
        calls += 1;
        return calls < 9 ? err(failure('store-unreachable', {})) : ok(undefined);
      });
      await until(() => calls === 9, 'it is handled in the end');
      expect(await dead()).toBe(0);
    });

    it('takes nothing more once it is left, waits for what runs, and leaves the rest to others at once', async () => {
      const { trays } = make();
      await put(trays[0], item('1'), item('2'));
      const seen: string[] = [];
      const opened = trays[0].open(async (payload) => {
        seen.push(`first ${payload}`);
        await sleep(200);
        seen.push('finished');
        return ok(undefined);
      });
      await until(() => seen.length === 1, 'one is being handled');
      await opened[Symbol.asyncDispose]();
      expect(seen).toEqual([`first ${item('1').payload}`, 'finished']);
      await using _ = trays[1].open(async (payload) => (seen.push(payload), ok(undefined)));
      await until(() => seen.length === 3, 'the rest is handled');
      expect(seen.at(-1)).toBe(item('2').payload);
    });
  });
};
