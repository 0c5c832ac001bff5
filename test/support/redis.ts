/**
 * A Redis of the test file's own, on a free port, with its data in a temporary folder. Never the one that REDIS_URL names: that may be
 * somebody's, and these tests stop, kill and restart theirs. Where no redis-server is installed, Docker runs it.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

export type TestRedis = AsyncDisposable & {
  readonly url: string;
  /** An ordinary shutdown. */
  readonly stop: () => Promise<void>;
  /** As in a power cut; every write that was answered is kept. */
  readonly kill: () => Promise<void>;
  /** The same data on the same port. */
  readonly start: () => Promise<void>;
  /** A client of the test's own, for looking at what is stored. Closed with the server. */
  readonly look: () => Redis;
  /** Connections that others than `look` hold; 0 once everything has been closed. */
  readonly connections: () => Promise<number>;
};

export type TestRedisOptions = {
  /** A Redis Cluster of one node: it refuses whatever would touch two slots. Its `url` makes the client a cluster client. */
  readonly cluster?: boolean;
  /** `everysec`, as the program's own set-up has it, where speed is measured. */
  readonly fsync?: 'always' | 'everysec';
};

export const startRedis = async ({ cluster = false, fsync = 'always' }: TestRedisOptions = {}): Promise<TestRedis> => {
  const folder = mkdtempSync(join(tmpdir(), 'hektor-test-redis-'));
  const port = await freePort();
  const plain = `redis://127.0.0.1:${port}`;
  const settings = ['--appendonly', 'yes', '--appendfsync', fsync, '--save', '', '--maxmemory-policy', 'noeviction', '--port', `${port}`];
  if (cluster) settings.push('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1');
  let server: ChildProcess | undefined;
  let looker: Redis | undefined;

  const start = async (): Promise<void> => {
    server = launch(settings, port, folder);
    await answers(plain);
    if (cluster) await coverAllSlots(plain);
  };
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill(signal);
    await gone;
  };
  const look = (): Redis => {
    looker ??= new Redis(plain, { connectionName: 'look' }).on('error', () => {});
    return looker;
  };

  await start();
  return {
    url: cluster ? `${plain},${plain}` : plain,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    look,
    connections: async () => {
      const clients = String(await look().client('LIST')).split('\n');
      return clients.filter((line) => line !== '' && !line.includes('name=look ')).length;
    },
    [Symbol.asyncDispose]: async () => {
      looker?.disconnect();
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const launch = (settings: readonly string[], port: number, folder: string): ChildProcess => {
  if (spawnSync('redis-server', ['--version']).status === 0)
    return spawn('redis-server', ['--bind', '127.0.0.1', '--dir', folder, ...settings], { stdio: 'ignore' });
  // The data belongs to this user, so that it can be thrown away; `--init` hands signals on.
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const container = ['run', '--rm', '--init', '--user', user, '--volume', `${folder}:/data`, '--publish', `127.0.0.1:${port}:${port}`];
  return spawn('docker', [...container, 'redis:7-alpine', 'redis-server', '--dir', '/data', ...settings], { stdio: 'ignore' });
};

const answers = async (url: string): Promise<void> => {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => {});
  const given = AbortSignal.timeout(60_000);
  try {
    await Promise.race([
      client.ping(),
      once(given, 'abort').then(() => {
        throw new Error('the test Redis does not answer');
      }),
    ]);
  } finally {
    client.disconnect();
  }
};

const coverAllSlots = async (url: string): Promise<void> => {
  const client = new Redis(url);
  try {
    // After a restart the node still has them.
    await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383').catch(() => {});
    while (!String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) await sleep(50);
  } finally {
    client.disconnect();
  }
};

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  // A cluster node also takes the port 10,000 above.
  return address.port + 10_000 > 65_535 ? freePort() : address.port;
};
