import { startStandIn } from './stand-in.mjs';

/**
 * A small Slack on this machine for `npm run try -- --slack`, and the settings by which Hektor speaks to it.
 * Settings for a real workspace are put aside for this run, so that it cannot reach one.
 *
 * @param {NodeJS.ProcessEnv} env changed in place
 * @returns {Promise<{page: string, stop: () => Promise<void>}>}
 */
export async function useSlackStandIn(env) {
  const { told, stop } = await startStandIn('test/servers/slack/main.ts', ['--port=3010']);
  for (const name of Object.keys(env)) if (name.startsWith('SLACK_')) delete env[name];
  env['SLACK_API_URL'] = told['apiUrl'];
  env['SLACK_BOT_TOKEN'] = told['botToken'];
  env['SLACK_APP_TOKEN'] = told['appToken'];
  return { page: told['pageUrl'], stop };
}
