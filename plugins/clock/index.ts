import { z } from 'zod';
import { definePlugin } from '../../src/core/plugin.ts';
import { words } from '../../src/core/trust.ts';

/** The smallest plugin: what time it is. The system prompt holds no clock, so that it stays the same from turn to turn. */
export const clockPlugin = definePlugin({
  name: 'clock',
  description: 'Tells the model the time.',
  needs: ['clock'],
  tools: (define) => [
    define({
      name: 'current_time',
      description: words`Tells the current date and time. Use it whenever the answer depends on today’s date or the time now; never guess. timeZone is an IANA name such as Europe/Berlin; without it the answer is in UTC.`,
      parameters: z.object({ timeZone: z.string().optional() }),
      effect: 'read',
      idempotent: true,
      parallelSafe: true,
      timeoutMs: 1_000,
      summary: () => 'Looking at the clock',
      execute: async ({ timeZone }, { clock }) => {
        const now = new Date(clock.now());
        try {
          const there = now.toLocaleString('en-GB', { timeZone: timeZone ?? 'UTC', dateStyle: 'full', timeStyle: 'long' });
          return { text: `${there} (${now.toISOString()})` };
        } catch (error) {
          if (error instanceof RangeError)
            return { text: `There is no time zone ${JSON.stringify(timeZone)}. Use an IANA name such as Europe/Berlin.`, failed: true };
          throw error;
        }
      },
    }),
  ],
});
