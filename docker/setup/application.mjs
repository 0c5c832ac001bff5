import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a program in the foreground, as the shell would: it has the terminal, and signals reach it.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.env
 * @param {(listener: (name: NodeJS.Signals) => void) => void} options.onSignal
 * @returns {Promise<number>} its exit code
 */
export function runInForeground(command, args, { cwd, env, onSignal }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' });
    let signals = 0;
    onSignal((name) => {
      signals++;
      // Ctrl-C is sent by the terminal to the program as well; a second copy would mean "at once".
      if (name !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(name);
      if (signals >= 3) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
