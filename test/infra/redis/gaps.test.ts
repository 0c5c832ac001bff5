/** The moments between two commands at which a process may die: what is left must be swept, and nothing may stay for ever. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventKey } from '../../../src/core/ids.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import { createRedis } from '../../../src/infra/redis/connection.ts';
import type { RedisConnection } from '../../../src/infra/redis/connection.ts';
import { createConversationStore } from '../../../src/infra/redis/conversation-store.ts';
import { announcedKey, conversationKeys, pendingKey } from '../../../src/infra/redis/keys.ts';
import { createPending } from '../../../src/infra/redis/pending.ts';
import type { Pending } from '../../../src/infra/redis/pending.ts';
import { GIVEN_UP_MS } from '../../../src/infra/redis/scripts/pending.ts';
import { createSubscriber } from '../../../src/infra/redis/subscriber.ts';
import type { Subscriber } from '../../../src/infra/redis/subscriber.ts';
import { systemClock } from '../../../src/infra/system/clock.ts';
import type { ConversationStore } from '../../../src/ports/conversation-store.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis } from '../../support/redis.ts';
import { valueOf } from '../../support/results.ts';
import { aConversation, anAsk, aSession } from '../../support/samples.ts';
import { createTestLog } from '../../support/test-log.ts';

let redis: TestRedis;
let connection: RedisConnection;
let subscriber: Subscriber;
let store: ConversationStore;
let pending: Pending;
let ahead = 0;
const clock = { ...systemClock, now: () => Date.now() + ahead };

beforeAll(async () => {
  const { log } = createTestLog();
  redis = await startRedis();
  connection = createRedis({ url: redis.url, purpose: 'work', log });
  subscriber = createSubscriber(createRedis({ url: redis.url, purpose: 'subscribe', log }));
  store = createConversationStore({ client: connection.client, subscriber, clock });
  pending = createPending(connection.client, clock);
});
afterAll(async () => {
  for (const open of [subscriber, connection, redis]) await open[Symbol.asyncDispose]();
});
beforeEach(() => {
  ahead = 0;
});

const isPending = async (conversation: ConversationId): Promise<boolean> =>
  valueOf(await store.pendingSince(clock.now() + 1)).includes(conversation);
const settle = async (conversation: ConversationId): Promise<boolean> =>
  valueOf(await store.settle(conversation, valueOf(await store.claim(conversation)).fence));
const answerAll = async (conversation: ConversationId): Promise<void> => {
  const { fence, mailbox } = valueOf(await store.claim(conversation));
  valueOf(await store.commit(conversation, fence, { taken: mailbox.map((item) => item.key), entries: [], session: aSession(), posts: [] }));
};

describe('the pending list, when somebody dies between two commands', () => {
  it('an announcement whose message never came costs idle passes for a minute, then it is gone', async () => {
    const conversation = aConversation();
    valueOf(await pending.announce(conversation, eventKey('never')));
    expect(await isPending(conversation)).toBe(true);
    expect(await settle(conversation)).toBe(true);
    // The message may still be on its way.
    expect(await isPending(conversation)).toBe(true);
    ahead = GIVEN_UP_MS + 1;
    expect(await settle(conversation)).toBe(true);
    expect(await isPending(conversation)).toBe(false);
    expect(await redis.look().exists(announcedKey(conversation))).toBe(0);
  });

  it('U025: a message whose gateway died before the wake is on the list until it is answered', async () => {
    const conversation = aConversation();
    valueOf(await store.ingest(conversation, anAsk('k1'), 20));
    expect(await settle(conversation)).toBe(false);
    await answerAll(conversation);
    expect(await isPending(conversation)).toBe(true);
    expect(await settle(conversation)).toBe(true);
    expect(await isPending(conversation)).toBe(false);
  });

  it('a worker that settles between an announcement and its push leaves the announcement alone', async () => {
    const conversation = aConversation();
    valueOf(await store.ingest(conversation, anAsk('k1'), 20));
    await answerAll(conversation);
    // Another gateway has announced k2 and not yet pushed it.
    valueOf(await pending.announce(conversation, eventKey('k2')));
    expect(await settle(conversation)).toBe(true);
    expect(await isPending(conversation)).toBe(true);
    // The push comes, by the same gateway's retry.
    valueOf(await store.ingest(conversation, anAsk('k2'), 20));
    await answerAll(conversation);
    expect(await settle(conversation)).toBe(true);
    expect(await isPending(conversation)).toBe(false);
  });

  it('a withdrawn duplicate does not take the first delivery off the list', async () => {
    const conversation = aConversation();
    const first = valueOf(await pending.announce(conversation, eventKey('k1')));
    const second = valueOf(await pending.announce(conversation, eventKey('k1')));
    expect(first).not.toBe(second);
    valueOf(await pending.withdraw(conversation, [second]));
    expect(await isPending(conversation)).toBe(true);
    valueOf(await pending.withdraw(conversation, [first]));
    expect(await isPending(conversation)).toBe(false);
  });

  it('leaves nothing behind of a conversation that is done but what it is to keep', async () => {
    const conversation = aConversation();
    for (const key of ['k1', 'k2']) valueOf(await store.ingest(conversation, anAsk(key), 20));
    valueOf(await store.countAttempt(conversation, eventKey('k1')));
    await answerAll(conversation);
    await settle(conversation);
    const k = conversationKeys(conversation);
    expect(await redis.look().exists(k.mailbox, k.items, k.attempts, k.journal, k.outbox, k.posts, announcedKey(conversation))).toBe(0);
    expect(await redis.look().zscore(pendingKey, conversation)).toBeNull();
    expect(await redis.look().pttl(k.seen)).toBeGreaterThan(0);
  });

  it('erase leaves no key that names the conversation', async () => {
    const conversation = aConversation();
    valueOf(await store.create(conversation, aSession()));
    valueOf(await store.ingest(conversation, anAsk('k1'), 20));
    valueOf(await store.claim(conversation));
    valueOf(await store.requestStop(conversation, { id: 'U1', name: 'Ann' }));
    valueOf(await store.erase(conversation));
    const thread = conversation.split('/').at(-1)!;
    expect((await redis.look().keys('*')).filter((key) => key.includes(thread))).toEqual([]);
  });
});

describe('a record that cannot be read', () => {
  it('a journal of another version is no journal: the turn begins anew', async () => {
    const conversation = aConversation();
    valueOf(await store.ingest(conversation, anAsk('k1'), 20));
    await redis.look().rpush(conversationKeys(conversation).journal, 'w [{"type":"unheard-of"}]');
    expect(valueOf(await store.claim(conversation))).toMatchObject({ journal: [], mailbox: [{ key: 'k1' }] });
  });

  it('a mailbox item is told as spoiled, by its key and not its content, so that it can be put aside', async () => {
    const conversation = aConversation();
    valueOf(await store.ingest(conversation, anAsk('k1', { text: 'private words' }), 20));
    await redis.look().hset(conversationKeys(conversation).items, 'k1', '{"kind":"later"}');
    const claim = valueOf(await store.claim(conversation));
    expect(claim).toMatchObject({ mailbox: [], spoiled: { key: 'k1' } });
    expect(JSON.stringify(claim)).not.toContain('private words');
    valueOf(await store.erase(conversation));
  });

  it('a session is a failure that names the place and not the content', async () => {
    const conversation = aConversation();
    valueOf(await store.ingest(conversation, anAsk('k1', { text: 'private words' }), 20));
    await redis.look().set(conversationKeys(conversation).session, 'not JSON');
    const claim = await store.claim(conversation);
    expect(claim).toMatchObject({ ok: false, failure: { code: 'entry-unreadable' } });
    expect(JSON.stringify(claim)).not.toContain('private words');
    valueOf(await store.erase(conversation));
  });
});
