import { describe, expect, it } from 'vitest';
import { entrySchema } from '../../src/core/conversation.ts';
import type { Spending } from '../../src/core/cost.ts';
import { createPrices } from '../../src/infra/prices/prices.ts';
import { createMetrics } from '../../src/infra/telemetry/metrics.ts';
import { price, sumUp } from '../../src/turn/spent.ts';

const spending = (model: string, costMicros: number | null = null): Spending => ({
  model,
  answered: model,
  server: 'http://127.0.0.1:1/v1',
  usage: { input: 10, cachedInput: 0, output: 2, reasoning: 0, estimated: false },
  costMicros,
});
const deps = () => ({ prices: createPrices(new Map([['priced', { input: 1, cachedInput: null, output: 5 }]])), metrics: createMetrics() });

describe('what a request used', () => {
  it('is the sum over its attempts; one of unknown cost makes the cost unknown', () => {
    expect(sumUp(price(deps(), [spending('priced'), spending('priced', 7)]))).toMatchObject({
      usage: { input: 20, output: 4 },
      costMicros: 27,
    });
    expect(sumUp(price(deps(), [spending('priced'), spending('local')]))).toMatchObject({ usage: { input: 20 }, costMicros: null });
    expect(sumUp([])).toEqual({ usage: null, costMicros: null });
  });

  it('is counted by model; an unknown cost is counted as unknown, never as 0', async () => {
    const { metrics, prices } = deps();
    price({ metrics, prices }, [spending('priced'), spending('local'), spending('local')]);
    const text = await metrics.text();
    expect(text).toContain('hektor_tokens_total{model="local",type="input"} 20');
    expect(text).toContain('hektor_cost_micros_total{model="priced"} 20');
    expect(text).toContain('hektor_cost_unknown_total{model="local"} 2');
    expect(text).not.toContain('hektor_cost_micros_total{model="local"}');
  });

  it('is unknown for answers that were stored before there were prices', () => {
    const old = { kind: 'answered', at: 1, turn: 't', message: 't', text: 'x', files: [], status: 'complete', failure: null, model: 'm' };
    expect(entrySchema.parse({ ...old, usage: null, prompts: [] })).toMatchObject({ costMicros: null });
  });
});
