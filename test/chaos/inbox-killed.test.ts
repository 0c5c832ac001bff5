/** Gateways are killed with -9 at every point of working an in-tray off: nothing is lost, and lanes keep their order. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { valueOf } from '../support/results.ts';
import { startStoreProcess } from '../support/store-process.ts';
import type { StoreProcess } from '../support/store-process.ts';
import { until } from '../support/until.ts';

let redis: TestRedis;
let stores: StoreProcess;
let tray = '';
let serial = 0;
const gateways: ChildProcess[] = [];

beforeAll(async () => {
  redis = await startRedis();
  stores = await startStoreProcess(redis.url);
});
beforeEach(async () => {
  tray = `tray-${++serial}`;
  await redis.look().del('handled');
});
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await kill(gateway);
});
afterAll(async () => {
  await stores[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
});

const start = (point: string, ...lease: string[]): ChildProcess => {
  const program = resolve(import.meta.dirname, 'inbox-process.ts');
  const child = spawn(process.execPath, [program, redis.url, tray, point, ...lease], { stdio: ['ignore', 'pipe', 'inherit'] });
  gateways.push(child);
  return child;
};
const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};
const killedItself = async (child: ChildProcess): Promise<void> => {
  if (child.signalCode === null && child.exitCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
};
const handled = (): Promise<string[]> => redis.look().lrange('handled', 0, -1);
const put = async (lane: string, n: number): Promise<string> =>
  valueOf(await stores.inbox(tray).put({ id: `${lane}${n}`, lane, payload: `${lane} ${n}` }));

describe('killed gateways', { timeout: 240_000 }, () => {
  it('keep what was put when the platform could not be told any more; its second delivery is none (U025)', async () => {
    await killedItself(start('put'));
    expect(valueOf(await stores.inbox(tray).put({ id: 'put', lane: 'lane', payload: 'put' }))).toBe('duplicate');
    start('never');
    await until(async () => (await handled()).length > 0, 'the next process handles it');
    await sleep(300);
    expect(await handled()).toEqual(['put']);
  });

  it('leave an item that was begun to another process, within 30 seconds', async () => {
    await put('a', 1);
    await killedItself(start('begin'));
    expect(await handled()).toEqual([]);
    start('never');
    await until(async () => (await handled()).length > 0, 'another takes it over', 30_000);
    expect(await handled()).toEqual(['a 1']);
  });

  it('leave an item that was handled and not acknowledged: it is handled again, before the next of its lane', async () => {
    await put('a', 1);
    await put('a', 2);
    await killedItself(start('between'));
    expect(await handled()).toEqual(['a 1']);
    start('never');
    await until(async () => (await handled()).length === 3, 'another takes it over', 30_000);
    expect(await handled()).toEqual(['a 1', 'a 1', 'a 2']);
    await until(async () => (await redis.look().zcard(`{i:${tray}}:queue`)) === 0, 'nothing is left');
  });

  it('lose nothing and keep every lane in order, killed again and again at any moment', async () => {
    const lanes = ['a', 'b', 'c', 'd', 'e'];
    const each = 40;
    for (let n = 0; n < each; n += 1) for (const lane of lanes) await put(lane, n);
    // Two at a time, the older one killed: so there is always another that may take over.
    let older = start('never', '600');
    for (let round = 0; round < 5; round += 1) {
      const younger = start('never', '600');
      await once(younger.stdout!, 'data');
      await sleep(Math.random() * 300);
      await kill(older);
      older = younger;
    }
    await until(async () => (await redis.look().zcard(`{i:${tray}}:queue`)) === 0, 'everything is worked off', 120_000);
    const all = await handled();
    for (const lane of lanes) {
      const first = [...new Set(all.filter((payload) => payload.startsWith(lane)))];
      expect(first).toEqual(Array.from({ length: each }, (_, n) => `${lane} ${n}`));
      // What was handled again was the item at work, never one behind others that were done.
      const order = all.filter((payload) => payload.startsWith(lane)).map((payload) => Number(payload.slice(2)));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
    expect(await stores.dead(tray)).toBe(0);
  });
});
