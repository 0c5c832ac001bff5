/**
 * When what is alive in a channel may be shown anew. All turns of a channel share its limit of writes, so they take turns: one request under way, and
 * a pause after it that grows when Discord says that it was too much. Final messages do not wait here.
 */
import { discordLimits } from '../limits.ts';
import type { Clock } from '../../../src/ports/clock.ts';

/** `limitedMs`: Discord wants the next one only after so long; 0 where it did not say so. */
export type Leave = (limitedMs: number) => void;
export type Pace = {
  /** Resolves when it is this one's turn; null where the signal ended the wait. Whoever enters must leave. */
  readonly enter: (channel: string, signal: AbortSignal) => Promise<Leave | null>;
};

type Lane = { chain: Promise<void>; waiting: number; nextAt: number; intervalMs: number };

const MOST_MS = 12_000;
const MOST_LANES = 5_000;

export const createPace = (clock: Clock): Pace => {
  const lanes = new Map<string, Lane>();
  const laneOf = (channel: string): Lane => {
    const known = lanes.get(channel);
    if (known !== undefined) return known;
    if (lanes.size > MOST_LANES) for (const [key, lane] of lanes) if (lane.waiting === 0 && lane.nextAt < clock.now()) lanes.delete(key);
    const made = { chain: Promise.resolve(), waiting: 0, nextAt: 0, intervalMs: discordLimits.draftIntervalMs };
    lanes.set(channel, made);
    return made;
  };
  return {
    enter: async (channel, signal) => {
      const lane = laneOf(channel);
      const before = lane.chain;
      const { promise, resolve } = Promise.withResolvers<void>();
      lane.chain = promise;
      lane.waiting += 1;
      await before;
      const wait = lane.nextAt - clock.now();
      if (wait > 0 && !signal.aborted) await clock.sleep(wait, signal);
      const leave = (): void => {
        lane.waiting -= 1;
        resolve();
      };
      if (signal.aborted) {
        leave();
        return null;
      }
      return (limitedMs) => {
        lane.intervalMs =
          limitedMs > 0 ? Math.min(MOST_MS, lane.intervalMs * 2) : Math.max(discordLimits.draftIntervalMs, lane.intervalMs * 0.9);
        lane.nextAt = clock.now() + Math.max(limitedMs, lane.intervalMs);
        leave();
      };
    },
  };
};
