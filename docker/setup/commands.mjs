import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { SetupFault } from './setup-fault.mjs';

const running = new Set();
const tailLines = 20;

/**
 * Runs a command to its end. Never throws for what the command does: the caller reads `ok`.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env] the whole environment
 * @param {number} [options.timeoutMs] ended by force after this
 * @param {number} [options.silenceMs] ended by force when it has printed nothing by then
 * @param {(line: string) => void} [options.onLine] told of each line it prints
 * @param {import('node:stream').Readable} [options.input]
 * @returns {Promise<{ok: boolean, stdout: string, tail: string, reason: string}>}
 *   `tail` is the end of both streams together; `reason` says why it failed.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const { cwd, env, timeoutMs, silenceMs, onLine, input } = options;
    const child = spawn(command, args, { cwd, env, stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'] });
    running.add(child);
    const lines = [];
    let stdout = '';
    let reason = '';
    const end = (why) => {
      reason = why;
      child.kill('SIGKILL');
    };
    const timer = timeoutMs && setTimeout(() => end(`took longer than ${Math.round(timeoutMs / 1000)} s`), timeoutMs);
    const silence = silenceMs && setTimeout(() => end(`no answer for ${Math.round(silenceMs / 1000)} s`), silenceMs);
    const hear = (chunk) => {
      clearTimeout(silence);
      for (const line of stripVTControlCharacters(chunk).split(/[\r\n]+/u)) {
        if (line.trim() === '') continue;
        lines.push(line);
        if (lines.length > tailLines) lines.shift();
        onLine?.(line.trim());
      }
    };
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
      hear(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', hear);
    if (input) {
      child.stdin.on('error', () => {}); // the command's own exit tells why it stopped reading
      input.pipe(child.stdin);
    }
    const finish = (ok, why) => {
      clearTimeout(timer);
      clearTimeout(silence);
      running.delete(child);
      resolve({ ok, stdout, tail: lines.join('\n'), reason: reason || why });
    };
    child.on('error', (error) => finish(false, error.message));
    child.on('close', (code, signal) => finish(code === 0 && reason === '', signal ? `ended by ${signal}` : `exit code ${code}`));
  });
}

/** Like `run`, but a failure becomes a SetupFault with the given remedy. Resolves to what it printed on stdout. */
export async function mustRun(command, args, { remedy, ...options }) {
  const result = await run(command, args, options);
  if (!result.ok) throw new SetupFault(`\`${[command, ...args.slice(0, 2)].join(' ')}\` failed: ${result.reason}`, remedy, result.tail);
  return result.stdout;
}

/** Ends the commands that run now; for when the set-up is interrupted. */
export function endCommands() {
  for (const child of running) child.kill('SIGTERM');
}

/** The path of a program, or undefined where there is none. Looks where Debian keeps its daemons, too. */
export function findProgram(name) {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  for (const folder of folders) {
    try {
      const path = join(folder, name);
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // the next folder
    }
  }
  return undefined;
}
