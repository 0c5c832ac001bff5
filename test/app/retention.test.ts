import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseIdle, startRetention } from '../../src/app/retention.ts';
import { conversationIdOf } from '../../src/core/ids.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { valueOf } from '../support/results.ts';
import { aConversation, aNotice, anAsk, aSession } from '../support/samples.ts';
import { startStoreProcess } from '../support/store-process.ts';
import type { StoreProcess } from '../support/store-process.ts';
import { createTestLog } from '../support/test-log.ts';
import { until } from '../support/until.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
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

/** A conversation with an entry, a blob, a note and something shown, whose last message came in so long ago. */
const made = async (daysAgo: number, conversation = aConversation()): Promise<ConversationId> => {
  valueOf(await stores.store.create(conversation, aSession()));
  const { fence } = valueOf(await stores.store.claim(conversation));
  valueOf(await stores.store.commit(conversation, fence, { taken: [], entries: [aNotice('x')], session: aSession(), posts: [] }));
  valueOf(await stores.blobs.put(conversation, Buffer.from('x')));
  valueOf(await stores.notes.set(conversation, 'draft', '1'));
  valueOf(await stores.events.append(conversation, 'x'));
  await redis.look().zadd('{hektor}:active', Date.now() - daysAgo * DAY_MS, conversation);
  return conversation;
};
const keysOf = async (conversation: ConversationId): Promise<readonly string[]> =>
  (await redis.look().keys('*')).filter((key) => key.includes(conversation) || key.includes(encodeURIComponent(conversation)));
const deps = () => ({ ...stores, clock: systemClock, log: createTestLog().log });

describe('retention', () => {
  it('erases everything of what was idle for so long, on every platform, and nothing else', async () => {
    const elsewhere = conversationIdOf({ platform: 'slack', workspace: 'T1', channel: 'C1', thread: `1.${process.pid}` });
    const [old, older, young] = [await made(31), await made(400, elsewhere), await made(29)];
    expect(valueOf(await eraseIdle(deps(), 30))).toBe(2);
    expect(await keysOf(old)).toEqual([]);
    expect(await keysOf(older)).toEqual([]);
    expect(valueOf(await stores.store.session(young))).not.toBeNull();
    expect((await keysOf(young)).length).toBeGreaterThan(4);
    expect(valueOf(await stores.store.recent('web', 'w', 100))).toEqual([young]);
    expect(valueOf(await eraseIdle(deps(), 30))).toBe(0);
  });
  it('counts from the last message, and leaves what has messages waiting', async () => {
    const [spokenTo, waiting] = [await made(31), await made(31)];
    valueOf(await stores.store.ingest(spokenTo, anAsk('k'), 20));
    valueOf(await stores.store.ingest(waiting, anAsk('k'), 20));
    await redis.look().zadd('{hektor}:active', 1, waiting);
    expect(valueOf(await eraseIdle(deps(), 30))).toBe(0);
    expect(valueOf(await stores.store.session(spokenTo))).not.toBeNull();
    expect(valueOf(await stores.store.mailbox(waiting))).toHaveLength(1);
    await redis.look().zadd('{hektor}:active', Date.now(), waiting);
  });
  it('goes through more than one page', async () => {
    for (let n = 0; n < 1_100; n += 1) await redis.look().zadd('{hektor}:active', 1, aConversation('many'));
    expect(valueOf(await eraseIdle(deps(), 30))).toBe(1_100);
  });
  it('is done by one of several processes', async () => {
    const old = await made(31);
    const { log, lines } = createTestLog();
    const start = () => startRetention({ ...stores, shared: stores.shared('hektor'), clock: systemClock, log }, 30);
    const processes = [start(), start(), start()];
    await until(async () => valueOf(await stores.store.session(old)) === null, 'it is erased');
    await until(() => lines.length > 0, 'that is told');
    for (const process of processes) await process[Symbol.asyncDispose]();
    expect(lines).toMatchObject([{ level: 'info', fields: { count: 1, days: 30 } }]);
  });
});
