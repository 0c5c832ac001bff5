import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blobIdOf } from '../../../src/core/blob-hash.ts';
import { conversationIdOf } from '../../../src/core/ids.ts';
import { createBlobStore } from '../../../src/infra/redis/blob-store.ts';
import { sealWith } from '../../../src/infra/redis/seal.ts';
import { blobStoreContract } from '../../contracts/blob-store.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis } from '../../support/redis.ts';
import { valueOf } from '../../support/results.ts';

const secret = 'a secret of the operator, long enough';
const here = conversationIdOf({ platform: 'web', workspace: '', channel: '', thread: 'here' });
const there = conversationIdOf({ platform: 'web', workspace: '', channel: '', thread: 'there' });
const bytes = Buffer.from('the plans for the harbour');
const id = blobIdOf(bytes);

describe('a sealed blob', () => {
  const seal = sealWith(secret);
  it('opens to the same bytes, also empty ones', () => {
    expect(seal.open(here, id, seal.close(here, id, bytes))).toEqual(bytes);
    expect(seal.open(here, id, seal.close(here, id, new Uint8Array()))).toEqual(Buffer.alloc(0));
  });
  it('does not open for another key, another thread, another id, or when it was touched', () => {
    const sealed = Buffer.from(seal.close(here, id, bytes));
    expect(sealWith(`${secret}!`).open(here, id, sealed)).toBeNull();
    expect(seal.open(there, id, sealed)).toBeNull();
    expect(seal.open(here, blobIdOf(Buffer.from('x')), sealed)).toBeNull();
    sealed[20]! ^= 1;
    expect(seal.open(here, id, sealed)).toBeNull();
    expect(seal.open(here, id, bytes)).toBeNull();
  });
});

describe('a sealed store', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis[Symbol.asyncDispose]());
  const make = () => createBlobStore({ client: redis.look(), seal: sealWith(secret) });

  blobStoreContract('sealed', make);

  it('leaves nothing to read in Redis', async () => {
    valueOf(await make().put(here, bytes));
    const client = redis.look();
    const stored = await Promise.all((await client.keys('*blob:*')).map((key) => client.getBuffer(key)));
    expect(stored.length).toBeGreaterThan(0);
    expect(Buffer.concat(stored.filter((one) => one !== null)).includes('harbour')).toBe(false);
  });
});
