/** The stores of one process, on connections of its own; the log is kept to be looked at. */
import { createBlobStore } from '../../src/infra/redis/blob-store.ts';
import { createInbox } from '../../src/infra/redis/inbox.ts';
import { inspectInbox } from '../../src/infra/redis/inbox-tray.ts';
import { createNotes } from '../../src/infra/redis/notes.ts';
import { sealsOf } from '../../src/infra/redis/seal.ts';
import { createSecrets } from '../../src/infra/redis/secrets.ts';
import { createSharedFacts } from '../../src/infra/redis/shared-facts.ts';
import { createChannelSettings } from '../../src/infra/redis/channel-settings.ts';
import { createBudgets } from '../../src/infra/redis/budgets.ts';
import { createRedis } from '../../src/infra/redis/connection.ts';
import type { RedisPurpose } from '../../src/infra/redis/connection.ts';
import { createConversationStore } from '../../src/infra/redis/conversation-store.ts';
import { createEventStream } from '../../src/infra/redis/event-stream.ts';
import { createSubscriber } from '../../src/infra/redis/subscriber.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import { createMetrics } from '../../src/infra/telemetry/metrics.ts';
import type { BlobStore } from '../../src/ports/blob-store.ts';
import type { Budgets } from '../../src/ports/budgets.ts';
import type { ChannelSettingsStore } from '../../src/ports/channel-settings.ts';
import type { ConversationStore } from '../../src/ports/conversation-store.ts';
import type { EventStream } from '../../src/ports/event-stream.ts';
import type { Inbox } from '../../src/ports/inbox.ts';
import type { Metrics } from '../../src/ports/metrics.ts';
import type { Notes } from '../../src/ports/notes.ts';
import type { Secrets } from '../../src/ports/secrets.ts';
import type { SharedFacts } from '../../src/ports/shared-facts.ts';
import { valueOf } from './results.ts';
import { createTestLog } from './test-log.ts';

export type StoreProcess = AsyncDisposable & {
  readonly store: ConversationStore;
  readonly blobs: BlobStore;
  readonly events: EventStream;
  readonly budgets: Budgets;
  readonly channels: ChannelSettingsStore;
  readonly notes: Notes;
  /** Sealed with a key of the tests; a lock is waited for for a second. */
  readonly secrets: Secrets;
  readonly shared: (adapter: string) => SharedFacts;
  /** The tray of this name. Pauses between attempts are short, and so is a lease unless the test says otherwise. */
  readonly inbox: (adapter: string, leaseMs?: number) => Inbox;
  /** How many items of the tray were given up. */
  readonly dead: (adapter: string) => Promise<number>;
  readonly metrics: Metrics;
  readonly lines: ReturnType<typeof createTestLog>['lines'];
};

export const startStoreProcess = async (url: string, purpose: RedisPurpose = 'work'): Promise<StoreProcess> => {
  const { log, lines } = createTestLog();
  const connection = createRedis({ url, purpose, log });
  const subscriber = createSubscriber(createRedis({ url, purpose: 'subscribe', log }));
  valueOf(await connection.ready(30_000));
  const { client } = connection;
  const metrics = createMetrics();
  const seals = sealsOf('a secret of the tests, of some length');
  const common = { client, work: client, subscriber, seal: seals.inbox, clock: systemClock, log, metrics };
  return {
    store: createConversationStore({ client, subscriber, clock: systemClock }),
    blobs: createBlobStore({ client }),
    events: createEventStream({ client, subscriber }),
    budgets: createBudgets({ client, clock: systemClock }),
    channels: createChannelSettings({ client }),
    notes: createNotes({ client, seal: seals.notes }),
    secrets: createSecrets({ client, seal: seals.secrets, clock: systemClock, lockMs: 1_000 }),
    shared: (adapter) => createSharedFacts({ client, adapter }),
    inbox: (adapter, leaseMs = 1_500) => createInbox({ ...common, adapter, leaseMs, pausesMs: [20, 20, 20, 20] }),
    dead: async (adapter) => valueOf(await inspectInbox(client, adapter)).dead,
    metrics,
    lines,
    [Symbol.asyncDispose]: async () => {
      await subscriber[Symbol.asyncDispose]();
      await connection[Symbol.asyncDispose]();
    },
  };
};
