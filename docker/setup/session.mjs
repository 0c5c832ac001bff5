import { endCommands } from './commands.mjs';
import { createProgress } from './progress.mjs';
import { SetupFault } from './setup-fault.mjs';
import { installDependencies } from './dependencies.mjs';
import { findChromium } from './chromium.mjs';
import { findDockerEngine } from './docker-engine.mjs';
import { findRedis } from './redis.mjs';
import { findSandboxImage } from './sandbox-image.mjs';

/** Codes a shell gives to a process that a signal ended. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/**
 * Sets up what Hektor needs, gives it to `work` as environment variables, and stops what it started, however that ends.
 * Sets the exit code: what `work` resolves to, or 1 when the set-up fails.
 * Resolves to whether `work` was reached.
 *
 * @param {object} wish
 * @param {boolean} wish.needRedis
 * @param {boolean} [wish.keepRedis] its data is there again at the next start
 * @param {boolean} wish.needDocker false: go on without, with a warning
 * @param {boolean} wish.needChromium
 * @param {(env: NodeJS.ProcessEnv, tools: {onSignal: (listener: (name: NodeJS.Signals) => void) => void, step: Function}) => Promise<number>} work
 *   a signal ends the commands that run, until `work` takes signals itself by `onSignal`; `step` shows the progress of its steps
 */
export async function withSetUp(wish, work) {
  const progress = createProgress();
  const started = [];
  let interrupted;
  let pass = () => endCommands(); // until `work` takes the signals
  const interrupt = (name) => {
    interrupted = name;
    pass(name);
  };
  for (const name of Object.keys(signalCodes)) process.on(name, () => interrupt(name));
  onOrphaned(() => interrupted || interrupt('SIGTERM'));
  try {
    const env = await setUp(wish, progress, started, () => interrupted);
    const onSignal = (listener) => {
      pass = listener;
    };
    process.exitCode = await work(env, { onSignal, step: progress.step });
    return true;
  } catch (error) {
    if (!(error instanceof SetupFault)) throw error;
    process.exitCode = 1;
    if (interrupted) process.exitCode = signalCodes[interrupted];
    else report(error, progress);
    return false;
  } finally {
    pass = () => {};
    for (const stop of started.toReversed()) await stop();
  }
}

/** `npm` hands a signal to the shell that it started, and that shell dies of it without telling its child. */
function onOrphaned(listener) {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    listener();
  }, 500);
  timer.unref();
}

async function setUp(wish, { step, note }, started, interrupted) {
  const todo = async (title, work) => {
    const result = await step(title, work);
    if (interrupted()) throw new SetupFault('interrupted', 'Start it again.');
    return result;
  };
  const env = { ...process.env };

  await todo('Dependencies', installDependencies);

  let dockerEnv;
  try {
    const host = await todo('Docker engine', findDockerEngine);
    if (host) env['DOCKER_HOST'] = host;
    dockerEnv = { ...env };
    env['HEKTOR_SANDBOX_IMAGE'] = await todo('Sandbox image', (say) => findSandboxImage(dockerEnv, say));
  } catch (error) {
    if (wish.needDocker || interrupted() || !(error instanceof SetupFault)) throw error;
    report(error, { note });
    note('Going on without a sandbox: chatting works, code cannot be run.\n');
  }

  if (wish.needRedis)
    env['REDIS_URL'] = await todo('Redis', async (say) => {
      const redis = await findRedis({ keep: wish.keepRedis === true, dockerEnv }, say);
      started.push(redis.stop);
      return redis.url;
    });

  if (wish.needChromium) env['HEKTOR_CHROMIUM'] = await todo('Chromium', findChromium);
  return env;
}

function report(fault, { note }) {
  const indent = (text) => text.replace(/^/gmu, '    ');
  note(`\nSet-up: ${fault.message}.`);
  if (fault.detail) note(indent(fault.detail));
  note(`  What to do:\n${indent(fault.remedy)}\n`);
}
