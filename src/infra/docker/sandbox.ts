/** The sandbox on a Docker engine: implements src/ports/sandbox.ts. */
import { failure } from '../../core/failure.ts';
import { err, ok } from '../../core/result.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Sandbox, SandboxHealth } from '../../ports/sandbox.ts';
import { startContainer } from './container.ts';
import { containerOptions } from './container-options.ts';
import { connectDocker, createEngine } from './engine.ts';
import { createLeases } from './leases.ts';
import { defaultLimits } from './limits.ts';
import type { SandboxLimits } from './limits.ts';
import { createPool } from './pool.ts';
import { neverRan, runInSandbox } from './run.ts';
import { createSlots } from './slots.ts';
import { sweep } from './sweep.ts';

export type SandboxDeps = {
  /** As DOCKER_HOST; empty: what the docker command would use. */
  readonly docker: string;
  /** The image's name; the id behind it is looked up again and again, so a new build is taken up while the worker runs. */
  readonly image: string;
  /** The installation, as a short id: containers of another one on the same engine are never touched. */
  readonly owner: string;
  /** This process, unique: its containers carry it. */
  readonly workerId: string;
  /** Whether another worker of this installation is alive, so that a dead one's containers can be removed. */
  readonly isAlive: (workerId: string) => Promise<boolean>;
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly limits?: Partial<SandboxLimits>;
};

const missingTendMs = 2_000;
/** Leftovers are looked for at the start and then every so many rounds. */
const sweepRounds = 4;

/**
 * Starts at once and in the background; a missing engine or image is no reason to fail, and is found by itself when it comes. Disposing
 * removes every container of this worker.
 */
export const createSandbox = (deps: SandboxDeps): Sandbox => {
  const { blobs, clock, log, metrics } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const docker = connectDocker(deps.docker);
  const engine = createEngine(docker, deps.image, clock);
  const ours = new Set<string>();
  const disposed = new AbortController();

  const start = async (image: string) => {
    const lease = clock.newId();
    ours.add(lease);
    const options = containerOptions({ owner: deps.owner, worker: deps.workerId, lease, image }, limits);
    const started = await startContainer({ docker, options, lease, image, clock });
    if (!started.ok) {
      ours.delete(lease);
      return started;
    }
    const container = started.value;
    void container.closed.then((why) => log.debug({ lease, why }, 'a sandbox container ended'));
    // Once it is gone, or should be: if the engine failed to remove it, the sweep will.
    const remove = () => container.remove().finally(() => ours.delete(lease));
    return ok({ ...container, remove });
  };
  const pool = createPool({ engine, start, limits, clock, log, makeRoom: () => leases.endOldest() });
  const leases = createLeases({
    limits,
    clock,
    discard: async (container) => {
      await pool.discard(container);
      report();
    },
  });
  const slots = createSlots(Math.min(limits.runsAtOnce, limits.maxContainers), limits.waitMs, clock);
  const report = (): void => {
    const { idle, leased } = pool.counts();
    metrics.gauge('hektor_sandbox_idle', idle);
    metrics.gauge('hektor_sandbox_leased', leased);
  };

  const tell = (missing: string | null, before: string | null): void => {
    if (missing === before) return;
    if (missing === null) log.info({ image: deps.image }, 'the sandbox is available');
    else log.warn({ reason: missing }, 'the sandbox is not available');
  };
  const maintain = async (): Promise<void> => {
    let round = 0;
    let missing: string | null = '';
    while (!disposed.signal.aborted) {
      engine.suspect();
      await pool.tend();
      report();
      const state = engine.known();
      const reason = state?.kind === 'missing' ? state.reason : null;
      tell(reason, missing);
      missing = reason;
      if (missing === null) {
        if (round % sweepRounds === 0) await sweep({ ...deps, docker, knows: (lease) => ours.has(lease) });
        round += 1;
      }
      await clock.sleep(missing === null ? limits.tendMs : Math.min(missingTendMs, limits.tendMs), disposed.signal);
    }
  };
  const maintained = maintain();

  return {
    run: async (request) => {
      let told = -1;
      const onWaiting = (ahead: number): void => {
        if (ahead !== told) request.onWaiting(ahead);
        told = ahead;
      };
      const slot = await slots.enter({ signal: request.signal, onWaiting });
      if (slot.kind === 'stopped') return ok(neverRan(request));
      if (slot.kind === 'failed') return err(slot.failure);
      // Whoever has a slot is next; what is still to come is a container.
      const result = await runInSandbox({ pool, leases, blobs, limits, clock }, { ...request, onWaiting: () => onWaiting(0) });
      slot.what.leave();
      pool.nudge();
      report();
      return result;
    },
    rest: (conversation) => leases.rest(conversation),
    discard: (conversation) => leases.end(conversation),
    health: async (): Promise<SandboxHealth> => {
      const state = await engine.state();
      const reason = state.kind === 'missing' ? state.reason : '';
      const { waiting, ...counts } = pool.counts();
      return { available: state.kind === 'ready', reason, image: deps.image, ...counts, waiting: waiting + slots.waiting() };
    },
    [Symbol.asyncDispose]: async () => {
      disposed.abort();
      slots.close(failure('sandbox-missing', {}, 'this worker is shutting down'));
      await leases.endAll();
      await pool[Symbol.asyncDispose]();
      await maintained;
    },
  };
};
