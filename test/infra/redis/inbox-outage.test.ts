import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ok } from '../../../src/core/result.ts';
import { inspectInbox, requeueDead } from '../../../src/infra/redis/inbox-tray.ts';
import { failure } from '../../../src/core/failure.ts';
import { err } from '../../../src/core/result.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis } from '../../support/redis.ts';
import { codeOf, valueOf } from '../../support/results.ts';
import { startStoreProcess } from '../../support/store-process.ts';
import type { StoreProcess } from '../../support/store-process.ts';
import { until } from '../../support/until.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});
const begin = async (): Promise<{ redis: TestRedis; gateway: StoreProcess; worker: StoreProcess }> => {
  const redis = await startRedis();
  open.push(redis);
  const gateway = await startStoreProcess(redis.url, 'ingest');
  open.push(gateway);
  const worker = await startStoreProcess(redis.url, 'work');
  open.push(worker);
  return { redis, gateway, worker };
};
const item = (n: number) => ({ id: `${n}`, lane: `lane ${n % 3}`, payload: `payload ${n}` });

describe('an in-tray whose Redis goes away', { timeout: 120_000 }, () => {
  it('refuses at once what it cannot keep, loses nothing, and goes on by itself', async () => {
    const { redis, gateway, worker } = await begin();
    const tray = gateway.inbox('slack');
    for (let n = 0; n < 30; n += 1) valueOf(await tray.put(item(n)));
    const seen: string[] = [];
    open.push(worker.inbox('slack').open(async (payload) => (await sleep(30), seen.push(payload), ok(undefined))));
    await until(() => seen.length >= 5, 'some are handled');
    await redis.kill();
    expect(codeOf(await tray.put(item(99)))).toBe('store-unreachable');
    await sleep(1_000);
    await redis.start();
    await until(() => new Set(seen).size === 30, 'the others are handled', 60_000);
    await until(async () => codeOf(await tray.put(item(99))) === 'ok', 'the tray takes again');
    await until(() => seen.includes('payload 99'), 'what came later is handled');
    for (const lane of [0, 1, 2]) {
      const order = [...new Set(seen)].map((payload) => Number(payload.slice(8))).filter((n) => n % 3 === lane && n < 99);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
    expect(await gateway.dead('slack')).toBe(0);
  });

  it('keeps what was given up, says why, and takes it back for an operator, once', async () => {
    const { redis, gateway, worker } = await begin();
    valueOf(await gateway.inbox('slack').put(item(1)));
    let broken = true;
    const seen: string[] = [];
    open.push(
      worker.inbox('slack').open(async (payload) => {
        seen.push(payload);
        return broken ? err(failure('request-malformed', { what: 'x' })) : ok(undefined);
      }),
    );
    const look = () => inspectInbox(redis.look(), 'slack');
    await until(async () => valueOf(await look()).dead === 1, 'it is given up');
    expect(valueOf(await look())).toEqual({ waiting: 0, dead: 1, reason: 'request-malformed' });
    expect(worker.lines.filter(({ level }) => level === 'error')).toMatchObject([
      { fields: { adapter: 'slack', item: '1', reason: 'request-malformed' } },
    ]);
    expect(await worker.metrics.text()).toContain('hektor_inbox_total{adapter="slack",outcome="dead"} 1');
    broken = false;
    expect(valueOf(await requeueDead(redis.look(), 'slack'))).toBe(1);
    expect(valueOf(await requeueDead(redis.look(), 'slack'))).toBe(0);
    await until(() => seen.length === 2, 'it is handled');
    await until(async () => valueOf(await look()).waiting === 0, 'nothing waits');
    expect(valueOf(await look()).dead).toBe(0);
  });

  it('leaves nothing of a payload to read in Redis, waiting or dead', async () => {
    const { redis, gateway } = await begin();
    valueOf(await gateway.inbox('slack').put({ id: 'Ev1', lane: 'C1/1.1', payload: 'the plans for the harbour' }));
    const client = redis.look();
    const stored = JSON.stringify([await client.hgetall('{i:slack}:items'), await client.zrange('{i:slack}:queue', 0, -1)]);
    expect(stored).toContain('Ev1');
    expect(stored).not.toContain('harbour');
  });
});
