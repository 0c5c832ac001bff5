/** The Discord adapter: discord.js's gateway client in the gateway process, its REST half in both. */
import { ok } from '../../src/core/result.ts';
import type { AdapterFactory } from '../../src/ports/adapter.ts';
import { readDiscordConfig } from './config.ts';
import { inviteText } from './invite.ts';
import { discordLimits } from './limits.ts';

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
      // Discord's packages are large: a process loads them only for the half that it starts.
      inbound: async (deps) => ok(await (await import('./inbound.ts')).createInbound(deps, value)),
      outbound: async (deps) => (await import('./outbound.ts')).createOutbound(deps, value),
      check: async (deps) => (await import('./check.ts')).checkDiscord(value, deps),
    });
  },
  install: inviteText,
};
