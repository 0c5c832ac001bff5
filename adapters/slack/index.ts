/** The Slack adapter, on Slack's own packages: Socket Mode or signed HTTP, one workspace or many. */
import { ok } from '../../src/core/result.ts';
import type { AdapterFactory } from '../../src/ports/adapter.ts';
import { readManifestWish, readSlackConfig } from './config.ts';
import { slackLimits } from './limits.ts';
import { manifestText } from './install/manifest.ts';

export const slack: AdapterFactory = {
  name: 'slack',
  create: (env) => {
    const config = readSlackConfig(env);
    if (!config.ok) return config;
    const { value } = config;
    if (value === null) return ok(null);
    return ok({
      name: 'slack',
      limits: slackLimits,
      // Slack's packages are large: a process loads them only for the half that it starts.
      inbound: async (deps) => ok(await (await import('./inbound.ts')).createInbound(deps, value)),
      outbound: async (deps) => ok((await import('./outbound.ts')).createOutbound(deps, value)),
      check: async (deps) => (await import('./install/check.ts')).checkSlack(value, deps),
    });
  },
  install: (env) => {
    const wish = readManifestWish(env);
    return wish.ok ? ok(manifestText(wish.value)) : wish;
  },
};
