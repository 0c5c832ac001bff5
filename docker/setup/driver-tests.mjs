import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { run } from './commands.mjs';
import { projectDir } from './project.mjs';
import { countUnittest } from './test-counts.mjs';

const script =
  'mkdir -p /tmp/t/hektor_driver && tar -x -C /tmp/t/hektor_driver && cd /tmp/t && exec python3 -s -m unittest discover -v -s hektor_driver -t . -p "test_*.py"';

/**
 * Runs the sandbox driver's own tests in a container of the sandbox image. The driver travels by standard input, since a
 * bind mount would not exist for an engine on another machine.
 *
 * @param {NodeJS.ProcessEnv} env with HEKTOR_SANDBOX_IMAGE
 * @returns {Promise<import('./test-counts.mjs').Counts>}
 */
export async function runDriverTests(env) {
  const pack = spawn('tar', ['-C', join(projectDir, 'docker', 'sandbox', 'driver'), '--exclude', '__pycache__', '-c', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const args = [
    'run',
    '--rm',
    '--interactive',
    '--network',
    'none',
    '--memory',
    '1g',
    '--tmpfs',
    '/tmp:rw,exec',
    '--env',
    'PYTHONPATH=/tmp/t',
  ];
  const lines = [];
  const result = await run('docker', [...args, '--entrypoint', '/bin/sh', env['HEKTOR_SANDBOX_IMAGE'], '-c', script], {
    env,
    input: pack.stdout,
    timeoutMs: 1_800_000,
    onLine: (line) => {
      lines.push(line);
      process.stdout.write(`  ${line}\n`);
    },
  });
  if (!result.ok) process.stdout.write(`  the driver's tests: ${result.reason}\n`);
  return countUnittest(lines.join('\n'), result.ok);
}
