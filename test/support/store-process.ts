/** The stores of one process, on connections of its own; the log is kept to be looked at. */
import { createBlobStore } from '../../src/infra/redis/blob-store.ts';
import { createBudgets } from '../../src/infra/redis/budgets.ts';
import { createRedis } from '../../src/infra/redis/connection.ts';
import type { RedisPurpose } from '../../src/infra/redis/connection.ts';
import { createConversationStore } from '../../src/infra/redis/conversation-store.ts';
import { createEventStream } from '../../src/infra/redis/event-stream.ts';
import { createSubscriber } from '../../src/infra/redis/subscriber.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import type { BlobStore } from '../../src/ports/blob-store.ts';
import type { Budgets } from '../../src/ports/budgets.ts';
import type { ConversationStore } from '../../src/ports/conversation-store.ts';
import type { EventStream } from '../../src/ports/event-stream.ts';
import { valueOf } from './results.ts';
import { createTestLog } from './test-log.ts';

export type StoreProcess = AsyncDisposable & {
  readonly store: ConversationStore;
  readonly blobs: BlobStore;
  readonly events: EventStream;
  readonly budgets: Budgets;
  readonly lines: ReturnType<typeof createTestLog>['lines'];
};

export const startStoreProcess = async (url: string, purpose: RedisPurpose = 'work'): Promise<StoreProcess> => {
  const { log, lines } = createTestLog();
  const connection = createRedis({ url, purpose, log });
  const subscriber = createSubscriber(createRedis({ url, purpose: 'subscribe', log }));
  valueOf(await connection.ready(30_000));
  const { client } = connection;
  return {
    store: createConversationStore({ client, subscriber, clock: systemClock }),
    blobs: createBlobStore({ client }),
    events: createEventStream({ client, subscriber }),
    budgets: createBudgets({ client, clock: systemClock }),
    lines,
    [Symbol.asyncDispose]: async () => {
      await subscriber[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
    },
  };
};
