import { startStandIn } from './stand-in.mjs';

/**
 * A small Discord on this machine for `npm run try -- --discord`, and the settings by which Hektor speaks to it.
 * Settings for a real server are put aside for this run, so that it cannot reach one.
 *
 * @param {NodeJS.ProcessEnv} env changed in place
 * @returns {Promise<{page: string, stop: () => Promise<void>}>}
 */
export async function useDiscordStandIn(env) {
  const { told, stop } = await startStandIn('test/servers/discord/main.ts', ['--port=3020']);
  for (const name of Object.keys(env)) if (name.startsWith('DISCORD_')) delete env[name];
  env['DISCORD_API_URL'] = told['apiUrl'];
  env['DISCORD_TOKEN'] = told['token'];
  env['DISCORD_CDN_HOSTS'] = told['cdnHost'];
  return { page: told['pageUrl'], stop };
}
