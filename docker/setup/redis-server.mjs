import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askRedis } from './redis-connection.mjs';
import { SetupFault } from './setup-fault.mjs';

/**
 * Runs a private redis-server on a free port of this machine, with a password of its own and its data in `folder`.
 * The folder's `server.json` says who runs it: a second start on the same folder shares the server, and one that an
 * earlier start left behind (killed by force) is taken over.
 *
 * @param {string} program path of redis-server
 * @param {string} folder
 * @returns {Promise<{url: string, stop: () => Promise<void>}>} `stop` saves and ends it, if it is this process's own
 */
export async function runRedisServer(program, folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const noteFile = join(folder, 'server.json');
  const known = readNote(noteFile);
  if (known && (await askRedis(known.url, ['PING'])).ok) {
    if (isAlive(known.owner)) return { url: known.url, stop: async () => {} };
    writeNote(noteFile, { ...known, owner: process.pid });
    return { url: known.url, stop: () => stopServer(known.pid, noteFile) };
  }
  for (let attempt = 1; ; attempt++) {
    const started = await start(program, folder);
    if (started.ok) {
      const { url, pid } = started;
      writeNote(noteFile, { url, pid, owner: process.pid });
      return { url, stop: () => stopServer(pid, noteFile) };
    }
    // The port was free a moment ago; somebody else may have taken it.
    if (attempt === 3 || !/address already in use/iu.test(started.log)) {
      throw new SetupFault(
        'redis-server did not start',
        `Its data and log are in ${folder}; give another Redis by REDIS_URL.`,
        started.log,
      );
    }
  }
}

async function start(program, folder) {
  const port = await freePort();
  const password = randomBytes(18).toString('hex');
  const logFile = join(folder, 'redis.log');
  const log = openSync(logFile, 'w', 0o600);
  // Its own session: Ctrl-C in the terminal must reach the application first and Redis last.
  const server = spawn(program, ['-'], { cwd: folder, detached: true, stdio: ['pipe', log, log] });
  closeSync(log);
  let ended = false;
  server.on('error', () => (ended = true)).on('exit', () => (ended = true));
  server.stdin.on('error', () => {});
  server.stdin.end(
    [
      'bind 127.0.0.1',
      `port ${port}`,
      `requirepass ${password}`,
      'appendonly yes',
      'appendfsync everysec',
      'maxmemory-policy noeviction',
      'save ""',
      'dir .',
    ].join('\n'),
  );
  const url = `redis://default:${password}@127.0.0.1:${port}`;
  for (let waited = 0; waited < 600 && !ended; waited++) {
    if ((await askRedis(url, ['PING'])).ok) {
      server.unref();
      return { ok: true, url, pid: server.pid };
    }
    await sleep(100); // a large append-only file takes its time to load
  }
  if (!ended) server.kill('SIGKILL');
  return { ok: false, log: readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n') };
}

async function stopServer(pid, noteFile) {
  signal(pid, 'SIGTERM');
  for (let waited = 0; waited < 100 && isAlive(pid); waited++) await sleep(100);
  signal(pid, 'SIGKILL');
  rmSync(noteFile, { force: true });
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // it is gone
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readNote(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function writeNote(file, note) {
  writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
