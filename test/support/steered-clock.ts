/** A clock that runs like the real one and can be put forward: whoever sleeps wakes when their time has come. */
import { systemClock } from '../../src/infra/system/clock.ts';
import type { Clock } from '../../src/ports/clock.ts';

export type SteeredClock = Clock & { readonly advance: (ms: number) => void };

export const createSteeredClock = (): SteeredClock => {
  let ahead = 0;
  const looks = new Set<() => void>();
  const now = (): number => Date.now() + ahead;
  return {
    now,
    newId: systemClock.newId,
    sleep: (ms, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const until = now() + ms;
      let timer: NodeJS.Timeout | undefined;
      const end = (): void => {
        clearTimeout(timer);
        looks.delete(look);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const look = (): void => {
        clearTimeout(timer);
        const left = until - now();
        if (left <= 0) return end();
        // Nobody is kept waiting at the end of a test by a sleep of minutes.
        timer = setTimeout(look, left).unref();
      };
      looks.add(look);
      signal?.addEventListener('abort', end, { once: true });
      look();
      return promise;
    },
    advance: (ms) => {
      ahead += ms;
      for (const look of looks) look();
    },
  };
};
