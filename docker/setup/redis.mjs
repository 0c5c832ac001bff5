import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram, mustRun, run } from './commands.mjs';
import { canInstallPackages, installPackages } from './debian.mjs';
import { projectDir, stateDir } from './project.mjs';
import { askRedis } from './redis-connection.mjs';
import { runRedisServer } from './redis-server.mjs';
import { SetupFault } from './setup-fault.mjs';

/**
 * A Redis: REDIS_URL, else a private redis-server, else a container of the Docker engine.
 *
 * @param {object} wish
 * @param {boolean} wish.keep true: the data is in the project and there again at the next start; false: it is thrown away
 * @param {NodeJS.ProcessEnv | undefined} wish.dockerEnv for the docker command; undefined where no engine answers
 * @param {(line: string) => void} say
 * @returns {Promise<{url: string, stop: () => Promise<void>}>} `stop` ends only what was started here
 */
export async function findRedis({ keep, dockerEnv }, say) {
  const given = process.env['REDIS_URL'];
  if (given) return useGiven(given);

  if (!findProgram('redis-server') && canInstallPackages()) await installPackages(['redis-server'], say);
  const program = findProgram('redis-server');
  if (program) {
    if (keep) return runRedisServer(program, join(stateDir, 'redis'));
    const folder = mkdtempSync(join(tmpdir(), 'hektor-redis-'));
    const server = await runRedisServer(program, folder);
    return {
      url: server.url,
      stop: async () => {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  if (dockerEnv && !/^(?:tcp|ssh|https?):/u.test(dockerEnv['DOCKER_HOST'] ?? '')) return runContainer(keep, dockerEnv, say);
  throw new SetupFault(
    'there is no Redis',
    'Install one (`sudo apt-get install redis-server`, `brew install redis`), or set REDIS_URL to one that you may use.',
  );
}

async function useGiven(url) {
  const { ok, answer } = await askRedis(url, ['PING']);
  if (ok) return { url, stop: async () => {} };
  throw new SetupFault(
    `the Redis at REDIS_URL does not answer (${answer})`,
    'Start it or correct REDIS_URL; unset REDIS_URL to have a private one started.',
  );
}

async function runContainer(keep, env, say) {
  say('starting a container');
  const volume = `hektor-redis-${createHash('sha256').update(projectDir).digest('hex').slice(0, 8)}`;
  const settings = ['redis-server', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction', '--save', ''];
  const started = await mustRun(
    'docker',
    [
      'run',
      '--detach',
      '--rm',
      '--publish',
      '127.0.0.1::6379',
      ...(keep ? ['--volume', `${volume}:/data`] : []),
      'redis:7-alpine',
      ...settings,
    ],
    {
      env,
      onLine: say,
      timeoutMs: 300_000,
      remedy: 'Install a redis-server, or set REDIS_URL to a Redis that you may use.',
    },
  );
  const id = started.trim().split('\n').at(-1);
  const stop = async () => {
    await run('docker', ['stop', '--time', '10', id], { env, timeoutMs: 60_000 });
  };
  const address = await run('docker', ['port', id, '6379/tcp'], { env, timeoutMs: 30_000 });
  const url = `redis://${address.stdout.trim().split('\n')[0]}`;
  for (let waited = 0; waited < 100; waited++) {
    if ((await askRedis(url, ['PING'])).ok) return { url, stop };
    await sleep(200);
  }
  await stop();
  throw new SetupFault('the Redis container does not answer', 'Install a redis-server, or set REDIS_URL to a Redis that you may use.');
}
