/** What every keeper of budgets must do. See src/ports/budgets.ts. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { noLimits } from '../../src/core/budget.ts';
import type { DayLimits, Spender } from '../../src/core/budget.ts';
import type { Budgets, Hold, Used } from '../../src/ports/budgets.ts';
import { valueOf } from '../support/results.ts';

const someone = (more: Partial<Spender> = {}): Spender => ({
  platform: 'web',
  workspace: randomUUID(),
  channel: 'c',
  person: 'u1',
  ...more,
});
const hold = (more: Partial<Hold> = {}): Hold => ({ id: randomUUID(), tokens: 10, micros: 0, forMs: 60_000, ...more });
const used = (more: Partial<Used> = {}): Used => ({ model: 'm', input: 7, output: 3, micros: 5, ...more });
const limits = (more: Partial<DayLimits>): DayLimits => ({ ...noLimits.day, ...more });

/** `make` gives the budgets as another process would see them. */
export const budgetsContract = (name: string, make: () => Budgets): void => {
  describe(`budgets: ${name}`, () => {
    it('U082: six asks in a row under a limit of five: the sixth is told how long to wait, and is not counted', async () => {
      const who = someone();
      const rate = { person: 5, channel: null };
      for (let n = 1; n <= 5; n += 1) expect(valueOf(await make().admit(who, `e${n}`, rate))).toBe(0);
      for (let n = 0; n < 3; n += 1) {
        const wait = valueOf(await make().admit(who, 'e6', rate));
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(60_000);
      }
      expect(valueOf(await make().admit({ ...who, person: 'u2' }, 'e6', rate))).toBe(0);
    });

    it('counts a message that is delivered twice once, and never turns the second away', async () => {
      const who = someone();
      const rate = { person: 2, channel: 2 };
      for (let n = 0; n < 5; n += 1) expect(valueOf(await make().admit(who, 'same', rate))).toBe(0);
      expect(valueOf(await make().admit(who, 'other', rate))).toBe(0);
      expect(valueOf(await make().admit(who, 'third', rate))).toBeGreaterThan(0);
      expect(valueOf(await make().admit(who, 'other', rate))).toBe(0);
    });

    it('limits a channel over all its people, and counts nobody whom the channel turned away', async () => {
      const who = someone();
      const rate = { person: 1, channel: 1 };
      expect(valueOf(await make().admit(who, 'a', rate))).toBe(0);
      expect(valueOf(await make().admit({ ...who, person: 'u2' }, 'b', rate))).toBeGreaterThan(0);
      expect(valueOf(await make().admit({ ...who, person: 'u2', channel: 'c2' }, 'c', rate))).toBe(0);
    });

    it('of many messages at once admits exactly as many as the limit says', async () => {
      const who = someone();
      const all = await Promise.all(Array.from({ length: 20 }, (_, n) => make().admit(who, `e${n}`, { person: 7, channel: null })));
      expect(all.filter((one) => valueOf(one) === 0)).toHaveLength(7);
    });

    it('of many requests at once lets no more run than the budget has room for', async () => {
      const who = someone();
      const day = limits({ workspace: { tokens: 35, micros: null } });
      const all = await Promise.all(Array.from({ length: 10 }, () => make().reserve(who, hold(), day)));
      expect(all.filter((one) => valueOf(one) === null)).toHaveLength(3);
      expect(all.map(valueOf).find((one) => one !== null)).toEqual({ scope: 'workspace', what: 'tokens' });
    });

    it('gives back what was held and not used, and counts what was', async () => {
      const who = someone();
      const day = limits({ person: { tokens: 100, micros: null } });
      const first = hold({ tokens: 90 });
      expect(valueOf(await make().reserve(who, first, day))).toBeNull();
      expect(valueOf(await make().reserve(who, first, day))).toBeNull();
      expect(valueOf(await make().reserve(who, hold({ tokens: 20 }), day))).toEqual({ scope: 'person', what: 'tokens' });
      valueOf(await make().settle(who, first.id, [used()]));
      expect(valueOf(await make().reserve(who, hold({ tokens: 90 }), day))).toBeNull();
      expect(valueOf(await make().reserve({ ...who, person: 'u2' }, hold({ tokens: 100 }), day))).toBeNull();
    });

    it('gives back by itself what a dead worker held', async () => {
      const who = someone();
      const day = limits({ channel: { tokens: 10, micros: null } });
      expect(valueOf(await make().reserve(who, hold({ forMs: -1 }), day))).toBeNull();
      expect(valueOf(await make().reserve(who, hold(), day))).toBeNull();
    });

    it('takes money into account, and refuses once a budget is used up, however small the request', async () => {
      const who = someone();
      const day = limits({ channel: { tokens: null, micros: 5 } });
      expect(valueOf(await make().reserve(who, hold({ micros: 6 }), day))).toEqual({ scope: 'channel', what: 'money' });
      valueOf(await make().settle(who, 'without a hold', [used({ micros: 5 })]));
      expect(valueOf(await make().reserve(who, hold({ micros: 0 }), day))).toEqual({ scope: 'channel', what: 'money' });
    });

    it('counts a settlement that is sent twice once', async () => {
      const who = someone();
      for (let n = 0; n < 3; n += 1) valueOf(await make().settle(who, 'once', [used()]));
      expect(valueOf(await make().today(who)).person).toMatchObject({ tokens: 10, micros: 5 });
    });

    it('tells what was used today by person, channel, workspace and model; unknown cost is counted as such', async () => {
      const who = someone();
      valueOf(await make().settle(who, 'a', [used(), used({ model: 'a model: 2', micros: null })]));
      valueOf(await make().settle({ ...who, person: 'u2' }, 'b', [used()]));
      const today = valueOf(await make().today(who));
      expect(today.person).toEqual({
        tokens: 20,
        micros: 5,
        models: [
          { model: 'a model: 2', requests: 1, input: 7, output: 3, micros: 0, unknown: 1 },
          { model: 'm', requests: 1, input: 7, output: 3, micros: 5, unknown: 0 },
        ],
      });
      expect([today.channel.tokens, today.workspace.tokens]).toEqual([30, 30]);
      expect(valueOf(await make().today(someone())).workspace).toEqual({ tokens: 0, micros: 0, models: [] });
    });
  });
};
