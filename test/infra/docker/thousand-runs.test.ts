/**
 * A thousand runs over the pool, and nothing is left of them: in few enough leases that it takes a minute rather than ten, in many enough
 * that every way out of a lease is taken (thrown away, rested, ended by force, pushed out by others).
 */
import { describe, expect, it } from 'vitest';
import { blobId } from '../../../src/core/ids.ts';
import type { BlobId } from '../../../src/core/ids.ts';
import { blobsOf } from '../../../src/core/snapshot.ts';
import { createBlobStore } from '../../../src/infra/redis/blob-store.ts';
import { createRedis } from '../../../src/infra/redis/connection.ts';
import { blobKeys } from '../../../src/infra/redis/keys.ts';
import { startRedis } from '../../support/redis.ts';
import { docker, openSandbox, openSession } from '../../support/sandbox.ts';
import { createTestLog } from '../../support/test-log.ts';
import { until } from '../../support/until.ts';

const conversations = 20;
const runsEach = 50;
/** Fewer than there is room for containers, or every run would push another conversation's container out and be a lease of its own. */
const atOnce = 3;

const volumesAndNetworks = async (): Promise<readonly string[]> => {
  const [{ Volumes }, networks] = await Promise.all([docker.listVolumes(), docker.listNetworks()]);
  return [...Volumes.map(({ Name }) => Name), ...networks.map(({ Id }) => Id)].toSorted();
};

describe('a thousand runs', { timeout: 600_000 }, () => {
  it('leave no container, volume or network, and no blob that no state of theirs names', async () => {
    const before = await volumesAndNetworks();
    await using redis = await startRedis({ fsync: 'everysec' });
    await using connection = createRedis({ url: redis.url, purpose: 'work', log: createTestLog().log });
    const blobs = createBlobStore({ client: connection.client, lifetimeSeconds: 3_600 });
    const opened = openSandbox({ store: blobs, limits: { poolSize: 2, maxContainers: 6, waitMs: 500_000 } });
    const converse = async (index: number): Promise<void> => {
      const session = openSession(opened.sandbox, blobs);
      const named = new Set<BlobId>();
      for (let n = 1; n <= runsEach; n += 1) {
        const odd = n === 10 && index % 4 === 0;
        const outcome = await session.run(odd ? 'import os; os._exit(3)' : `total = ${n === 1 ? 0 : 'total'} + 1\ntotal`);
        expect(outcome.end).toBe(odd ? 'killed' : 'finished');
        for (const id of [session.head(), ...blobsOf(await session.manifest())]) if (id !== null) named.add(blobId(id));
        if (n === 25 && index % 4 === 1) await opened.sandbox.discard(session.conversation);
        if (n === 30 && index % 4 === 2) await opened.sandbox.rest(session.conversation);
      }
      expect((await session.manifest()).n).toBe(runsEach);
      const { index: list, blob } = blobKeys(session.conversation);
      const stored = await redis.look().keys(`${list.slice(0, -1)}:*`);
      expect(new Set(stored)).toEqual(new Set([...named].map((id) => blob(id))));
      expect(new Set(await redis.look().smembers(list))).toEqual(named);
      await opened.sandbox.rest(session.conversation);
    };
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < conversations; index = next++) await converse(index);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    expect((await opened.containers()).length).toBeLessThanOrEqual(6);
    await opened[Symbol.asyncDispose]();
    await until(async () => (await opened.containers()).length === 0, 'no container is left', 120_000);
    expect((await volumesAndNetworks()).filter((one) => !before.includes(one))).toEqual([]);
  });
});
