/** The queue's contract suite, on a Redis of its own. */
import { afterAll, beforeAll } from 'vitest';
import { createTurnQueue } from '../../../src/infra/bullmq/turn-queue.ts';
import { startTurnWorker } from '../../../src/infra/bullmq/turn-worker.ts';
import { createRedis } from '../../../src/infra/redis/connection.ts';
import type { RedisConnection } from '../../../src/infra/redis/connection.ts';
import { turnQueueContract } from '../../contracts/turn-queue.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis, TestRedisOptions } from '../../support/redis.ts';
import { valueOf } from '../../support/results.ts';
import { createTestLog } from '../../support/test-log.ts';
import { until } from '../../support/until.ts';

export const bullmqContract = (name: string, options: TestRedisOptions): void => {
  const { log } = createTestLog();
  let redis: TestRedis;
  let ingest: RedisConnection;
  let work: RedisConnection;
  let queue: ReturnType<typeof createTurnQueue>;

  beforeAll(async () => {
    redis = await startRedis(options);
    ingest = createRedis({ url: redis.url, purpose: 'ingest', log });
    work = createRedis({ url: redis.url, purpose: 'queue', log });
    valueOf(await ingest.ready(30_000));
    queue = createTurnQueue({ connection: ingest.client, log });
  });
  afterAll(async () => {
    for (const open of [queue, ingest, work]) await open[Symbol.asyncDispose]();
    await until(async () => (await redis.connections()) === 0, 'every connection is closed');
    await redis[Symbol.asyncDispose]();
  });

  turnQueueContract(name, {
    queue: () => queue,
    work: (pass, concurrency) => startTurnWorker({ connection: work.client, queue, log, concurrency, pass }),
  });
};
