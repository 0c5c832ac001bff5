/**
 * The pool: containers that stand ready, and the people who wait for one.
 *
 * A container starts light, is ready at once, and ripens (imports the heavy libraries) when all is quiet. Ripe ones are given out first;
 * when there are none, a young one is better than waiting. Whoever has to wait is served first come, first served.
 */
import { failure } from '../../core/failure.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Result } from '../../core/result.ts';
import type { Container } from './container.ts';
import type { Engine } from './engine.ts';
import type { SandboxLimits } from './limits.ts';
import { createLine } from './line.ts';
import type { Served, WaitRequest } from './line.ts';
import { after } from './timers.ts';

export type PoolCounts = { readonly idle: number; readonly ripe: number; readonly leased: number; readonly waiting: number };

export type Pool = AsyncDisposable & {
  /** A container that nobody has used. Whoever takes one gives it back to `discard`, always. Never rejects. */
  readonly take: (request: WaitRequest) => Promise<Served<Container>>;
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
/** Nobody took a container for so long: the processors can be had for ripening. */
const quietMs = 500;

export const createPool = ({ engine, start, limits, clock, log, makeRoom }: PoolParts): Pool => {
  const idle: Container[] = [];
  const line = createLine<Container>('sandbox container', limits.waitMs, clock);
  /** Everything on its way in or out, for a clean end. */
  const moving = new Set<Promise<unknown>>();
  const leased = new Set<Container>();
  let ripening: Container | null = null;
  let cancelRipening = (): void => {};
  let lastTaken = 0;
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
  /** A ripe one, else one that a run need not wait for because it is just importing something. */
  const pick = (): Container | undefined => {
    const open = idle.filter((container) => container.isOpen());
    const chosen = open.find((container) => container.isRipe()) ?? open.find((container) => container !== ripening) ?? open[0];
    if (chosen === undefined) return undefined;
    idle.splice(idle.indexOf(chosen), 1);
    leased.add(chosen);
    lastTaken = clock.now();
    return chosen;
  };

  /** One after the other, and only while nobody waits and nothing starts: it takes a processor for the better part of a second. */
  const ripen = (): void => {
    if (disposed || line.length() > 0 || starting > 0) return;
    if (ripening !== null && idle.includes(ripening) && !ripening.isRipe()) return;
    const next = idle.find((container) => container.isOpen() && !container.isRipe());
    if (next === undefined) return;
    const quietFor = clock.now() - lastTaken;
    if (quietFor < quietMs) {
      cancelRipening();
      cancelRipening = after(clock, quietMs - quietFor, ripen);
      return;
    }
    ripening = next;
    void next.ripen().then(ripen);
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
    line.serve(pick);
    fill();
    ripen();
  };
  const startFailed = async (why: string): Promise<void> => {
    failedStarts += 1;
    engine.suspect();
    log.warn({ why, failedStarts }, 'a sandbox container did not start');
    const state = await engine.state();
    if (state.kind === 'missing') line.failAll(failure('sandbox-missing', {}, state.reason));
    else if (failedStarts >= startAttempts) line.failAll(failure('sandbox-broken', {}, `containers do not start: ${why}`));
    if (disposed) return;
    pausedUntil = clock.now() + retryMs;
    after(clock, retryMs, fill);
  };

  /** Starts what is missing, as far as there is room. Cheap to call too often. */
  const fill = (): void => {
    if (disposed || clock.now() < pausedUntil) return;
    const state = engine.known();
    if (state?.kind !== 'ready') return;
    const wanted = limits.poolSize + line.length();
    while (starting < startsAtOnce && idle.length + starting < wanted && total() < limits.maxContainers) void startOne(state.image);
    // What is being removed makes room by itself.
    const coming = starting + removing;
    for (let missing = line.length() - idle.length - coming; missing > 0 && total() >= limits.maxContainers; missing -= 1) makeRoom();
  };

  const tend = async (): Promise<void> => {
    if (disposed) return;
    const state = await engine.state();
    if (state.kind === 'missing') return line.failAll(failure('sandbox-missing', {}, state.reason));
    for (const container of idle.filter((one) => one.image !== state.image || !one.isOpen())) dropIdle(container);
    fill();
    ripen();
  };

  return {
    take: async (request) => {
      const state = await engine.state();
      if (state.kind === 'missing') return { kind: 'failed', failure: failure('sandbox-missing', {}, state.reason) };
      if (disposed) return { kind: 'failed', failure: failure('sandbox-missing', {}, 'this worker is shutting down') };
      if (request.signal.aborted) return { kind: 'stopped' };
      const container = line.length() === 0 ? pick() : undefined;
      if (container === undefined) {
        const served = line.join(request);
        fill();
        return served;
      }
      // Starting a container takes a processor for a while. As long as another one stands ready, the run that begins now has it first.
      if (idle.length === 0) fill();
      else after(clock, refillDelayMs, fill);
      return { kind: 'served', what: container };
    },
    discard: async (container) => {
      if (!leased.delete(container)) return;
      await remove(container);
    },
    counts: () => ({
      idle: idle.length,
      ripe: idle.filter((container) => container.isRipe()).length,
      leased: leased.size,
      waiting: line.length(),
    }),
    nudge: fill,
    tend,
    [Symbol.asyncDispose]: async () => {
      disposed = true;
      cancelRipening();
      line.failAll(failure('sandbox-missing', {}, 'this worker is shutting down'));
      for (const container of idle.slice()) dropIdle(container);
      while (moving.size > 0) await Promise.allSettled(moving);
    },
  };
};
