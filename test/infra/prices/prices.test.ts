import { describe, expect, it } from 'vitest';
import { addCost, costAt, dollars } from '../../../src/core/cost.ts';
import type { Price, Spending } from '../../../src/core/cost.ts';
import { createPrices } from '../../../src/infra/prices/prices.ts';

const spending = (more: Partial<Spending> = {}): Spending => ({
  model: 'gpt-4o-mini',
  answered: 'gpt-4o-mini-2024-07-18',
  server: 'https://api.openai.com/v1',
  usage: { input: 1_000, cachedInput: 400, output: 200, reasoning: 50, estimated: false },
  costMicros: null,
  ...more,
});
const own = new Map<string, Price>([
  ['gpt-4o-mini', { input: 2, cachedInput: 1, output: 10 }],
  ['free', { input: 0, cachedInput: null, output: 0 }],
]);

describe('prices', () => {
  it('takes what the server said before everything else', () => {
    expect(createPrices(own).costOf(spending({ costMicros: 7 }))).toBe(7);
    expect(createPrices(own).costOf(spending({ costMicros: 0 }))).toBe(0);
  });

  it("takes the operator's table before the public one, by the name asked for or answered by", () => {
    expect(createPrices(own).costOf(spending())).toBe(600 * 2 + 400 + 200 * 10);
    expect(createPrices(own).costOf(spending({ model: 'alias', answered: 'free' }))).toBe(0);
  });

  it('knows public prices by the address of the server', () => {
    const { costOf } = createPrices(new Map());
    expect(costOf(spending())).toBe(240);
    expect(costOf(spending({ answered: 'gpt-4o-mini-of-ours' }))).toBe(240);
    expect(costOf(spending({ model: 'openai/gpt-4o-mini', answered: '', server: 'https://openrouter.ai/api/v1' }))).toBe(240);
  });

  it('says unknown, never 0, of unknown models, unknown servers and senseless counts', () => {
    const { costOf } = createPrices(new Map());
    expect(costOf(spending({ model: 'llama3.2:3b', answered: 'llama3.2:3b' }))).toBeNull();
    expect(costOf(spending({ server: 'http://127.0.0.1:4000/v1' }))).toBeNull();
    expect(costOf(spending({ server: 'not an address' }))).toBeNull();
    expect(costOf(spending({ usage: { ...spending().usage, output: Number.NaN } }))).toBeNull();
  });
});

describe('cost', () => {
  it('rounds up to whole micro-dollars, and an unknown part makes the sum unknown', () => {
    const usage = { input: 1, cachedInput: 0, output: 0, reasoning: 0, estimated: false };
    expect(costAt({ input: 0.05, cachedInput: null, output: 1 }, usage)).toBe(1);
    expect(costAt({ input: 0, cachedInput: null, output: 1 }, usage)).toBe(0);
    expect([addCost(1, 2), addCost(1, null), addCost(null, 2)]).toEqual([3, null, null]);
  });

  it('is read as dollars', () => {
    expect([0, 1, 240, 12_345, 1_234_567].map(dollars)).toEqual(['$0.00', '$0.000001', '$0.00024', '$0.012', '$1.23']);
  });
});
