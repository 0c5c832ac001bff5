// `npm run bench -- sandbox`: sets up what is missing and runs the benchmarks of test/bench, all or those that are named.
import { runInForeground } from './application.mjs';
import { pinnedNode } from './dependencies.mjs';
import { projectDir } from './project.mjs';
import { withSetUp } from './session.mjs';

const args = process.argv.slice(2);
await withSetUp({ needRedis: true, needDocker: true, needChromium: false }, (env, { onSignal }) =>
  runInForeground(pinnedNode, ['test/bench/main.ts', ...args], { cwd: projectDir, env, onSignal }),
);
