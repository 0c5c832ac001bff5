import { randomBytes } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';

/** The machine's own time and randomness. Ids have 128 random bits: 22 URL-safe characters. */
export const systemClock: Clock = {
  now: () => Date.now(),
  newId: () => randomBytes(16).toString('base64url'),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
    }),
};
