/**
 * Containers that nobody owns any more: a worker that died leaves behind those it had frozen (all others end when its stream closes),
 * a request whose answer was lost may leave one. They are found by their labels.
 *
 * Docker knows no heartbeat, so whether another worker lives is asked of `isAlive`, which the program answers from a key that every
 * worker renews in Redis. When that cannot be told, the worker counts as alive: a leftover is cheap, a lost run is not.
 */
import type Docker from 'dockerode';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { removeById } from './container.ts';
import { label } from './container-options.ts';
import { messageOf } from './engine.ts';
import { within } from './timers.ts';

export type SweepParts = {
  readonly docker: Docker;
  readonly owner: string;
  readonly workerId: string;
  readonly isAlive: (workerId: string) => Promise<boolean>;
  /** The leases that this worker knows of, including those just being made. */
  readonly knows: (lease: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
};

const listMs = 10_000;

/** Resolves with the number of containers removed; never rejects. */
export const sweep = async ({ docker, owner, workerId, isAlive, knows, clock, log }: SweepParts): Promise<number> => {
  const alive = new Map<string, boolean>();
  const isOrphan = async (labels: { readonly [name: string]: string }): Promise<boolean> => {
    const worker = labels[label.worker] ?? '';
    if (worker === workerId) return !knows(labels[label.lease] ?? '');
    const known = alive.get(worker) ?? (await isAlive(worker).catch(() => true));
    alive.set(worker, known);
    return !known;
  };
  try {
    const filters = { label: [`${label.owner}=${owner}`] };
    const found = await within(clock, listMs, 'listing containers', docker.listContainers({ all: true, filters }));
    let removed = 0;
    for (const { Id, Labels } of found) {
      if (!(await isOrphan(Labels)) || !(await removeById(docker, Id, clock))) continue;
      removed += 1;
    }
    if (removed > 0) log.info({ removed }, 'removed sandbox containers that nobody owned');
    return removed;
  } catch (error) {
    log.debug({ error: messageOf(error) }, 'could not look for leftover containers');
    return 0;
  }
};
