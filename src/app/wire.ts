/** Builds the ports that both halves stand on: the one place that knows which implementation is behind which contract. */
import { adapters as factories } from '../../adapters/index.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { createTurnQueue } from '../infra/bullmq/turn-queue.ts';
import { createBlobStore } from '../infra/redis/blob-store.ts';
import { createBudgets } from '../infra/redis/budgets.ts';
import { createRedis } from '../infra/redis/connection.ts';
import type { RedisClient, RedisConnection, RedisPurpose } from '../infra/redis/connection.ts';
import { createChannelSettings } from '../infra/redis/channel-settings.ts';
import { createConversationStore } from '../infra/redis/conversation-store.ts';
import { createEventStream } from '../infra/redis/event-stream.ts';
import { createInbox } from '../infra/redis/inbox.ts';
import { createNotes } from '../infra/redis/notes.ts';
import { sealsOf } from '../infra/redis/seal.ts';
import type { Seals } from '../infra/redis/seal.ts';
import { createSecrets } from '../infra/redis/secrets.ts';
import { createSharedFacts } from '../infra/redis/shared-facts.ts';
import { createSubscriber } from '../infra/redis/subscriber.ts';
import type { Subscriber } from '../infra/redis/subscriber.ts';
import { systemClock } from '../infra/system/clock.ts';
import { createMetrics } from '../infra/telemetry/metrics.ts';
import type { Adapter } from '../ports/adapter.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Budgets } from '../ports/budgets.ts';
import type { ChannelSettingsStore } from '../ports/channel-settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConversationStore } from '../ports/conversation-store.ts';
import type { EventStream } from '../ports/event-stream.ts';
import type { Inbox } from '../ports/inbox.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Notes } from '../ports/notes.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { SharedFacts } from '../ports/shared-facts.ts';
import type { TurnQueue } from '../ports/turn-queue.ts';
import type { Plugin } from '../core/plugin.ts';
import { chooseModels } from './choose-model.ts';
import type { ChosenModels } from './choose-model.ts';
import type { Config } from './config.ts';
import { startPlugins } from './start-plugins.ts';

export type Stores = {
  readonly store: ConversationStore;
  readonly blobs: BlobStore;
  readonly events: EventStream;
  readonly budgets: Budgets;
  readonly notes: Notes;
  readonly secrets: Secrets;
  /** What the processes of this adapter share. */
  readonly sharedBy: (adapter: string) => SharedFacts;
  readonly channels: ChannelSettingsStore;
};

/** What both halves share. `ingest` fails at once while Redis is away, `work` waits for it. */
export type Foundation = AsyncDisposable & {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly ingest: Stores;
  readonly work: Stores;
  readonly queue: TurnQueue;
  /** The in-tray of this adapter. */
  readonly inboxOf: (adapter: string) => Inbox;
  readonly redis: { readonly ping: RedisConnection['ping']; readonly work: RedisClient };
  readonly model: ChosenModels;
  readonly plugins: readonly Plugin[];
  /** Every adapter that is set up, whether its inbound half is started here or not: any worker may have to answer for it. */
  readonly adapters: readonly Adapter[];
};

type Env = { readonly [name: string]: string | undefined };

export const layFoundation = async (config: Config, env: Env, log: Log): Promise<Result<Foundation, Failure>> => {
  const adapters = readAdapters(env);
  if (!adapters.ok) return adapters;
  const plugins = await startPlugins(config, env, log);
  if (!plugins.ok) return plugins;
  await using stack = new AsyncDisposableStack();
  stack.use(plugins.value);
  const connect = (purpose: RedisPurpose): RedisConnection => stack.use(createRedis({ url: config.redisUrl, purpose, log }));
  const clock = systemClock;
  const metrics = createMetrics();
  const ingest = connect('ingest');
  const reachable = await ingest.ready(15_000);
  if (!reachable.ok) return err(unreachableRedis(config.redisUrl, reachable.failure));
  const subscriber = stack.use(createSubscriber(connect('subscribe')));
  const work = connect('work');
  const seals = sealsOf(config.encryptionKey);
  const stores = (connection: RedisConnection): Stores => storesOn(connection, subscriber, clock, seals);
  const inbox = { client: ingest.client, work: work.client, subscriber, seal: seals.inbox, clock, log, metrics };
  const foundation = {
    config,
    log,
    clock,
    metrics,
    ingest: stores(ingest),
    work: stores(work),
    queue: stack.use(createTurnQueue({ connection: ingest.client, log })),
    inboxOf: (adapter: string) => createInbox({ ...inbox, adapter }),
    redis: { ping: ingest.ping, work: work.client },
    model: stack.use(await chooseModels({ config, clock, log, metrics })),
    plugins: plugins.value.plugins,
    adapters: adapters.value,
  };
  const owned = stack.move();
  return ok({ ...foundation, [Symbol.asyncDispose]: () => owned.disposeAsync() });
};

const storesOn = ({ client }: RedisConnection, subscriber: Subscriber, clock: Clock, seals: Seals): Stores => ({
  store: createConversationStore({ client, subscriber, clock }),
  blobs: createBlobStore({ client, seal: seals.blobs }),
  events: createEventStream({ client, subscriber }),
  budgets: createBudgets({ client, clock }),
  notes: createNotes({ client, seal: seals.notes }),
  secrets: createSecrets({ client, seal: seals.secrets, clock }),
  sharedBy: (adapter) => createSharedFacts({ client, adapter }),
  channels: createChannelSettings({ client }),
});

/** Every adapter that the environment sets up; all problems of all of them at once. */
const readAdapters = (env: Env): Result<readonly Adapter[], Failure> => {
  const read = factories.map((factory) => factory.create(env));
  const problems = read.flatMap((one) =>
    one.ok ? [] : one.failure.code === 'config-invalid' ? one.failure.problems : [one.failure.detail],
  );
  if (problems.length > 0) return err(failure('config-invalid', { problems }, problems.join('; ')));
  return ok(read.flatMap((one) => (one.ok && one.value !== null ? [one.value] : [])));
};

const unreachableRedis = (url: string, cause: Failure): Failure => {
  const { protocol, host } = new URL(url);
  const problem = `REDIS_URL: no Redis answers at ${protocol}//${host}; start one (redis-server), or set REDIS_URL`;
  return failure('config-invalid', { problems: [problem] }, `${problem}: ${cause.detail}`);
};
