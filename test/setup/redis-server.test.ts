import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

type Server = { readonly url: string; readonly stop: () => Promise<void> };
type Answer = { readonly ok: boolean; readonly answer: string };

const serverPath = '../../docker/setup/redis-server.mjs';
const connectionPath = '../../docker/setup/redis-connection.mjs';
const { runRedisServer } = (await import(serverPath)) as { readonly runRedisServer: (program: string, folder: string) => Promise<Server> };
const { askRedis } = (await import(connectionPath)) as {
  readonly askRedis: (url: string, command: readonly string[]) => Promise<Answer>;
};

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'hektor-redis-test-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
const start = async (folder: string): Promise<Server> => {
  const server = await runRedisServer('redis-server', folder);
  cleanups.push(server.stop);
  return server;
};

test('what was written is there again after a stop and a start', async () => {
  const folder = await newFolder();
  const first = await start(folder);
  expect(await askRedis(first.url, ['SET', 'kept', 'yes'])).toEqual({ ok: true, answer: '+OK' });
  await first.stop();
  expect((await askRedis(first.url, ['PING'])).ok).toBe(false);

  const second = await start(folder);
  expect(await askRedis(second.url, ['STRLEN', 'kept'])).toEqual({ ok: true, answer: ':3' });
});

test('nobody gets in without the password', async () => {
  const { url } = await start(await newFolder());
  const { answer } = await askRedis(url.replace(/\/\/.*@/, '//'), ['PING']);
  expect(answer).toMatch(/^NOAUTH/);
});

test('a second start on the same folder shares the server and leaves it to the first', async () => {
  const folder = await newFolder();
  const first = await start(folder);
  const second = await start(folder);
  expect(second.url).toBe(first.url);
  await second.stop();
  expect((await askRedis(first.url, ['PING'])).ok).toBe(true);
});

test('a server whose starter was killed is taken over, and stopped by its new owner', async () => {
  const folder = await newFolder();
  const first = await start(folder);
  const note = join(folder, 'server.json');
  const known = JSON.parse(await readFile(note, 'utf8')) as object;
  await writeFile(note, JSON.stringify({ ...known, owner: 2 ** 22 + 1 })); // above the highest process id
  const second = await start(folder);
  expect(second.url).toBe(first.url);
  await second.stop();
  expect((await askRedis(first.url, ['PING'])).ok).toBe(false);
});
