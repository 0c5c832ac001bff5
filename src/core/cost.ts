/** What requests to models cost: in micro-dollars, as integers. Unknown is null and stays unknown; it is never 0. Pure. */
import type { Usage } from './conversation.ts';

/** What one attempt at a reply used, whether the reply came or not. */
export type Spending = {
  /** The name the model was asked for by, and the name it answered by. */
  readonly model: string;
  readonly answered: string;
  /** The address of its server, without credentials. */
  readonly server: string;
  readonly usage: Usage;
  /** What the server itself said that this cost. */
  readonly costMicros: number | null;
};

/** Dollars for a million tokens, which is the same as micro-dollars for one. `cachedInput` null: cached tokens cost as much as others. */
export type Price = { readonly input: number; readonly cachedInput: number | null; readonly output: number };

/** The cost at a price. What was not free is at least one micro-dollar. */
export const costAt = (price: Price, usage: Usage): number => {
  const cached = Math.min(usage.cachedInput, usage.input);
  return toMicros(((usage.input - cached) * price.input + cached * (price.cachedInput ?? price.input) + usage.output * price.output) / 1e6);
};

/** Dollars -> micro-dollars, rounded up; the small subtrahend undoes what binary fractions add. */
export const toMicros = (dollars: number): number => Math.ceil(Math.max(0, dollars * 1e6 - 1e-6));

/** A sum with an unknown part is unknown. */
export const addCost = (sum: number | null, one: number | null): number | null => (sum === null || one === null ? null : sum + one);

export const addUsage = (sum: Usage | null, one: Usage | null): Usage | null =>
  sum === null || one === null
    ? (one ?? sum)
    : {
        input: sum.input + one.input,
        cachedInput: sum.cachedInput + one.cachedInput,
        output: sum.output + one.output,
        reasoning: sum.reasoning + one.reasoning,
        estimated: sum.estimated || one.estimated,
      };

/** As people read it: `$0.0123`. Small sums keep two digits that say something. */
export const dollars = (micros: number): string => {
  const value = micros / 1e6;
  return `$${value === 0 || value >= 0.1 ? value.toFixed(2) : value.toFixed(Math.min(6, 1 - Math.floor(Math.log10(value))))}`;
};
