/** What one request to the model used, over all its attempts. */
import type { Usage } from '../core/conversation.ts';
import { addCost, addUsage } from '../core/cost.ts';
import type { Spending } from '../core/cost.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Prices } from '../ports/prices.ts';

/** `usage` null: nothing was used, or nobody knows. `costMicros` null: unknown. */
export type Spent = { readonly usage: Usage | null; readonly costMicros: number | null };

export type Priced = Spending & { readonly costMicros: number | null };

/** The spendings with their prices, counted in the metrics. */
export const price = (deps: { readonly prices: Prices; readonly metrics: Metrics }, spendings: readonly Spending[]): readonly Priced[] =>
  spendings.map((spending) => {
    const { model, usage } = spending;
    const costMicros = deps.prices.costOf(spending);
    deps.metrics.count('hektor_tokens_total', { model, type: 'input' }, usage.input);
    deps.metrics.count('hektor_tokens_total', { model, type: 'output' }, usage.output);
    if (costMicros === null) deps.metrics.count('hektor_cost_unknown_total', { model });
    else deps.metrics.count('hektor_cost_micros_total', { model }, costMicros);
    return { ...spending, costMicros };
  });

export const sumUp = (priced: readonly Priced[]): Spent =>
  priced.length === 0
    ? { usage: null, costMicros: null }
    : {
        usage: priced.reduce<Usage | null>((sum, one) => addUsage(sum, one.usage), null),
        costMicros: priced.reduce<number | null>((sum, one) => addCost(sum, one.costMicros), 0),
      };
