import type { Spending } from '../core/cost.ts';

/**
 * What a spending cost, in micro-dollars: as the server said; else by the operator's own table; else by the table of public prices for the
 * server's address; else null, for unknown. Never throws.
 */
export type Prices = { readonly costOf: (spending: Spending) => number | null };
