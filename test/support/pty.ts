/** A program behind a real pseudo-terminal (`script` of util-linux, on every Debian), or behind pipes. */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';

export type Running = AsyncDisposable & {
  readonly type: (keys: string) => void;
  /** Waits until the output after what was seen before matches, and resolves with the output up to there. */
  readonly see: (pattern: RegExp) => Promise<string>;
  readonly end: () => void;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
};
export type Start = { readonly cwd: string; readonly env?: { readonly [name: string]: string } };

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

export const onTerminal = (command: readonly string[], { cwd, env = {} }: Start): Running =>
  watched(
    spawn('script', ['-qefc', `stty rows 40 cols 100; exec ${command.map(quoted).join(' ')}`, '/dev/null'], {
      cwd,
      env: { ...process.env, TERM: 'xterm-256color', NO_COLOR: '', ...env },
    }),
  );

export const onPipes = ([program = '', ...args]: readonly string[], { cwd, env = {} }: Start): Running =>
  watched(spawn(program, args, { cwd, env: { ...process.env, ...env } }));

const watched = (child: ChildProcessWithoutNullStreams): Running => {
  let output = '';
  let seen = 0;
  let look = (): void => undefined;
  const hear = (chunk: Buffer): void => {
    output += chunk.toString();
    look();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  child.stdin.on('error', () => undefined);
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => {
      look();
      resolve({ code, output });
    });
  });
  return {
    ended,
    type: (keys) => void child.stdin.write(keys),
    end: () => child.stdin.end(),
    see: (pattern) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`did not see ${pattern} in ${JSON.stringify(output.slice(seen))}`)), 30_000);
        look = () => {
          const found = pattern.exec(output.slice(seen));
          if (found === null) return;
          look = () => undefined;
          clearTimeout(late);
          const text = output.slice(seen, seen + found.index + found[0].length);
          seen += found.index + found[0].length;
          resolve(text);
        };
        look();
      }),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
};
