/** Real sandboxes for tests: an installation of the test's own on the machine's Docker engine, and sessions that run cells in it. */
import { randomUUID } from 'node:crypto';
import Docker from 'dockerode';
import type { ConversationId, SnapshotId } from '../../src/core/ids.ts';
import { snapshotId } from '../../src/core/ids.ts';
import { blobIdOf } from '../../src/core/blob-hash.ts';
import type { Failure } from '../../src/core/failure.ts';
import type { Result } from '../../src/core/result.ts';
import type { StoredFile } from '../../src/core/message.ts';
import { manifestSchema, withFiles, emptyManifest } from '../../src/core/snapshot.ts';
import type { Manifest } from '../../src/core/snapshot.ts';
import { label } from '../../src/infra/docker/container-options.ts';
import type { SandboxLimits } from '../../src/infra/docker/limits.ts';
import { createSandbox } from '../../src/infra/docker/sandbox.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import type { BlobStore } from '../../src/ports/blob-store.ts';
import type { Metrics } from '../../src/ports/metrics.ts';
import type { RunOutcome, RunRequest, Sandbox } from '../../src/ports/sandbox.ts';
import { createMemoryBlobs } from './memory-blobs.ts';
import type { MemoryBlobs } from './memory-blobs.ts';
import { aConversation } from './samples.ts';
import { createTestLog } from './test-log.ts';

/** The image that the set-up built; by hand, the one that is tagged so. */
export const sandboxImage = process.env['HEKTOR_SANDBOX_IMAGE'] ?? 'hektor-sandbox:dev';
export const docker = new Docker();

export const noMetrics: Metrics = { count: () => {}, observe: () => {}, gauge: () => {}, text: async () => '' };

export type TestSandbox = AsyncDisposable & {
  readonly sandbox: Sandbox;
  readonly blobs: MemoryBlobs;
  readonly owner: string;
  readonly log: ReturnType<typeof createTestLog>;
  /** Ids of this installation's containers, in whatever state. */
  readonly containers: () => Promise<readonly string[]>;
};

export type TestSandboxOptions = {
  readonly limits?: Partial<SandboxLimits>;
  readonly docker?: string;
  readonly image?: string;
  readonly owner?: string;
  readonly workerId?: string;
  readonly isAlive?: (workerId: string) => Promise<boolean>;
  readonly blobs?: MemoryBlobs;
  /** Keeps the states instead of `blobs`. */
  readonly store?: BlobStore;
};

export const containersOf = async (owner: string): Promise<readonly Docker.ContainerInfo[]> =>
  docker.listContainers({ all: true, filters: { label: [`${label.owner}=${owner}`] } });

export const openSandbox = (options: TestSandboxOptions = {}): TestSandbox => {
  const owner = options.owner ?? `test-${randomUUID()}`;
  const blobs = options.blobs ?? createMemoryBlobs();
  const log = createTestLog();
  const sandbox = createSandbox({
    docker: options.docker ?? process.env['DOCKER_HOST'] ?? '',
    image: options.image ?? sandboxImage,
    owner,
    workerId: options.workerId ?? randomUUID(),
    isAlive: options.isAlive ?? (async () => false),
    blobs: options.store ?? blobs,
    log: log.log,
    metrics: noMetrics,
    clock: systemClock,
    limits: options.limits ?? {},
  });
  return {
    sandbox,
    blobs,
    owner,
    log,
    containers: async () => (await containersOf(owner)).map((container) => container.Id),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
};

type RunOptions = Partial<Pick<RunRequest, 'timeoutMs' | 'signal' | 'onOutput' | 'onWaiting'>>;

/** A conversation that keeps its head as a turn would. */
export type Session = {
  readonly conversation: ConversationId;
  readonly head: () => SnapshotId | null;
  readonly setHead: (head: SnapshotId | null) => void;
  readonly run: (code: string, options?: RunOptions) => Promise<RunOutcome>;
  readonly tryRun: (code: string, options?: RunOptions) => Promise<Result<RunOutcome, Failure>>;
  /** Puts uploads into the state, as the program does. */
  readonly upload: (files: { readonly [name: string]: string }) => Promise<void>;
  readonly manifest: () => Promise<Manifest>;
};

export const openSession = (sandbox: Sandbox, blobs: BlobStore, conversation = aConversation()): Session => {
  let head: SnapshotId | null = null;
  let n = 0;
  const tryRun: Session['tryRun'] = async (code, options = {}) => {
    n += 1;
    const result = await sandbox.run({
      conversation,
      n,
      code,
      base: head,
      timeoutMs: 30_000,
      onOutput: () => {},
      onWaiting: () => {},
      signal: new AbortController().signal,
      ...options,
    });
    if (result.ok) head = result.value.after;
    return result;
  };
  const manifest = async (): Promise<Manifest> => {
    if (head === null) return emptyManifest;
    const bytes = await blobs.get(conversation, head);
    if (!bytes.ok || bytes.value === null) throw new Error('no manifest');
    return manifestSchema.parse(JSON.parse(Buffer.from(bytes.value).toString('utf8')));
  };
  return {
    conversation,
    head: () => head,
    setHead: (next) => {
      head = next;
    },
    tryRun,
    run: async (code, options) => {
      const result = await tryRun(code, options);
      if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.detail}`, { cause: result.failure });
      return result.value;
    },
    manifest,
    upload: async (files) => {
      const stored: StoredFile[] = [];
      for (const [name, text] of Object.entries(files)) {
        const bytes = Buffer.from(text);
        await blobs.put(conversation, bytes);
        stored.push({ name, type: 'text/plain', size: bytes.length, blob: blobIdOf(bytes), table: null });
      }
      const bytes = Buffer.from(JSON.stringify(withFiles(await manifest(), stored)));
      await blobs.put(conversation, bytes);
      head = snapshotId(blobIdOf(bytes));
    },
  };
};
