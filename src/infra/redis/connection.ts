import { Cluster, Redis } from 'ioredis';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Failure } from '../../core/failure.ts';
import type { Log } from '../../ports/log.ts';
import { attempt, describe, unreachable } from './attempt.ts';

/** Standalone and Cluster take the same commands. */
export type RedisClient = Redis | Cluster;

/**
 * What a connection is for decides what it does while Redis is away.
 *
 * `ingest`: the gateway's. Fails at once, so that the platform is told "not now" and delivers again, and so that nobody waits.
 * `work`: a worker's. Waits some seconds for Redis to come back, so that a short outage does not cost a running turn its steps.
 * `queue`: BullMQ's worker. Waits without limit, as BullMQ demands; it blocks, so it has no command timeout.
 * `subscribe`: pub/sub, nothing else; takes its channels up again by itself.
 */
export type RedisPurpose = 'ingest' | 'work' | 'queue' | 'subscribe';

export type RedisConnection = AsyncDisposable & {
  readonly client: RedisClient;
  /** Resolves when commands can be sent; a failure after `timeoutMs`. The connection goes on trying either way. */
  readonly ready: (timeoutMs: number) => Promise<Result<void, Failure>>;
  /** Whether Redis answers now. */
  readonly ping: () => Promise<Result<void, Failure>>;
};

const COMMON = { connectTimeout: 5_000, keepAlive: 10_000, enableReadyCheck: true } as const;

// A command whose answer was lost with the connection is sent again on `work`: all scripts bear that (see scripts/). On `ingest` it is
// not: the caller was told that it failed, and the platform delivers again.
const OPTIONS = {
  ingest: { enableOfflineQueue: false, maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false, commandTimeout: 5_000 },
  work: { enableOfflineQueue: true, maxRetriesPerRequest: 30, autoResendUnfulfilledCommands: true, commandTimeout: 20_000 },
  queue: { enableOfflineQueue: true, maxRetriesPerRequest: null },
  subscribe: { enableOfflineQueue: true, maxRetriesPerRequest: null, commandTimeout: 5_000 },
} as const;

const retryAfter = (times: number): number => Math.min(50 * 2 ** Math.min(times, 6), 1_000);
/** A replica that was the primary a moment ago: reconnect (2: and send the command again). */
const reconnectOnError = (error: Error): false | 2 => (error.message.startsWith('READONLY') ? 2 : false);

/**
 * Opens a connection. Never throws and never ends by itself: while Redis is away it tries again at least once a second.
 * `url`: `redis://` or `rediss://`; several, separated by commas, are the start nodes of a Redis Cluster.
 */
export const createRedis = (options: { readonly url: string; readonly purpose: RedisPurpose; readonly log: Log }): RedisConnection => {
  const client = open(options.url, options.purpose);
  const log = options.log.with({ connection: options.purpose });
  let reachable = true;
  client.on('error', (error: unknown) => {
    // One line per outage: while it lasts every attempt to reconnect is an error event.
    if (reachable) log.warn({ detail: describe(error) }, 'Redis is unreachable');
    reachable = false;
  });
  client.on('ready', () => {
    if (!reachable) log.info({}, 'Redis is reachable again');
    reachable = true;
  });
  return {
    client,
    ready: (timeoutMs) => waitUntilReady(client, timeoutMs),
    ping: async () => {
      const answer = await attempt(() => client.ping());
      return answer.ok ? ok(undefined) : answer;
    },
    [Symbol.asyncDispose]: () => close(client),
  };
};

const open = (url: string, purpose: RedisPurpose): RedisClient => {
  const urls = url.split(',').map((one) => one.trim());
  const options = { ...COMMON, ...OPTIONS[purpose] };
  const [first = url] = urls;
  if (urls.length === 1) return new Redis(first, { ...options, retryStrategy: retryAfter, reconnectOnError });
  const { username, password, protocol } = new URL(first);
  return new Cluster(urls, {
    enableOfflineQueue: options.enableOfflineQueue,
    clusterRetryStrategy: retryAfter,
    redisOptions: {
      ...options,
      reconnectOnError,
      ...(username === '' ? {} : { username: decodeURIComponent(username) }),
      ...(password === '' ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
};

const waitUntilReady = (client: RedisClient, timeoutMs: number): Promise<Result<void, Failure>> =>
  new Promise((resolve) => {
    if (client.status === 'ready') return resolve(ok(undefined));
    let last: unknown = new Error('no connection yet');
    const done = (result: Result<void, Failure>): void => {
      clearTimeout(timer);
      client.off('ready', onReady).off('error', onError);
      resolve(result);
    };
    const onReady = (): void => done(ok(undefined));
    const onError = (error: unknown): void => {
      last = error;
    };
    const timer = setTimeout(() => done(err(unreachable(last))), timeoutMs);
    client.on('ready', onReady).on('error', onError);
  });

/** Lets answers that are under way arrive; a Redis that does not answer is left after a second. */
const close = async (client: RedisClient): Promise<void> => {
  if (client.status === 'end') return;
  if (client.status === 'ready') {
    const timer = setTimeout(() => client.disconnect(), 1_000);
    await client.quit().catch(() => 'gone');
    clearTimeout(timer);
  }
  client.disconnect();
};
