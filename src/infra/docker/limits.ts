/** What the sandbox may use and keep, per run, per container and for the whole pool. Every number is a setting. */
export type SandboxLimits = {
  /** Containers that stand ready. */
  readonly poolSize: number;
  /** Containers of this process at the same time: ready, starting, leased and being removed. */
  readonly maxContainers: number;
  /** Runs that go on at the same time; the other containers are frozen. */
  readonly runsAtOnce: number;
  /** How long a conversation's container is kept after its last run. */
  readonly lingerMs: number;
  /** How long a run waits for a container before it is told that all are busy. */
  readonly waitMs: number;
  /** How long saving the state may take after the run. */
  readonly saveMs: number;
  /** How often the pool looks after itself: the image's id, containers that ended, leftovers. */
  readonly tendMs: number;

  readonly memoryMb: number;
  readonly cpus: number;
  readonly pids: number;
  readonly workspaceMb: number;
  readonly temporaryMb: number;
  /** Another OCI runtime, e.g. `runsc`; null: the engine's default. */
  readonly runtime: string | null;
  /** A cgroup that bounds all sandboxes of the host together; null: the engine's default. */
  readonly cgroupParent: string | null;

  /** Output that is kept of a run, half from its head and half from its tail. */
  readonly outputBytes: number;
  /** Output that is read of a run at all; what comes later is counted and dropped. */
  readonly streamBytes: number;
  readonly pictures: number;
  readonly pictureBytes: number;
  /** Changed files that are sent back to the thread. */
  readonly files: number;
  readonly fileBytes: number;
  /** All blobs of one snapshot together. */
  readonly stateBytes: number;
};

const MiB = 1 << 20;

export const defaultLimits: SandboxLimits = {
  poolSize: 2,
  maxContainers: 40,
  runsAtOnce: 8,
  lingerMs: 60_000,
  waitMs: 60_000,
  saveMs: 20_000,
  tendMs: 15_000,
  memoryMb: 512,
  cpus: 1,
  pids: 64,
  workspaceMb: 64,
  temporaryMb: 32,
  runtime: null,
  cgroupParent: null,
  outputBytes: 64 * 1024,
  streamBytes: MiB,
  pictures: 20,
  pictureBytes: 8 * MiB,
  files: 10,
  fileBytes: 8 * MiB,
  stateBytes: 256 * MiB,
};
