import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure } from '../../src/core/failure.ts';
import type { Failure } from '../../src/core/failure.ts';
import { addressOf, conversationIdOf, eventKey } from '../../src/core/ids.ts';
import type { Address, ConversationId } from '../../src/core/ids.ts';
import type { ItemOf } from '../../src/core/message.ts';
import { err, ok } from '../../src/core/result.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import type { Outbound, ThreadRequest } from '../../src/ports/adapter.ts';
import { forkThread } from '../../src/turn/fork.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { codeOf, valueOf } from '../support/results.ts';
import { aConversation, aNotice, ann, aSession } from '../support/samples.ts';
import { startStoreProcess } from '../support/store-process.ts';
import type { StoreProcess } from '../support/store-process.ts';

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

const anItem = (key: string): ItemOf<'command'> => ({
  kind: 'command',
  key: eventKey(key),
  at: 1,
  author: ann,
  origin: { channel: 'C1', user: 'U1' },
  name: 'fork',
  args: '',
});

/** A platform whose threads begin with a message, as Slack's do; one key opens one thread. */
const createPlatform = (refuses: Failure | null = null) => {
  const threads = new Map<string, string>();
  const asked: ThreadRequest[] = [];
  const outbound: Outbound = {
    perform: () => Promise.resolve(ok(undefined)),
    openThread: async (from, request) => {
      asked.push(request);
      if (refuses !== null) return err(refuses);
      const thread = threads.get(request.key) ?? `170000000${threads.size}.000100`;
      threads.set(request.key, thread);
      return ok({ ...(addressOf(from) as Address), thread });
    },
    linkTo: (conversation) => `https://chat.example/archives/${addressOf(conversation)?.thread ?? ''}`,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { outbound, asked, threads };
};

const plan = {
  entries: [aNotice('one'), aNotice('two')],
  session: aSession({ title: 'Fork of [a] *plan*', runs: 3 }),
};
const depsWith = (outbound: Outbound | undefined) => ({ ...stores, outboundOf: () => outbound, clock: systemClock });
const textsOf = async (conversation: ConversationId): Promise<readonly string[]> =>
  valueOf(await stores.store.entries(conversation, 0, 100)).entries.map((entry) => (entry.kind === 'noticed' ? entry.text : entry.kind));

describe('a fork', () => {
  it('is opened by the platform, goes on from a copy, and is reached by a link', async () => {
    const from = aConversation();
    const { outbound, asked } = createPlatform();
    const forked = valueOf(await forkThread(depsWith(outbound), from, anItem('k1'), plan));
    expect(forked).toEqual({
      made: true,
      words: String.raw`New thread: [Fork of \[a\] \*plan\*](<https://chat.example/archives/1700000000.000100>)`,
    });
    expect(asked).toEqual([
      {
        key: 'fork:k1',
        title: 'Fork of [a] *plan*',
        by: ann,
        origin: { channel: 'C1', user: 'U1' },
        text: expect.stringContaining(`[another thread](<https://chat.example/archives/${addressOf(from)?.thread}>)`),
      },
    ]);
    const to = conversationIdOf({ ...(addressOf(from) as Address), thread: '1700000000.000100' });
    expect(await textsOf(to)).toEqual(['one', 'two']);
    expect(valueOf(await stores.store.session(to))).toEqual(plan.session);
  });

  it('that is done again after a crash is the same thread, with everything in it once', async () => {
    const from = aConversation();
    const { outbound, threads } = createPlatform();
    const to = conversationIdOf({ ...(addressOf(from) as Address), thread: '1700000000.000100' });
    // As a worker leaves it that was killed before the thread was filled.
    await outbound.openThread?.(from, { key: 'fork:k1', title: '', text: '', by: ann, origin: {} });
    valueOf(await stores.store.create(to, plan.session));
    const first = valueOf(await forkThread(depsWith(outbound), from, anItem('k1'), plan));
    const again = valueOf(await forkThread(depsWith(outbound), from, anItem('k1'), plan));
    expect(again).toEqual(first);
    expect(threads.size).toBe(1);
    expect(await textsOf(to)).toEqual(['one', 'two']);
    valueOf(await forkThread(depsWith(outbound), from, anItem('k2'), plan));
    expect(threads.size).toBe(2);
  });

  it('does not take the claim of a turn that runs in the new thread already', async () => {
    const from = aConversation();
    const { outbound } = createPlatform();
    const to = conversationIdOf({ ...(addressOf(from) as Address), thread: '1700000000.000100' });
    valueOf(await forkThread(depsWith(outbound), from, anItem('k1'), plan));
    const { fence } = valueOf(await stores.store.claim(to));
    valueOf(await forkThread(depsWith(outbound), from, anItem('k1'), plan));
    expect(codeOf(await stores.store.journal(to, fence, []))).toBe('ok');
  });

  it('is a new name on platforms without threads of their own, the same one for the same command', async () => {
    const from = aConversation();
    const deps = depsWith({ perform: () => Promise.resolve(ok(undefined)), [Symbol.asyncDispose]: () => Promise.resolve() });
    const { words } = valueOf(await forkThread(deps, from, anItem('k1'), plan));
    const thread = /^New thread: ([\w-]{8,})$/.exec(words)?.[1] ?? '';
    expect(await textsOf(conversationIdOf({ ...(addressOf(from) as Address), thread }))).toEqual(['one', 'two']);
    expect(valueOf(await forkThread(deps, from, anItem('k1'), plan)).words).toBe(words);
    expect(valueOf(await forkThread(deps, from, anItem('k2'), plan)).words).not.toBe(words);
    expect(valueOf(await forkThread(depsWith(undefined), from, anItem('k1'), plan)).words).toBe(words);
  });

  it('says so where the platform will not have it, and is tried again where it may yet succeed', async () => {
    const from = aConversation();
    const refused = createPlatform(failure('delivery-refused', {}));
    expect(valueOf(await forkThread(depsWith(refused.outbound), from, anItem('k1'), plan))).toEqual({
      made: false,
      words: 'No new thread could be opened here. The platform refused my message.',
    });
    const unknown = createPlatform(failure('delivery-unknown', {}));
    expect(codeOf(await forkThread(depsWith(unknown.outbound), from, anItem('k1'), plan))).toBe('delivery-unknown');
  });
});
