// `npm run try`: sets up what is missing and starts Hektor in one process, with the settings of the environment and `.env`.
// Without a model the built-in practice model answers. `--slack` and `--discord` start a small Slack or Discord beside it, with a page
// of its own, so that no account is needed. Other arguments are passed on to src/app/main.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runInForeground } from './application.mjs';
import { showPageWhenReady } from './browser.mjs';
import { pinnedNode } from './dependencies.mjs';
import { useDiscordStandIn } from './discord-stand-in.mjs';
import { projectDir } from './project.mjs';
import { withSetUp } from './session.mjs';
import { useSlackStandIn } from './slack-stand-in.mjs';

const standIns = [
  { flag: '--slack', name: 'The Slack stand-in', use: useSlackStandIn },
  { flag: '--discord', name: 'The Discord stand-in', use: useDiscordStandIn },
];
const wanted = standIns.filter(({ flag }) => process.argv.includes(flag));
const args = process.argv.slice(2).filter((arg) => !standIns.some(({ flag }) => flag === arg));
const settingsFile = join(projectDir, '.env');
if (existsSync(settingsFile)) process.loadEnvFile(settingsFile); // what is in the environment already wins

await withSetUp({ needRedis: true, keepRedis: true, needDocker: false, needChromium: false }, async (env, { onSignal }) => {
  env['HEKTOR_PRACTICE'] ||= 'on';
  const started = [];
  for (const { name, use } of wanted) started.push({ name, ...(await use(env)) });
  if (!args.some((arg) => arg.includes('terminal'))) void showPageWhenReady(env, started);
  let asked = false;
  try {
    const code = await runInForeground(pinnedNode, ['src/app/main.ts', ...args], {
      cwd: projectDir,
      env,
      onSignal: (pass) =>
        onSignal((name) => {
          asked = true;
          pass(name);
        }),
    });
    if (code !== 0 && !asked) process.stderr.write(`\nHektor ended with code ${code}. Threads are kept: npm run try goes on with them.\n`);
    return code;
  } finally {
    for (const { stop } of started) await stop();
  }
});
