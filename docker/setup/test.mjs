// `npm test`: sets up what is missing and runs every check and test. `npm test -- test/core` runs those test files alone.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runInForeground } from './application.mjs';
import { listChecks } from './checks.mjs';
import { pinnedNode } from './dependencies.mjs';
import { runDriverTests } from './driver-tests.mjs';
import { projectDir } from './project.mjs';
import { withSetUp } from './session.mjs';
import { countVitest } from './test-counts.mjs';

const filters = process.argv.slice(2);
const binDir = join(projectDir, 'node_modules', '.bin');

/** Settings of the person's own bot must not reach a test: it could speak to real accounts. */
const foreign = /^(?:SLACK|DISCORD|OPENAI|BRAVE|HEKTOR)_|^(?:PORT|LOG_LEVEL)$/u;
const kept = ['HEKTOR_SANDBOX_IMAGE', 'HEKTOR_CHROMIUM'];

function testEnvironment(env) {
  const own = Object.entries(env).filter(([name]) => kept.includes(name) || !foreign.test(name));
  return { ...Object.fromEntries(own), PATH: [binDir, env['PATH'] ?? ''].join(delimiter) };
}

async function runAll(setUpEnv, { onSignal }) {
  const env = testEnvironment(setUpEnv);
  const results = [];
  let stopped = false;
  const foreground = (command, args) =>
    runInForeground(command, args, {
      cwd: projectDir,
      env,
      onSignal: (pass) =>
        onSignal((name) => {
          stopped = true;
          pass(name);
        }),
    });
  const part = async (title, work) => {
    if (stopped) return;
    process.stdout.write(`\n== ${title}\n`);
    const started = Date.now();
    const counts = await work();
    results.push({ title, seconds: Math.round((Date.now() - started) / 1000), ...counts });
  };

  if (filters.length === 0) {
    for (const [command, ...args] of listChecks()) {
      await part([command, ...args].join(' '), async () => {
        const ok = (await foreground(join(binDir, command), args)) === 0;
        return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
      });
    }
  }
  await part('vitest', () => runVitest(foreground));
  if (filters.length === 0) await part("the sandbox driver's tests", () => runDriverTests(env));

  process.stdout.write('\n');
  for (const { title, seconds, passed, failed } of results) {
    process.stdout.write(`${failed === 0 ? '✓' : '✗'} ${title}: ${passed} passed, ${failed} failed (${seconds} s)\n`);
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const failed = sum('failed') + (stopped ? 1 : 0);
  process.stdout.write(`${stopped ? 'stopped before the end\n' : ''}${sum('passed')} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

async function runVitest(foreground) {
  const folder = mkdtempSync(join(tmpdir(), 'hektor-test-'));
  const report = join(folder, 'report.json');
  try {
    const vitest = join(projectDir, 'node_modules', 'vitest', 'vitest.mjs');
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...filters];
    const ok = (await foreground(pinnedNode, [vitest, ...args])) === 0;
    return countVitest(readIfThere(report), ok);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

const reached = await withSetUp({ needRedis: true, needDocker: true, needChromium: true }, runAll);
if (!reached) process.stdout.write('0 passed, 1 failed\n');
