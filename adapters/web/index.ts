/** The web adapter: the HTTP API, and a chat page that uses it. */
import { ok } from '../../src/core/result.ts';
import type { AdapterFactory } from '../../src/ports/adapter.ts';
import { readWebConfig } from './config.ts';
import { createInbound } from './inbound.ts';
import { webLimits } from './limits.ts';
import { createOutbound } from './outbound.ts';

export const web: AdapterFactory = {
  name: 'web',
  create: (env) => {
    const config = readWebConfig(env);
    if (!config.ok) return config;
    return ok({
      name: 'web',
      limits: webLimits,
      inbound: async (deps) => ok(await createInbound(deps, config.value)),
      outbound: (deps) => Promise.resolve(ok(createOutbound(deps))),
    });
  },
};
