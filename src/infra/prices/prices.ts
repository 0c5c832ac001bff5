/** Prices by the table of `@pydantic/genai-prices`, which is part of the package: nothing is fetched. */
import { calcPrice } from '@pydantic/genai-prices';
import { costAt, toMicros } from '../../core/cost.ts';
import type { Price, Spending } from '../../core/cost.ts';
import type { Prices } from '../../ports/prices.ts';

/** `table`: the operator's own prices, by the name a model is asked for or answers by. */
export const createPrices = (table: ReadonlyMap<string, Price>): Prices => ({
  costOf: (spending) => {
    if (spending.costMicros !== null) return spending.costMicros;
    const own = table.get(spending.model) ?? table.get(spending.answered);
    if (own !== undefined) return costAt(own, spending.usage);
    return publicCost(spending, spending.answered) ?? publicCost(spending, spending.model);
  },
});

/** A server whose address is not known has no public price, whatever its models are called: it may be anybody's. */
const publicCost = ({ usage, server }: Spending, model: string): number | null => {
  try {
    const found = calcPrice(
      { input_tokens: usage.input, cache_read_tokens: Math.min(usage.cachedInput, usage.input), output_tokens: usage.output },
      model,
      { providerApiUrl: server },
    );
    return found === null ? null : toMicros(found.total_price);
  } catch {
    return null; // the package refuses counts that make no sense
  }
};
