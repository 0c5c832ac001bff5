/**
 * The pool: containers that stand ready, and the people who wait for one.
 *
 * A container starts light, is ready at once, and ripens (imports the heavy libraries) while it stands. Ripe ones are given out first;
 * when there are none, a young one is better than waiting. Whoever has to wait is served first come, first served. A conversation has
 * at most one run at a time, so no conversation can crowd out the others.
 */
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Result } from '../../core/result.ts';
import type { Container } from './container.ts';
import type { Engine } from './engine.ts';
import type { SandboxLimits } from './limits.ts';
import { after } from './timers.ts';

export type Taken =
  | { readonly kind: 'container'; readonly container: Container }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped' };

export type TakeRequest = { readonly signal: AbortSignal; readonly onWaiting: (ahead: number) => void };

export type PoolCounts = { readonly idle: number; readonly ripe: number; readonly leased: number; readonly waiting: number };

export type Pool = AsyncDisposable & {
  /** A container that nobody has used. Whoever takes one gives it back to `discard`, always. Never rejects. */
  readonly take: (request: TakeRequest) => Promise<Taken>;
  /** Removes a taken container; its place is free once it is gone. */
  readonly discard: (container: Container) => Promise<void>;
  readonly counts: () => PoolCounts;
  /** A leased container may have come out of use: whoever waits can have its place. */
  readonly nudge: () => void;
  /** Brings the pool to its size, with containers of the current image only. */
  readonly tend: () => Promise<void>;
};

export type PoolParts = {
  readonly engine: Engine;
  readonly start: (image: string) => Promise<Result<Container, string>>;
  readonly limits: SandboxLimits;
  readonly clock: Clock;
  readonly log: Log;
  /** Somebody waits and every place is taken: give up a container that is leased and not in use, if there is one. */
  readonly makeRoom: () => void;
};

/** More at once would only compete for the processors. */
const startsAtOnce = 2;
const startAttempts = 3;
const retryMs = 1_000;
const refillDelayMs = 300;

type Waiter = { readonly settle: (taken: Taken) => void; readonly onWaiting: (ahead: number) => void };

export const createPool = ({ engine, start, limits, clock, log, makeRoom }: PoolParts): Pool => {
  const idle: Container[] = [];
  const waiters: Waiter[] = [];
  /** Everything on its way in or out, for a clean end. */
  const moving = new Set<Promise<unknown>>();
  const leased = new Set<Container>();
  let starting = 0;
  let removing = 0;
  let failedStarts = 0;
  let pausedUntil = 0;
  let disposed = false;

  const total = (): number => idle.length + leased.size + starting + removing;
  const track = <T>(promise: Promise<T>): Promise<T> => {
    moving.add(promise);
    return promise.finally(() => moving.delete(promise));
  };
  const tellPlaces = (): void => waiters.forEach((waiter, ahead) => waiter.onWaiting(ahead));

  const remove = async (container: Container): Promise<void> => {
    removing += 1;
    await track(container.remove());
    removing -= 1;
    fill();
  };
  const dropIdle = (container: Container): void => {
    const at = idle.indexOf(container);
    if (at < 0) return;
    idle.splice(at, 1);
    void remove(container);
  };
  const pick = (): Container | undefined => {
    const open = idle.filter((container) => container.isOpen());
    const chosen = open.find((container) => container.isRipe()) ?? open[0];
    if (chosen !== undefined) idle.splice(idle.indexOf(chosen), 1);
    return chosen;
  };
  const give = (waiter: Waiter, container: Container): void => {
    leased.add(container);
    waiter.settle({ kind: 'container', container });
  };
  const failAll = (why: Failure): void => {
    for (const waiter of waiters.slice()) waiter.settle({ kind: 'failed', failure: why });
  };

  const startOne = async (image: string): Promise<void> => {
    starting += 1;
    const started = await track(start(image));
    starting -= 1;
    if (!started.ok) return startFailed(started.failure);
    failedStarts = 0;
    const container = started.value;
    if (disposed) return remove(container);
    idle.push(container);
    void container.closed.then(() => dropIdle(container));
    serve();
    fill();
  };
  const startFailed = async (why: string): Promise<void> => {
    failedStarts += 1;
    engine.suspect();
    log.warn({ why, failedStarts }, 'a sandbox container did not start');
    const state = await engine.state();
    if (state.kind === 'missing') failAll(failure('sandbox-missing', {}, state.reason));
    else if (failedStarts >= startAttempts) failAll(failure('sandbox-broken', {}, `containers do not start: ${why}`));
    if (disposed) return;
    pausedUntil = clock.now() + retryMs;
    after(clock, retryMs, fill);
  };

  const serve = (): void => {
    while (waiters.length > 0) {
      const container = pick();
      const waiter = waiters[0];
      if (container === undefined || waiter === undefined) return;
      give(waiter, container);
    }
  };

  /** Starts what is missing, as far as there is room. Cheap to call too often. */
  const fill = (): void => {
    if (disposed || clock.now() < pausedUntil) return;
    const state = engine.known();
    if (state?.kind !== 'ready') return;
    const wanted = limits.poolSize + waiters.length;
    while (starting < startsAtOnce && idle.length + starting < wanted && total() < limits.maxContainers) void startOne(state.image);
    // What is being removed makes room by itself.
    const coming = starting + removing;
    for (let missing = waiters.length - idle.length - coming; missing > 0 && total() >= limits.maxContainers; missing -= 1) makeRoom();
  };

  const wait = ({ signal, onWaiting }: TakeRequest): Promise<Taken> =>
    new Promise((resolve) => {
      const settle = (taken: Taken): void => {
        const at = waiters.indexOf(waiter);
        if (at < 0) return;
        waiters.splice(at, 1);
        cancelDeadline();
        signal.removeEventListener('abort', stop);
        resolve(taken);
        tellPlaces();
      };
      const waiter: Waiter = { settle, onWaiting };
      const stop = (): void => settle({ kind: 'stopped' });
      const cancelDeadline = after(clock, limits.waitMs, () => {
        const detail = `no sandbox container came free within ${limits.waitMs} ms`;
        settle({ kind: 'failed', failure: failure('sandbox-busy', { waiting: waiters.length }, detail) });
      });
      signal.addEventListener('abort', stop);
      waiters.push(waiter);
      onWaiting(waiters.length - 1);
      fill();
    });

  const tend = async (): Promise<void> => {
    if (disposed) return;
    const state = await engine.state();
    if (state.kind === 'missing') return failAll(failure('sandbox-missing', {}, state.reason));
    for (const container of idle.filter((one) => one.image !== state.image || !one.isOpen())) dropIdle(container);
    fill();
  };

  return {
    take: async (request) => {
      const state = await engine.state();
      if (state.kind === 'missing') return { kind: 'failed', failure: failure('sandbox-missing', {}, state.reason) };
      if (disposed) return { kind: 'failed', failure: failure('sandbox-missing', {}, 'this worker is shutting down') };
      if (request.signal.aborted) return { kind: 'stopped' };
      const container = waiters.length === 0 ? pick() : undefined;
      if (container === undefined) return wait(request);
      leased.add(container);
      // Starting a container takes a processor for a while. As long as another one stands ready, the run that begins now has it first.
      if (idle.length === 0) fill();
      else after(clock, refillDelayMs, fill);
      return { kind: 'container', container };
    },
    discard: async (container) => {
      if (!leased.delete(container)) return;
      await remove(container);
    },
    counts: () => ({
      idle: idle.length,
      ripe: idle.filter((container) => container.isRipe()).length,
      leased: leased.size,
      waiting: waiters.length,
    }),
    nudge: fill,
    tend,
    [Symbol.asyncDispose]: async () => {
      disposed = true;
      failAll(failure('sandbox-missing', {}, 'this worker is shutting down'));
      for (const container of idle.slice()) dropIdle(container);
      while (moving.size > 0) await Promise.allSettled(moving);
    },
  };
};
