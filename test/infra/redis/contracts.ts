/** The contract suites of everything that stands on Redis, by two processes of one Redis of their own. */
import { afterAll, beforeAll } from 'vitest';
import { blobStoreContract } from '../../contracts/blob-store.ts';
import { budgetsContract } from '../../contracts/budgets.ts';
import { channelSettingsContract } from '../../contracts/channel-settings.ts';
import { conversationStoreContract } from '../../contracts/conversation-store.ts';
import { eventStreamContract } from '../../contracts/event-stream.ts';
import { inboxContract } from '../../contracts/inbox.ts';
import { notesContract } from '../../contracts/notes.ts';
import { secretsContract } from '../../contracts/secrets.ts';
import { sharedFactsContract } from '../../contracts/shared-facts.ts';
import { storeChangesContract } from '../../contracts/store-changes.ts';
import { conversationKeys } from '../../../src/infra/redis/keys.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis, TestRedisOptions } from '../../support/redis.ts';
import { startStoreProcess } from '../../support/store-process.ts';
import type { StoreProcess } from '../../support/store-process.ts';
import { until } from '../../support/until.ts';

export const redisContracts = (name: string, options: TestRedisOptions): void => {
  let redis: TestRedis;
  let processes: readonly [StoreProcess, StoreProcess];
  let turn = 0;
  let trays = 0;
  /** By turns, so that two of a test are in different processes. */
  const next = (): StoreProcess => processes[turn++ % 2 === 0 ? 0 : 1];

  beforeAll(async () => {
    redis = await startRedis(options);
    processes = [await startStoreProcess(redis.url), await startStoreProcess(redis.url, 'ingest')];
  });
  afterAll(async () => {
    for (const process of processes) await process[Symbol.asyncDispose]();
    await until(async () => (await redis.connections()) === 0, 'every connection is closed');
    await redis[Symbol.asyncDispose]();
  });

  conversationStoreContract(name, () => next().store);
  storeChangesContract(
    name,
    () => next().store,
    async (conversation, key, record) => void (await redis.look().hset(conversationKeys(conversation).items, key, record)),
  );
  channelSettingsContract(name, () => next().channels);
  blobStoreContract(name, () => next().blobs);
  eventStreamContract(name, () => next().events);
  budgetsContract(name, () => next().budgets);
  notesContract(name, () => next().notes);
  secretsContract(name, () => next().secrets);
  sharedFactsContract(name, (adapter) => next().shared(adapter));
  inboxContract(name, () => {
    const tray = `tray ${++trays}`;
    const [one, other] = processes;
    return { trays: [one.inbox(tray), other.inbox(tray)], dead: () => one.dead(tray) };
  });
};
