/** What adapters keep: how long, sealed how, and gone with what. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNotes } from '../../../src/infra/redis/notes.ts';
import { sealsOf } from '../../../src/infra/redis/seal.ts';
import { createSecrets } from '../../../src/infra/redis/secrets.ts';
import { systemClock } from '../../../src/infra/system/clock.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis } from '../../support/redis.ts';
import { codeOf, valueOf } from '../../support/results.ts';
import { aConversation, aSession } from '../../support/samples.ts';
import { startStoreProcess } from '../../support/store-process.ts';
import type { StoreProcess } from '../../support/store-process.ts';

const [key, otherKey] = ['a secret of the operator, long enough', 'another secret of the operator, as long'];
let redis: TestRedis;
let stores: StoreProcess;
beforeAll(async () => {
  redis = await startRedis();
  stores = await startStoreProcess(redis.url);
});
afterAll(async () => {
  await stores[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
});
const notesWith = (secret: string | null) => createNotes({ client: redis.look(), seal: sealsOf(secret).notes });
const secretsWith = (secret: string | null) => createSecrets({ client: redis.look(), seal: sealsOf(secret).secrets, clock: systemClock });

describe('notes', () => {
  it('go when their conversation is erased, and a month after the last one', async () => {
    const conversation = aConversation();
    valueOf(await stores.store.create(conversation, aSession()));
    valueOf(await stores.notes.set(conversation, 'draft', '1'));
    valueOf(await stores.notes.claim(conversation, 'thread', '2'));
    const days = (await redis.look().pttl(`{c:${conversation}}:notes`)) / 86_400_000;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThanOrEqual(30);
    valueOf(await stores.store.erase(conversation));
    expect(valueOf(await stores.notes.get(conversation, 'draft'))).toBeNull();
    expect((await redis.look().keys('*')).filter((name) => name.includes(conversation))).toEqual([]);
  });
  it('are sealed with a key, and what was written before there was one is still read', async () => {
    const conversation = aConversation();
    valueOf(await notesWith(null).set(conversation, 'old', 'from before'));
    valueOf(await notesWith(key).set(conversation, 'new', 'the harbour'));
    expect(JSON.stringify(await redis.look().hgetall(`{c:${conversation}}:notes`))).not.toContain('harbour');
    expect(valueOf(await notesWith(key).get(conversation, 'old'))).toBe('from before');
    expect(valueOf(await notesWith(key).get(conversation, 'new'))).toBe('the harbour');
    expect(codeOf(await notesWith(otherKey).get(conversation, 'new'))).toBe('entry-unreadable');
    expect(codeOf(await notesWith(null).get(conversation, 'new'))).toBe('entry-unreadable');
  });
});

describe('secrets', () => {
  it('are never stored unsealed, and need a key to be stored at all', async () => {
    expect(await secretsWith(null).put('slack:T1', 'xoxb-harbour')).toMatchObject({
      failure: { code: 'config-invalid', problems: [expect.stringContaining('HEKTOR_ENCRYPTION_KEY')] },
    });
    expect(codeOf(await secretsWith(null).get('slack:T1'))).toBe('config-invalid');
    valueOf(await secretsWith(key).put('slack:T1', 'xoxb-harbour'));
    expect(JSON.stringify(await redis.look().hgetall('{hektor}:secrets'))).not.toContain('harbour');
    expect(valueOf(await secretsWith(key).get('slack:T1'))).toBe('xoxb-harbour');
  });
  it('do not open with another key, under another name, or where somebody wrote them in the open', async () => {
    valueOf(await secretsWith(key).put('slack:T2', 'xoxb-2'));
    expect(codeOf(await secretsWith(otherKey).get('slack:T2'))).toBe('config-invalid');
    await redis.look().hset('{hektor}:secrets', 'slack:T3', (await redis.look().hget('{hektor}:secrets', 'slack:T2')) ?? '');
    expect(codeOf(await secretsWith(key).get('slack:T3'))).toBe('config-invalid');
    await redis.look().hset('{hektor}:secrets', 'slack:T4', '=xoxb-forged');
    expect(codeOf(await secretsWith(key).get('slack:T4'))).toBe('config-invalid');
  });
  it('free the lock of a process that died when its time is over', async () => {
    const secrets = createSecrets({ client: redis.look(), seal: null, clock: systemClock, lockMs: 500 });
    await redis.look().set('{hektor}:lock:slack:T1', 'of a dead process', 'PX', 500);
    expect(valueOf(await secrets.withLock('slack:T1', async () => 'done'))).toBe('done');
    expect(await redis.look().exists('{hektor}:lock:slack:T1')).toBe(0);
  });
  it('keep a lock for as long as its work takes', async () => {
    const secrets = createSecrets({ client: redis.look(), seal: null, clock: systemClock, lockMs: 400 });
    const held = secrets.withLock('slack:T9', () => systemClock.sleep(1_500));
    await systemClock.sleep(50);
    expect(codeOf(await secrets.withLock('slack:T9', async () => 'too early'))).toBe('store-busy');
    valueOf(await held);
  });
});
