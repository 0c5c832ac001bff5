/**
 * A worker as a process of its own, for tests that kill it: `node worker-process.ts <redis url> <name>`. Its pass is the smallest that has
 * the shape of the real one: it journals that it began, takes its time, and commits one entry for each message.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startSweeper } from '../../src/infra/bullmq/sweeper.ts';
import { createTurnQueue } from '../../src/infra/bullmq/turn-queue.ts';
import { startTurnWorker } from '../../src/infra/bullmq/turn-worker.ts';
import { createLog } from '../../src/infra/pino/log.ts';
import { createRedis } from '../../src/infra/redis/connection.ts';
import { createConversationStore } from '../../src/infra/redis/conversation-store.ts';
import { createSubscriber } from '../../src/infra/redis/subscriber.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import type { Pass } from '../../src/ports/turn-queue.ts';
import { aNotice, aSession, aTurnStart } from '../support/samples.ts';

const [url = '', name = ''] = process.argv.slice(2);
const log = createLog({ level: 'silent' });
const connection = createRedis({ url, purpose: 'work', log });
const ingest = createRedis({ url, purpose: 'ingest', log });
const blocking = createRedis({ url, purpose: 'queue', log });
const subscriber = createSubscriber(createRedis({ url, purpose: 'subscribe', log }));
await ingest.ready(30_000);
const store = createConversationStore({ client: connection.client, subscriber, clock: systemClock });
const queue = createTurnQueue({ connection: ingest.client, log });

const pass: Pass = async (conversation, signal) => {
  while (!signal.aborted) {
    const claim = await store.claim(conversation);
    if (!claim.ok) return;
    const { fence, mailbox, journal } = claim.value;
    const [head] = mailbox;
    if (head === undefined) {
      const settled = await store.settle(conversation, fence);
      if (!settled.ok || settled.value) return;
      continue;
    }
    if (journal.length === 0) await store.journal(conversation, fence, [aTurnStart(head.key)]);
    process.stdout.write(`${head.key}\n`);
    await sleep(50 + Math.random() * 100);
    // What the worker before had begun goes into the entry, so that the test sees that it was found.
    const text = `${head.key} ${name} ${journal.length === 0 ? 'fresh' : 'resumed'}`;
    const commit = { taken: [head.key], entries: [aNotice(text)], session: aSession(), posts: [] };
    if (!(await store.commit(conversation, fence, commit)).ok) return;
  }
};

startTurnWorker({ connection: blocking.client, queue, log, concurrency: 4, pass });
startSweeper({ store, queue, clock: systemClock, log });
process.stdout.write('ready\n');
