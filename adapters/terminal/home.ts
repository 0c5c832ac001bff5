/** The folder of the terminal: which thread it is in, what was typed, and files that runs made. Readable by its owner only. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { safeFileName } from '../../src/core/snapshot.ts';
import type { Log } from '../../src/ports/log.ts';
import { HISTORY_LINES } from './limits.ts';

/** Nothing rejects: what cannot be read is as if it were not there, and what cannot be written is logged. */
export type Home = {
  readonly thread: () => Promise<string | undefined>;
  readonly rememberThread: (id: string) => Promise<void>;
  /** Newest first. */
  readonly history: () => Promise<readonly string[]>;
  readonly rememberHistory: (lines: readonly string[]) => Promise<void>;
  /** The path of the saved file; undefined where it could not be written. */
  readonly save: (thread: string, name: string, bytes: Uint8Array | string) => Promise<string | undefined>;
};

const stateSchema = z.object({ thread: z.string().min(1).max(200) });

export const createHome = (folder: string, log: Log): Home => {
  const threadFile = join(folder, 'terminal.json');
  const historyFile = join(folder, 'terminal-history');
  const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
  let writes = Promise.resolve();

  /** Whole or not at all, one after the other. */
  const write = (path: string, content: Uint8Array | string): Promise<boolean> => {
    const done = writes.then(async () => {
      try {
        await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
        await writeFile(`${path}.new`, content, { mode: 0o600 });
        await rename(`${path}.new`, path);
        return true;
      } catch (error) {
        log.warn({ error: error instanceof Error ? error.message : String(error) }, 'a file of the terminal could not be written');
        return false;
      }
    });
    writes = done.then(() => undefined);
    return done;
  };

  return {
    thread: async () => {
      try {
        return stateSchema.parse(JSON.parse(await read(threadFile))).thread;
      } catch {
        return undefined;
      }
    },
    rememberThread: async (id) => void (await write(threadFile, `${JSON.stringify({ thread: id })}\n`)),
    history: async () =>
      (await read(historyFile))
        .split('\n')
        .filter((line) => line !== '')
        .slice(0, HISTORY_LINES),
    rememberHistory: async (lines) =>
      void (await write(
        historyFile,
        lines
          .slice(0, HISTORY_LINES)
          .map((line) => `${line}\n`)
          .join(''),
      )),
    save: async (thread, name, bytes) => {
      const path = join(folder, 'files', safeFileName(thread), safeFileName(name));
      return (await write(path, bytes)) ? path : undefined;
    },
  };
};
