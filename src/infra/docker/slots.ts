/**
 * How many runs go on at the same time. Containers may be many more: between runs they are frozen, cost memory only, and spare the next run
 * of their thread a new one; but runs share the processors, and too many at once would all be slow. A conversation has one run at a
 * time and goes to the end of the line for its next, so none can crowd out the others.
 */
import type { Failure } from '../../core/failure.ts';
import type { Clock } from '../../ports/clock.ts';
import { createLine } from './line.ts';
import type { Served, WaitRequest } from './line.ts';

export type Slots = {
  /** Whoever was served calls `leave`, once. Never rejects. */
  readonly enter: (request: WaitRequest) => Promise<Served<{ readonly leave: () => void }>>;
  readonly waiting: () => number;
  /** Nobody waits any longer, and nobody is let in. */
  readonly close: (why: Failure) => void;
};

export const createSlots = (count: number, waitMs: number, clock: Clock): Slots => {
  const line = createLine<{ readonly leave: () => void }>('place for a run', waitMs, clock);
  let free = count;
  let closed: Failure | null = null;

  const take = (): { readonly leave: () => void } | undefined => {
    if (free === 0) return undefined;
    free -= 1;
    return {
      leave: () => {
        free += 1;
        line.serve(take);
      },
    };
  };

  return {
    enter: async (request) => {
      if (closed !== null) return { kind: 'failed', failure: closed };
      if (request.signal.aborted) return { kind: 'stopped' };
      const slot = line.length() === 0 ? take() : undefined;
      return slot === undefined ? line.join(request) : { kind: 'served', what: slot };
    },
    waiting: line.length,
    close: (why) => {
      closed = why;
      line.failAll(why);
    },
  };
};
