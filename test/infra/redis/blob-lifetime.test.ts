import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBlobStore } from '../../../src/infra/redis/blob-store.ts';
import { createRedis } from '../../../src/infra/redis/connection.ts';
import type { RedisConnection } from '../../../src/infra/redis/connection.ts';
import { blobKeys } from '../../../src/infra/redis/keys.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis } from '../../support/redis.ts';
import { valueOf } from '../../support/results.ts';
import { aConversation } from '../../support/samples.ts';
import { createTestLog } from '../../support/test-log.ts';

let redis: TestRedis;
let connection: RedisConnection;
beforeAll(async () => {
  redis = await startRedis();
  connection = createRedis({ url: redis.url, purpose: 'work', log: createTestLog().log });
});
afterAll(async () => {
  for (const open of [connection, redis]) await open[Symbol.asyncDispose]();
});

it('reading and writing a blob renews its life, and its name is remembered at least as long', async () => {
  const blobs = createBlobStore({ client: connection.client, lifetimeSeconds: 1_000 });
  const conversation = aConversation();
  const keys = blobKeys(conversation);
  const bytes = new Uint8Array([1, 2, 3]);
  const id = valueOf(await blobs.put(conversation, bytes));
  const age = async (): Promise<void> => {
    await redis.look().expire(keys.blob(id), 5);
    await redis.look().expire(keys.index, 5);
  };
  const renewed = async (): Promise<boolean> =>
    (await redis.look().ttl(keys.blob(id))) > 900 && (await redis.look().ttl(keys.index)) >= (await redis.look().ttl(keys.blob(id)));
  expect(await renewed()).toBe(true);
  await age();
  valueOf(await blobs.get(conversation, id));
  expect(await renewed()).toBe(true);
  await age();
  valueOf(await blobs.put(conversation, bytes));
  expect(await renewed()).toBe(true);
});

it('leaves no key after everything was deleted', async () => {
  const blobs = createBlobStore({ client: connection.client });
  const conversation = aConversation();
  valueOf(await blobs.putAll(conversation, [new Uint8Array([1]), new Uint8Array([2])]));
  expect(valueOf(await blobs.keepOnly(conversation, new Set(), 0))).toBe(2);
  expect(await redis.look().exists(blobKeys(conversation).index)).toBe(0);
});
