/** What all shared facts must do. See src/ports/shared-facts.ts. */
import { describe, expect, it } from 'vitest';
import type { SharedFacts } from '../../src/ports/shared-facts.ts';
import { valueOf } from '../support/results.ts';
import { until } from '../support/until.ts';

/** `make` opens the storage as one more process of this adapter would. */
export const sharedFactsContract = (name: string, make: (adapter: string) => SharedFacts): void => {
  let serial = 0;
  const fresh = (): string => `fact ${++serial} of ${process.pid}`;

  describe(`shared facts: ${name}`, () => {
    it('gives back what was set, in another process too, and null for what was not', async () => {
      const fact = fresh();
      expect(valueOf(await make('slack').get(fact))).toBeNull();
      for (const value of ['', 'x', 'é "{\u0000}\n']) {
        valueOf(await make('slack').set(fact, value, null));
        expect(valueOf(await make('slack').get(fact))).toBe(value);
      }
    });
    it('keeps adapters apart', async () => {
      const fact = fresh();
      valueOf(await make('slack').set(fact, '1', null));
      expect(valueOf(await make('discord').get(fact))).toBeNull();
    });
    it('lets one of many claims win, and tells all of them which', async () => {
      const fact = fresh();
      const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => make('slack').claim(fact, `${n}`, 60_000)));
      const won = valueOf(await make('slack').get(fact));
      expect(new Set(claims.map(valueOf))).toEqual(new Set([won]));
    });
    it('forgets what is removed, and what has had its time', async () => {
      const [removed, brief, claimed] = [fresh(), fresh(), fresh()];
      valueOf(await make('slack').set(removed, '1', null));
      valueOf(await make('slack').remove(removed));
      expect(valueOf(await make('slack').get(removed))).toBeNull();
      valueOf(await make('slack').set(brief, '1', 50));
      expect(valueOf(await make('slack').claim(claimed, '1', 50))).toBe('1');
      await until(async () => valueOf(await make('slack').get(brief)) === null, 'its time is over');
      await until(async () => valueOf(await make('slack').claim(claimed, '2', 60_000)) === '2', 'the claim is free again');
    });
  });
};
