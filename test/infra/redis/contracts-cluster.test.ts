import { afterAll, beforeAll } from 'vitest';
import { blobStoreContract } from '../../contracts/blob-store.ts';
import { budgetsContract } from '../../contracts/budgets.ts';
import { conversationStoreContract } from '../../contracts/conversation-store.ts';
import { eventStreamContract } from '../../contracts/event-stream.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startStoreProcess } from '../../support/store-process.ts';
import type { StoreProcess } from '../../support/store-process.ts';
import { until } from '../../support/until.ts';

let redis: TestRedis;
let processes: readonly StoreProcess[];
let turn = 0;
/** By turns, so that two of a test are in different processes. */
const next = (): StoreProcess => processes[turn++ % processes.length]!;

beforeAll(async () => {
  redis = await startRedis({ cluster: true });
  processes = [await startStoreProcess(redis.url), await startStoreProcess(redis.url, 'ingest')];
});
afterAll(async () => {
  for (const process of processes) await process[Symbol.asyncDispose]();
  await until(async () => (await redis.connections()) === 0, 'every connection is closed');
  await redis[Symbol.asyncDispose]();
});

conversationStoreContract('Redis Cluster', () => next().store);
blobStoreContract('Redis Cluster', () => next().blobs);
eventStreamContract('Redis Cluster', () => next().events);
budgetsContract('Redis Cluster', () => next().budgets);
