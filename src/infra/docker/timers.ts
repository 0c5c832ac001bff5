/** Small waits on top of the clock port. */
import type { Clock } from '../../ports/clock.ts';

/** Calls `act` after `ms`, unless cancelled before. */
export const after = (clock: Clock, ms: number, act: () => void): (() => void) => {
  const cancelled = new AbortController();
  void clock.sleep(ms, cancelled.signal).then(() => (cancelled.signal.aborted ? undefined : act()));
  return () => cancelled.abort();
};

/** The promise's value, or a rejection after `ms`: an engine that hangs must not hang its callers. */
export const within = async <T>(clock: Clock, ms: number, what: string, promise: Promise<T>): Promise<T> => {
  const settled = new AbortController();
  const late = clock.sleep(ms, settled.signal).then((): never => {
    throw new Error(`${what} took longer than ${ms} ms`);
  });
  // Ends with the race: a wait that was cut short rejects too, unheard.
  late.catch(() => undefined);
  try {
    return await Promise.race([promise, late]);
  } finally {
    settled.abort();
  }
};
