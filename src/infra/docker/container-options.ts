/**
 * How a sandbox container is locked in. Pure: settings in, the engine's create options out, so that a test can hold every line of it.
 *
 * Left at Docker's defaults on purpose, because they are the stronger choice: the seccomp profile and AppArmor's `docker-default`.
 * No mount of the host, no network, no device, no log: the attached streams are the only way in and out.
 */
import type { ContainerCreateOptions } from 'dockerode';
import type { SandboxLimits } from './limits.ts';

/** Found again by these after a crash; values are ids, never names that a person chose. */
export const label = { owner: 'hektor.owner', worker: 'hektor.worker', lease: 'hektor.lease', image: 'hektor.image' } as const;

export type ContainerIdentity = {
  /** The installation: several may share one engine, and none touches another's containers. */
  readonly owner: string;
  /** The process that made the container. */
  readonly worker: string;
  /** Unique per container. */
  readonly lease: string;
  /** The image's id, not its tag: a tag can move. */
  readonly image: string;
};

const MiB = 1 << 20;
const firstUser = 10_001;
const users = 40_000;

/**
 * A user id of the container's own, derived from its lease: the kernel counts some things (pipe buffers, pending signals, watches) per
 * user over all containers.
 */
export const userOf = (lease: string): number => {
  let sum = 0;
  for (const char of lease) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % users;
  return firstUser + sum;
};

export const containerOptions = (identity: ContainerIdentity, limits: SandboxLimits): ContainerCreateOptions => {
  const user = userOf(identity.lease);
  const memory = limits.memoryMb * MiB;
  return {
    Image: identity.image,
    User: `${user}:${user}`,
    WorkingDir: '/workspace',
    Hostname: 'sandbox',
    Labels: {
      [label.owner]: identity.owner,
      [label.worker]: identity.worker,
      [label.lease]: identity.lease,
      [label.image]: identity.image,
    },
    // The rest of the environment comes from the image; none of it from the worker.
    Env: ['USER=sandbox', 'LOGNAME=sandbox', 'HEKTOR_PRELOAD=numpy,pandas,matplotlib'],
    OpenStdin: true,
    // When the worker dies, its end of the stream closes, the driver reads the end of file and the container removes itself.
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    NetworkDisabled: true,
    HostConfig: {
      AutoRemove: true,
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      Privileged: false,
      PidsLimit: limits.pids,
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(limits.cpus * 1e9),
      OomScoreAdj: 500,
      Tmpfs: {
        '/workspace': `rw,nosuid,nodev,size=${limits.workspaceMb * MiB},nr_inodes=16384,uid=${user},gid=${user},mode=0700`,
        '/tmp': `rw,nosuid,nodev,noexec,size=${limits.temporaryMb * MiB},nr_inodes=16384,mode=1777`,
      },
      Ulimits: [
        { Name: 'nofile', Soft: 256, Hard: 256 },
        { Name: 'core', Soft: 0, Hard: 0 },
        { Name: 'stack', Soft: 256 * MiB, Hard: 256 * MiB },
      ],
      LogConfig: { Type: 'none', Config: {} },
      IpcMode: 'private',
      ShmSize: 16 * MiB,
      RestartPolicy: { Name: 'no' },
      ...(limits.runtime === null ? {} : { Runtime: limits.runtime }),
      ...(limits.cgroupParent === null ? {} : { CgroupParent: limits.cgroupParent }),
    },
  };
};
