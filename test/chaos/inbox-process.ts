/**
 * A gateway's in-tray as a process of its own, for tests that kill it: `node inbox-process.ts <redis url> <tray> <point> [lease ms]`.
 * Handling a payload is writing it to the list `handled`. At its point the process kills itself as `kill -9` does:
 * `never`; `put`: it puts one item and dies with the answer in hand, before a platform could be told; `begin`: as it is handed its first
 * item; `between`: when that is handled and not yet acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { ok } from '../../src/core/result.ts';
import { createLog } from '../../src/infra/pino/log.ts';
import { createRedis } from '../../src/infra/redis/connection.ts';
import { createInbox } from '../../src/infra/redis/inbox.ts';
import { sealsOf } from '../../src/infra/redis/seal.ts';
import { createSubscriber } from '../../src/infra/redis/subscriber.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import { createMetrics } from '../../src/infra/telemetry/metrics.ts';

const [url = '', adapter = '', point = 'never', lease] = process.argv.slice(2);
const log = createLog({ level: 'silent' });
const ingest = createRedis({ url, purpose: 'ingest', log });
const work = createRedis({ url, purpose: 'work', log });
const subscriber = createSubscriber(createRedis({ url, purpose: 'subscribe', log }));
await ingest.ready(30_000);
const handled = new Redis(url);
const inbox = createInbox({
  adapter,
  client: ingest.client,
  work: work.client,
  subscriber,
  seal: sealsOf('a secret of the tests, of some length').inbox,
  clock: systemClock,
  log,
  metrics: createMetrics(),
  ...(lease === undefined ? {} : { leaseMs: Number(lease) }),
});
const dieAt = (here: string): void => {
  if (point === here) process.kill(process.pid, 'SIGKILL');
};

if (point === 'put') {
  await inbox.put({ id: 'put', lane: 'lane', payload: 'put' });
  dieAt('put');
}
inbox.open(async (payload) => {
  dieAt('begin');
  await sleep(Math.random() * 20);
  await handled.rpush('handled', payload);
  dieAt('between');
  return ok(undefined);
});
process.stdout.write('ready\n');
