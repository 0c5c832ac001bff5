import type { Price } from '../core/cost.ts';
import type { ConfigFile } from './config-file.ts';

/** The operator's own prices, by the name a model has on its server. */
export const ownPrices = (file: ConfigFile): ReadonlyMap<string, Price> =>
  new Map(
    file.models.flatMap(({ model, price }) =>
      price === undefined ? [] : [[model, { input: price.inputPerMillion, cachedInput: null, output: price.outputPerMillion }] as const],
    ),
  );
