/**
 * The program. The only file that touches the environment, signals and exit.
 * Arguments: `--adapters=web,terminal` listens for these only. Then it ends: `--doctor` examines the set-up, `--install=slack` prints what
 * installs the bot there, `--requeue=slack` puts back the deliveries that were given up.
 * For the terminal: `--new` begins a new thread, `--thread=ID` goes on in that one; without either it goes on in the last.
 */
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { forOperator } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { createLog } from '../infra/pino/log.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { examine, toLines } from './doctor.ts';
import { startGatewayHalf } from './gateway-half.ts';
import { installText, requeue } from './operator.ts';
import { layFoundation } from './wire.ts';
import { startWorkerHalf } from './worker-half.ts';

const readArgs = () => {
  try {
    const options = {
      adapters: { type: 'string' },
      new: { type: 'boolean' },
      thread: { type: 'string' },
      doctor: { type: 'boolean' },
      install: { type: 'string' },
      requeue: { type: 'string' },
    } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(`Hektor cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
    return process.exit(64); // EX_USAGE
  }
};
const args = readArgs();
const only = args.adapters === undefined ? undefined : new Set(args.adapters.split(',').map((name) => name.trim()));
const thread = args.new === true ? 'new' : args.thread;
/** Arguments are settings too, and win. */
const env = {
  ...process.env,
  // A prompt must start beside a server that runs already, so its own HTTP side takes any free port unless told otherwise.
  ...(only?.has('terminal') === true ? { HEKTOR_TERMINAL: '1', PORT: process.env['PORT'] ?? '0' } : {}),
  ...(thread === undefined ? {} : { HEKTOR_TERMINAL_THREAD: thread }),
};

/** The terminal belongs to the person, so its process logs to a file that only they can read. */
const logFile = (path: string): WriteStream => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return createWriteStream(path, { flags: 'a', mode: 0o600 });
};

/** A fault of the set-up: said plainly, without a stack trace; every problem on its own line. */
const refuse = (why: Failure): never => {
  const problems = why.code === 'config-invalid' ? why.problems : [`${forOperator(why)}${why.detail === '' ? '' : `: ${why.detail}`}`];
  process.stderr.write(`Hektor cannot start:\n${problems.map((problem) => `  - ${problem}\n`).join('')}`);
  return process.exit(78); // EX_CONFIG: a supervisor should not try again at once
};

const runDoctor = async (settings: Config): Promise<never> => {
  const findings = await examine(settings, env, createLog({ level: 'silent' }));
  process.stdout.write(
    `What the environment and .env set up (npm run try brings a Redis, an image and a practice model of its own):\n${toLines(findings).join('\n')}\n`,
  );
  return process.exit(findings.some((finding) => finding.kind === 'fault') ? 1 : 0);
};

const printInstall = (name: string): never => {
  const text = installText(name, env);
  if (!text.ok) return refuse(text.failure);
  process.stdout.write(`${text.value.trimEnd()}\n`);
  return process.exit(0);
};
if (args.install !== undefined) printInstall(args.install);

const runRequeue = async (name: string, settings: Config): Promise<never> => {
  const back = await requeue(name, settings.redisUrl, createLog({ level: 'warn' }));
  if (!back.ok) return refuse(back.failure);
  process.stdout.write(`${back.value} put back into the in-tray of ${name}.\n`);
  return process.exit(0);
};

const readFile = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

const config = readConfig(env, readFile);
if (!config.ok) refuse(config.failure);
else if (args.doctor === true) await runDoctor(config.value);
else if (args.requeue !== undefined) await runRequeue(args.requeue, config.value);
else {
  const onScreen = only?.has('terminal') !== true;
  const log = createLog({ level: config.value.logLevel, ...(onScreen ? {} : { destination: logFile('.hektor/hektor.log') }) });

  process.on('uncaughtException', (error) => {
    log.error({ error: error.stack }, 'a bug reached the top; ending so that a fresh process takes over');
    process.exit(70);
  });
  process.on('unhandledRejection', (reason) => {
    log.error(
      { error: reason instanceof Error ? reason.stack : String(reason) },
      'a rejection that nothing handled; ending so that a fresh process takes over',
    );
    process.exit(70);
  });

  const stack = new AsyncDisposableStack();
  let stopping = false;
  const stop = async (exitCode: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({}, 'stopping');
    // Whatever hangs must not keep the process: what is unfinished is journalled and goes on elsewhere.
    setTimeout(() => process.exit(1), 30_000).unref();
    await stack.disposeAsync();
    process.exit(exitCode);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      void stop(0);
    });
  }

  const base = await layFoundation(config.value, env, log);
  if (!base.ok) refuse(base.failure);
  else {
    stack.use(base.value);
    const { role } = config.value;
    const worker = role === 'gateway' ? null : await startWorkerHalf(base.value);
    if (worker !== null && !worker.ok) refuse(worker.failure);
    const sandbox = worker !== null && worker.ok ? stack.use(worker.value).sandbox : null;
    const gateway = await startGatewayHalf(base.value, role === 'worker' ? new Set() : only, sandbox, (code) => void stop(code));
    if (!gateway.ok) refuse(gateway.failure);
    else {
      stack.use(gateway.value);
      log.info({ role, listening: `${config.value.http.host}:${gateway.value.http.port}` }, 'Hektor is ready');
    }
  }
}
