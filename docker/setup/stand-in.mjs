import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pinnedNode } from './dependencies.mjs';
import { projectDir } from './project.mjs';
import { SetupFault } from './setup-fault.mjs';

/**
 * Starts a stand-in for a platform as a process of its own. It writes one line of JSON, its addresses and tokens, when it is ready,
 * and ends when its standard input closes, so that it never outlives who started it.
 *
 * @param {string} script
 * @param {readonly string[]} [args]
 * @returns {Promise<{told: Record<string, string>, stop: () => Promise<void>}>}
 */
export async function startStandIn(script, args = []) {
  // Apart from the terminal's group: Ctrl-C is for Hektor, which still says its last words to the stand-in.
  const child = spawn(pinnedNode, [script, ...args], { cwd: projectDir, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const ended = new Promise((resolve) => {
    child.on('exit', resolve);
    child.on('error', resolve);
  });
  const line = await Promise.race([
    new Promise((resolve) => {
      createInterface({ input: child.stdout }).once('line', resolve);
    }),
    ended.then(() => undefined),
  ]);
  if (line === undefined) throw new SetupFault(`The stand-in ${script} did not start`, 'Look at what it said above.');
  return {
    told: JSON.parse(line),
    stop: async () => {
      child.stdin.end();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
