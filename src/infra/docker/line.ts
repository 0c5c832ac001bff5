/** A line of people who wait for something that comes one at a time: served first come, first served, told their place, for so long. */
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import type { Clock } from '../../ports/clock.ts';
import { after } from './timers.ts';

export type WaitRequest = { readonly signal: AbortSignal; readonly onWaiting: (ahead: number) => void };

export type Served<T> =
  | { readonly kind: 'served'; readonly what: T }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped' };

export type Line<T> = {
  /** Never rejects. */
  readonly join: (request: WaitRequest) => Promise<Served<T>>;
  /** Serves from the front for as long as there is something to give. */
  readonly serve: (next: () => T | undefined) => void;
  readonly failAll: (why: Failure) => void;
  readonly length: () => number;
};

type Waiter<T> = { readonly settle: (served: Served<T>) => void; readonly onWaiting: (ahead: number) => void };

/** `what`: what is waited for, for the operator; `waitMs`: whoever waits for longer is told that all are busy. */
export const createLine = <T>(what: string, waitMs: number, clock: Clock): Line<T> => {
  const waiters: Waiter<T>[] = [];
  return {
    join: ({ signal, onWaiting }) =>
      new Promise((resolve) => {
        const settle = (served: Served<T>): void => {
          const at = waiters.indexOf(waiter);
          if (at < 0) return;
          waiters.splice(at, 1);
          cancelDeadline();
          signal.removeEventListener('abort', stop);
          resolve(served);
          waiters.forEach((other, ahead) => other.onWaiting(ahead));
        };
        const waiter: Waiter<T> = { settle, onWaiting };
        const stop = (): void => settle({ kind: 'stopped' });
        const cancelDeadline = after(clock, waitMs, () => {
          settle({
            kind: 'failed',
            failure: failure('sandbox-busy', { waiting: waiters.length }, `no ${what} came free within ${waitMs} ms`),
          });
        });
        signal.addEventListener('abort', stop);
        waiters.push(waiter);
        onWaiting(waiters.length - 1);
      }),
    serve: (next) => {
      for (let first = waiters[0]; first !== undefined; first = waiters[0]) {
        const one = next();
        if (one === undefined) return;
        first.settle({ kind: 'served', what: one });
      }
    },
    failAll: (why) => {
      for (const waiter of waiters.slice()) waiter.settle({ kind: 'failed', failure: why });
    },
    length: () => waiters.length,
  };
};
