/** What every store of secrets must do. See src/ports/secrets.ts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Secrets } from '../../src/ports/secrets.ts';
import { codeOf, valueOf } from '../support/results.ts';

/** `make` opens the storage as one more process would; it waits for a lock for a second. */
export const secretsContract = (name: string, make: () => Secrets): void => {
  let serial = 0;
  const fresh = (): string => `secret ${++serial} of ${process.pid}`;

  describe(`secrets: ${name}`, () => {
    it('gives back what was put, in another process too, until it is removed', async () => {
      const secret = fresh();
      expect(valueOf(await make().get(secret))).toBeNull();
      valueOf(await make().put(secret, 'xoxb-1 é'));
      valueOf(await make().put(secret, 'xoxb-2 é'));
      expect(valueOf(await make().get(secret))).toBe('xoxb-2 é');
      valueOf(await make().remove(secret));
      expect(valueOf(await make().get(secret))).toBeNull();
    });
    it('lists the names with a prefix, in order', async () => {
      const prefix = fresh();
      for (const team of ['T2', 'T1']) valueOf(await make().put(`${prefix}:${team}`, 'x'));
      valueOf(await make().put(`other ${prefix}`, 'x'));
      expect(valueOf(await make().list(`${prefix}:`))).toEqual([`${prefix}:T1`, `${prefix}:T2`]);
      expect(valueOf(await make().list(fresh()))).toEqual([]);
    });
    it('lets one work at a time for a name, and many for many', async () => {
      const [one, other] = [fresh(), fresh()];
      let working = 0;
      let most = 0;
      const refresh = async (): Promise<string> => {
        working += 1;
        most = Math.max(most, working);
        await sleep(10);
        working -= 1;
        return 'token';
      };
      const all = await Promise.all(Array.from({ length: 5 }, () => make().withLock(one, refresh)));
      expect(all.map(valueOf)).toEqual(Array.from({ length: 5 }, () => 'token'));
      expect(most).toBe(1);
      const nested = await make().withLock(one, () => make().withLock(other, async () => 'both'));
      expect(valueOf(valueOf(nested))).toBe('both');
    });
    it('gives the lock back after work that throws', async () => {
      const secret = fresh();
      await expect(make().withLock(secret, () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
      expect(valueOf(await make().withLock(secret, async () => 1))).toBe(1);
    });
    it('says that it is busy where the lock does not come free, and runs nothing', async () => {
      const secret = fresh();
      const held = Promise.withResolvers<void>();
      const first = make().withLock(secret, () => held.promise);
      await sleep(100);
      let ran = false;
      expect(codeOf(await make().withLock(secret, async () => void (ran = true)))).toBe('store-busy');
      expect(ran).toBe(false);
      held.resolve();
      valueOf(await first);
    });
  });
};
