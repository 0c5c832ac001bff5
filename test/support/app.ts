/** The whole program as a process of its own, on a free port, with the practice model unless the test says otherwise. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');
/** What `npm start` tells Node about its memory: the program is tested and measured as it is run. */
const NODE_FLAGS = /"start": "([^"]+)"/
  .exec(readFileSync(resolve(root, 'package.json'), 'utf8'))![1]!
  .split(' ')
  .filter((word) => /^--(max|heap)-/.test(word));

export type App = AsyncDisposable & {
  readonly url: string;
  readonly process: ChildProcess;
  /** Every log line so far. */
  readonly logs: () => readonly string[];
  /** SIGTERM, and waits for the end. */
  readonly stop: () => Promise<number | null>;
  /** SIGKILL, as in a power cut. */
  readonly kill: () => Promise<void>;
};

export type AppOptions = { readonly redisUrl: string; readonly env?: Readonly<Record<string, string>>; readonly args?: readonly string[] };

/** Starts the program and waits until it says that it is ready. Rejects with its output where it ends before. */
export const startApp = async ({ redisUrl, env = {}, args = [] }: AppOptions): Promise<App> => {
  const child = spawn(process.execPath, [...NODE_FLAGS, 'src/app/main.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DOCKER_HOST: process.env['DOCKER_HOST'],
      HEKTOR_SANDBOX_IMAGE: process.env['HEKTOR_SANDBOX_IMAGE'] ?? 'hektor-sandbox:dev',
      REDIS_URL: redisUrl,
      PORT: '0',
      HEKTOR_PRACTICE: 'on',
      HEKTOR_SANDBOX_POOL: '1',
      ...env,
    },
  });
  const lines: string[] = [];
  const ended = once(child, 'exit');
  const url = await new Promise<string>((found, failed) => {
    const read = (line: string): void => {
      lines.push(line);
      const ready = /"listening":"([^"]+)".*"msg":"Hektor is ready"/.exec(line);
      if (ready?.[1] !== undefined) found(`http://${ready[1]}`);
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', read);
    void ended.then(([code]) => failed(new Error(`the program ended with ${String(code)}:\n${lines.join('\n')}`)));
  });
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return {
    url,
    process: child,
    logs: () => lines,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    [Symbol.asyncDispose]: async () => {
      await end('SIGTERM');
    },
  };
};
