import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTurnQueue } from '../../../src/infra/bullmq/turn-queue.ts';
import { startTurnWorker } from '../../../src/infra/bullmq/turn-worker.ts';
import { createRedis } from '../../../src/infra/redis/connection.ts';
import { eventKey } from '../../../src/core/ids.ts';
import type { ConversationStore } from '../../../src/ports/conversation-store.ts';
import type { Pass } from '../../../src/ports/turn-queue.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis } from '../../support/redis.ts';
import { codeOf, valueOf } from '../../support/results.ts';
import { aConversation, anAsk, ann, aNotice, aSession, aTurnStart, ben } from '../../support/samples.ts';
import { startStoreProcess } from '../../support/store-process.ts';
import type { StoreProcess } from '../../support/store-process.ts';
import { createTestLog } from '../../support/test-log.ts';
import { until } from '../../support/until.ts';

const CAP = 20;
/** Stands for ten seconds; longer than any pause between two attempts to reconnect. */
const OUTAGE_MS = 2_500;

let redis: TestRedis;
let gateway: StoreProcess;
let worker: StoreProcess;

beforeEach(async () => {
  redis = await startRedis();
  gateway = await startStoreProcess(redis.url, 'ingest');
  worker = await startStoreProcess(redis.url, 'work');
});
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await worker[Symbol.asyncDispose]();
  await until(async () => (await redis.connections()) === 0, 'every connection is closed');
  await redis[Symbol.asyncDispose]();
});

describe('while Redis is away', () => {
  it('the gateway is told at once that nothing was kept, and works again afterwards', async () => {
    const conversation = aConversation();
    await redis.stop();
    expect(codeOf(await gateway.store.ingest(conversation, anAsk('k1'), CAP))).toBe('store-unreachable');
    expect(codeOf(await gateway.store.session(conversation))).toBe('store-unreachable');
    expect(codeOf(await gateway.store.recent('web', 'w', 1))).toBe('store-unreachable');
    expect(codeOf(await gateway.store.requestStop(conversation, ann))).toBe('store-unreachable');
    expect(codeOf(await gateway.blobs.put(conversation, new Uint8Array(3)))).toBe('store-unreachable');
    expect(codeOf(await gateway.events.append(conversation, 'x'))).toBe('store-unreachable');
    await sleep(OUTAGE_MS);
    await redis.start();
    await until(async () => (await gateway.store.ingest(conversation, anAsk('k1'), CAP)).ok, 'the gateway works again');
    expect(valueOf(await gateway.store.mailbox(conversation))).toHaveLength(1);
  });

  it('a running turn waits for it and loses no step, even one whose answer was lost', async () => {
    const conversation = aConversation();
    valueOf(await gateway.store.ingest(conversation, anAsk('k1'), CAP));
    const { fence } = valueOf(await worker.store.claim(conversation));
    const events = Array.from({ length: 200 }, (_, n) => ({ ...aTurnStart('k1'), at: n }));
    const writing = (async () => {
      for (const event of events) valueOf(await worker.store.journal(conversation, fence, [event]));
    })();
    await sleep(20);
    await redis.kill();
    await sleep(OUTAGE_MS);
    await redis.start();
    await writing;
    const claim = valueOf(await worker.store.claim(conversation));
    expect(claim.journal.map((event) => event.at)).toEqual(events.map((event) => event.at));
  });

  it('a stop that is requested before the subscription is back is heard after all', async () => {
    const conversation = aConversation();
    const heard: string[] = [];
    await using _ = valueOf(await worker.store.onStop(conversation, Date.now(), (by) => heard.push(by.name)));
    // Only the subscriber's connection is cut, so the request falls into the gap.
    await redis.look().client('KILL', 'TYPE', 'pubsub');
    valueOf(await gateway.store.requestStop(conversation, ben));
    await until(() => heard.length > 0, 'the stop is heard');
    await sleep(300);
    expect(heard).toEqual(['Ben']);
  });

  it('readers of events end, and can go on from where they were', async () => {
    const topic = aConversation();
    const first = valueOf(await gateway.events.append(topic, 'a'));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of gateway.events.read(topic, '0', new AbortController().signal)) seen.push(event.data);
    })();
    await until(() => seen.length === 1, 'the first event');
    await redis.stop();
    await reading;
    await redis.start();
    await until(async () => (await gateway.events.append(topic, 'b')).ok, 'the stream works again');
    const leaving = new AbortController();
    for await (const event of gateway.events.read(topic, first, leaving.signal)) {
      seen.push(event.data);
      leaving.abort();
    }
    expect(seen).toEqual(['a', 'b']);
  });

  it('a reader whose subscription was cut misses nothing', async () => {
    const topic = aConversation();
    const seen: string[] = [];
    const leaving = new AbortController();
    const reading = (async () => {
      for await (const event of worker.events.read(topic, '0', leaving.signal)) seen.push(event.data);
    })();
    for (let n = 0; n < 200; n++) {
      valueOf(await gateway.events.append(topic, `${n}`));
      if (n % 50 === 25) await redis.look().client('KILL', 'TYPE', 'pubsub');
    }
    await until(() => seen.length === 200, 'all events');
    leaving.abort();
    await reading;
    expect(seen).toEqual(Array.from({ length: 200 }, (_, n) => `${n}`));
  });

  it('says so once for each connection, and once when it is back', async () => {
    await redis.stop();
    await sleep(OUTAGE_MS);
    await redis.start();
    await until(() => worker.lines.length >= 4, 'both connections are back');
    const said = worker.lines.map((line) => `${line.level} ${line.message}`).toSorted();
    expect(said).toEqual([
      'info Redis is reachable again',
      'info Redis is reachable again',
      'warn Redis is unreachable',
      'warn Redis is unreachable',
    ]);
  });
});

describe('work goes on over an outage', () => {
  it('U025: every message that was accepted is done once and in order, and a wake in between fails at once', async () => {
    const { log } = createTestLog();
    const ingest = createRedis({ url: redis.url, purpose: 'ingest', log });
    const blocking = createRedis({ url: redis.url, purpose: 'queue', log });
    valueOf(await ingest.ready(30_000));
    const queue = createTurnQueue({ connection: ingest.client, log });
    const turns = startTurnWorker({ connection: blocking.client, queue, log, concurrency: 8, pass: workOff(worker.store) });
    const conversations = Array.from({ length: 8 }, () => aConversation());
    const accepted = new Map(conversations.map((conversation) => [conversation, [] as string[]]));

    const offer = async (n: number): Promise<void> => {
      const conversation = conversations[n % conversations.length]!;
      const item = anAsk(`k${n}`);
      // As a platform does: deliver again until it is taken.
      await until(async () => (await gateway.store.ingest(conversation, item, 1_000)).ok, 'a message is taken');
      accepted.get(conversation)!.push(item.key);
      await queue.wake(conversation);
    };
    const offering = (async () => {
      for (let n = 0; n < 160; n++) await offer(n);
    })();
    await sleep(100);
    await redis.kill();
    expect(codeOf(await queue.wake(conversations[0]!))).toBe('store-unreachable');
    expect(codeOf(await queue.depth())).toBe('store-unreachable');
    await sleep(OUTAGE_MS);
    await redis.start();
    await offering;
    // What a wake was lost for is the sweeper's; here it is woken by hand.
    for (const conversation of conversations) valueOf(await queue.wake(conversation));
    await until(async () => valueOf(await worker.store.pendingSince(Date.now() + 1_000)).length === 0, 'everything is done', 50_000);

    for (const [conversation, keys] of accepted) {
      const { entries } = valueOf(await worker.store.entries(conversation, 0, 1_000));
      expect(entries.map((entry) => (entry.kind === 'noticed' ? entry.text : ''))).toEqual(keys);
    }
    for (const open of [turns, queue, ingest, blocking]) await open[Symbol.asyncDispose]();
  });
});

/** The smallest pass: one entry for each item, each in a commit of its own. */
const workOff =
  (store: ConversationStore): Pass =>
  async (conversation, signal) => {
    while (!signal.aborted) {
      const claim = await store.claim(conversation);
      if (!claim.ok) return;
      const [head] = claim.value.mailbox;
      if (head === undefined) {
        const settled = await store.settle(conversation, claim.value.fence);
        if (!settled.ok || settled.value) return;
        continue;
      }
      const commit = { taken: [eventKey(head.key)], entries: [aNotice(head.key)], session: aSession(), posts: [] };
      if (!(await store.commit(conversation, claim.value.fence, commit)).ok) return;
    }
  };
