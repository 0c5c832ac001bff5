/** The Slack adapter, on Slack's own packages: Socket Mode or signed HTTP, one workspace or many. */
import { ok } from '../../src/core/result.ts';
import type { AdapterFactory } from '../../src/ports/adapter.ts';
import { checkSlack } from './check.ts';
import { readManifestWish, readSlackConfig } from './config.ts';
import { createInbound } from './inbound.ts';
import { slackLimits } from './limits.ts';
import { manifestText } from './manifest.ts';
import { createOutbound } from './outbound.ts';

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
      inbound: async (deps) => ok(await createInbound(deps, value)),
      outbound: (deps) => Promise.resolve(ok(createOutbound(deps, value))),
      check: (deps) => checkSlack(value, deps),
    });
  },
  install: (env) => {
    const wish = readManifestWish(env);
    return wish.ok ? ok(manifestText(wish.value)) : wish;
  },
};
