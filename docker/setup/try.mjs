// `npm run try`: sets up what is missing and starts Hektor in one process. Arguments are passed on to src/app/main.ts.
import { runInForeground } from './application.mjs';
import { openPageWhenReady } from './browser.mjs';
import { pinnedNode } from './dependencies.mjs';
import { projectDir } from './project.mjs';
import { withSetUp } from './session.mjs';

const args = process.argv.slice(2);

await withSetUp({ needRedis: true, keepRedis: true, needDocker: false, needChromium: false }, (env, { onSignal }) => {
  if (!args.some((arg) => arg.includes('terminal'))) void openPageWhenReady(env);
  return runInForeground(pinnedNode, ['src/app/main.ts', ...args], { cwd: projectDir, env, onSignal });
});
