import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram, run } from './commands.mjs';
import { canInstallPackages, installPackages } from './debian.mjs';
import { stateDir } from './project.mjs';
import { SetupFault } from './setup-fault.mjs';

const howToInstall = [
  'Install Docker and start it:',
  '  Debian, Ubuntu:  sudo apt-get install docker.io && sudo usermod -aG docker $USER   (then log in again)',
  '  macOS, Windows:  https://docs.docker.com/get-docker/',
  'or point DOCKER_HOST to an engine that you may use.',
].join('\n');

/**
 * Finds a Docker engine that answers, starting one where the user is root on Debian.
 *
 * @param {(line: string) => void} say
 * @returns {Promise<string | undefined>} the value for DOCKER_HOST; undefined for the default socket
 */
export async function findDockerEngine(say) {
  const given = process.env['DOCKER_HOST'];
  const canInstall = canInstallPackages();
  if (!findProgram('docker') || (!given && canInstall && !existsSync('/var/run/docker.sock') && !findProgram('dockerd'))) {
    if (!canInstall) throw new SetupFault('the program `docker` is not installed', howToInstall);
    await installPackages(['docker.io', 'crun', 'apparmor', 'cgroupfs-mount', 'ca-certificates'], say);
  }
  const answer = await engineAnswers(given);
  if (answer.ok) return given;
  if (given) throw new SetupFault(`no Docker engine answers at DOCKER_HOST (${given})`, 'Start it, or unset DOCKER_HOST.', answer.tail);

  const ofContext = await contextHost();
  if (ofContext && (await engineAnswers(ofContext)).ok) return ofContext;

  if (canInstall && findProgram('dockerd')) {
    await startEngine(say);
    return undefined;
  }
  throw new SetupFault(
    'no Docker engine answers',
    `${howToInstall}\nIs it installed? Then start it, and see that your user may use it.`,
    answer.tail,
  );
}

function engineAnswers(host) {
  const env = host ? { ...process.env, DOCKER_HOST: host } : process.env;
  return run('docker', ['version', '--format', '{{.Server.Version}}'], { env, timeoutMs: 15_000 });
}

/** Docker Desktop, Colima and rootless engines listen elsewhere and tell it to the command line only, by a context. */
async function contextHost() {
  const result = await run('docker', ['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}'], { timeoutMs: 15_000 });
  const host = result.stdout.trim();
  return result.ok && host !== '' && host !== 'unix:///var/run/docker.sock' ? host : undefined;
}

/**
 * Starts the machine's engine: by systemd where that runs, else directly. It serves the whole machine, so it is left
 * running afterwards; `.hektor/dockerd.pid` is written for whoever wants to stop one that was started directly.
 */
async function startEngine(say) {
  say('starting the engine');
  if (existsSync('/run/systemd/system')) {
    await run('systemctl', ['start', 'docker'], { timeoutMs: 60_000 });
  }
  if ((await engineAnswers()).ok) return;

  if (!readFileSync('/proc/mounts', 'utf8').includes(' /sys/fs/cgroup') && findProgram('cgroupfs-mount')) {
    await run('cgroupfs-mount', [], { timeoutMs: 30_000 });
  }
  mkdirSync(stateDir, { recursive: true });
  const logFile = join(stateDir, 'dockerd.log');
  const log = openSync(logFile, 'w');
  const daemon = spawn(findProgram('dockerd'), [], { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  let ended = false;
  daemon.on('error', () => (ended = true)).on('exit', () => (ended = true));
  for (let waited = 0; waited < 60 && !ended; waited++) {
    await sleep(1000);
    if ((await engineAnswers()).ok) {
      writeFileSync(join(stateDir, 'dockerd.pid'), `${daemon.pid}\n`);
      daemon.unref();
      return;
    }
  }
  if (!ended) daemon.kill();
  const lines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n');
  throw new SetupFault('the Docker engine did not start', `The whole log is in ${logFile}. ${howToInstall}`, lines);
}
