/**
 * A Docker engine of a test's own, beside the machine's: it can be restarted, killed, and given options, and nobody else notices. It has
 * its own socket, data and containerd, and a network namespace of its own, which stays empty: sandboxes need none, and an engine that is
 * told to have no bridge begins by deleting `docker0`, which in the machine's own namespace would be that of the machine's engine.
 */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { until } from './until.ts';

const programFolders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/sbin', '/bin'];
/** The path of a system program; null where it is not installed. */
export const programPath = (name: string): string | null =>
  programFolders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;

/** Why no engine can be started on this machine; null where one can. */
export const whyNoDaemon = (): string | null => {
  if (process.getuid?.() !== 0) return 'only root can start a second Docker engine';
  if (programPath('dockerd') === null) return 'dockerd is not installed on this machine';
  const tools = ['unshare', 'setpriv'].filter((name) => programPath(name) === null);
  if (tools.length > 0) return `${tools.join(' and ')} (util-linux) is not installed on this machine`;
  return null;
};

export type DockerDaemon = AsyncDisposable & {
  /** For DOCKER_HOST. */
  readonly host: string;
  readonly docker: Docker;
  /** Copies an image of the machine's engine into this one. */
  readonly load: (image: string) => Promise<void>;
  /** SIGTERM ends the containers in good order, SIGKILL leaves them running without an engine. */
  readonly stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  readonly start: () => Promise<void>;
};

const patient = 120_000;

export type DaemonOptions = {
  /** What else its daemon.json says. */
  readonly config?: { readonly [name: string]: unknown };
  /**
   * In a mount namespace of its own, where the unified cgroup hierarchy is not mounted (crun refuses a machine that has both kinds and a
   * controller left in the unified one) and `nobody` has user ids to remap to. Nothing of the machine is changed.
   */
  readonly apart?: boolean;
};

/** The engine is up when this resolves. */
export const startDockerDaemon = async (options: DaemonOptions = {}): Promise<DockerDaemon> => {
  const folder = mkdtempSync(join(tmpdir(), 'hektor-dockerd-'));
  chmodSync(folder, 0o711); // remapped users must get through
  const logFile = join(folder, 'log');
  const configFile = join(folder, 'daemon.json');
  writeFileSync(configFile, JSON.stringify(options.config ?? {})); // without one of its own, the machine's settings would hold here too
  const host = `unix://${join(folder, 'docker.sock')}`;
  const docker = new Docker({ socketPath: join(folder, 'docker.sock') });
  const flags = [
    '--host',
    host,
    '--data-root',
    join(folder, 'data'),
    '--exec-root',
    join(folder, 'exec'),
    '--pidfile',
    join(folder, 'pid'),
    '--config-file',
    configFile,
    '--bridge',
    'none',
    '--iptables=false',
    '--ip6tables=false',
    '--shutdown-timeout',
    '5',
  ];
  const dockerd = programPath('dockerd') ?? 'dockerd';
  const subIds = join(folder, 'subids');
  writeFileSync(subIds, 'nobody:1000000:65536\n');
  const script = `umount /sys/fs/cgroup/unified; mount --bind ${subIds} /etc/subuid && mount --bind ${subIds} /etc/subgid && exec "$0" "$@"`;
  const apart = ['--mount', '--propagation', 'private', 'sh', '-c', script];
  // It ends with the test process, however that ends.
  const command = ['--pdeathsig', 'TERM', 'unshare', '--net', ...(options.apart === true ? apart : []), dockerd];
  let daemon: ChildProcess | null = null;

  const start = async (): Promise<void> => {
    const log = openSync(logFile, 'a');
    const child = spawn('setpriv', [...command, ...flags], { stdio: ['ignore', log, log] });
    closeSync(log);
    daemon = child;
    const answers = async (): Promise<boolean> => {
      if (child.exitCode !== null) throw new Error(`dockerd ended: ${readFileSync(logFile, 'utf8').slice(-1_000)}`);
      return docker.ping().then(
        () => true,
        () => false,
      );
    };
    await until(answers, 'the second Docker engine answers', patient);
  };
  const stop = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (daemon === null || daemon.exitCode !== null) return;
    const exited = once(daemon, 'exit');
    daemon.kill(signal);
    await exited;
    // Its containerd dies with it, but where nobody reaps it the next engine would take it for alive and wait for it in vain.
    rmSync(join(folder, 'exec', 'containerd', 'containerd.pid'), { force: true });
    daemon = null;
  };
  const remove = (): void => {
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '')
      .filter((path) => path.startsWith(folder));
    for (const path of mounts.toReversed()) execFileSync('umount', ['-l', path]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };

  await start();
  return {
    host,
    docker,
    load: async (image) => {
      const save = spawn('docker', ['save', image], { stdio: ['ignore', 'pipe', 'inherit'] });
      const load = await docker.loadImage(save.stdout, { quiet: true });
      await new Promise(
        (resolve, reject) =>
          void load
            .on('data', () => {})
            .on('end', resolve)
            .on('error', reject),
      );
      await docker.getImage(image).inspect();
    },
    stop,
    start,
    [Symbol.asyncDispose]: async () => {
      if (daemon === null) await start();
      const left = await docker.listContainers({ all: true });
      // One that removes itself may be faster.
      await Promise.allSettled(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true })));
      await stop('SIGTERM');
      remove();
    },
  };
};
