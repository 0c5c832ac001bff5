/** The Discord adapter: discord.js's gateway client in the gateway process, its REST half in both. */
import { ok } from '../../src/core/result.ts';
import type { AdapterFactory } from '../../src/ports/adapter.ts';
import { checkDiscord } from './check.ts';
import { readDiscordConfig } from './config.ts';
import { createInbound } from './inbound.ts';
import { inviteText } from './invite.ts';
import { discordLimits } from './limits.ts';
import { createOutbound } from './outbound.ts';

export const discord: AdapterFactory = {
  name: 'discord',
  create: (env) => {
    const config = readDiscordConfig(env);
    if (!config.ok) return config;
    const { value } = config;
    if (value === null) return ok(null);
    return ok({
      name: 'discord',
      limits: discordLimits,
      inbound: async (deps) => ok(await createInbound(deps, value)),
      outbound: (deps) => Promise.resolve(createOutbound(deps, value)),
      check: (deps) => checkDiscord(value, deps),
    });
  },
  install: inviteText,
};
