/**
 * Reads a page in a thread of its own, with a limit on time and memory: a page or PDF made to keep its reader busy costs that thread,
 * not the turns of everybody else.
 */
import { Worker } from 'node:worker_threads';
import type { Page, Reading } from './reading.ts';
import { readingSchema, unreadable } from './reading.ts';

const READ_MS = 10_000;
const MEMORY_MB = 256;

/** Never rejects. */
export const readInThread = ({ url, type, charset, body }: Page, signal: AbortSignal): Promise<Reading> =>
  new Promise((resolve) => {
    const page: Page = { url, type, charset, body };
    const worker = new Worker(new URL('thread.ts', import.meta.url), {
      workerData: page,
      // No environment: what reads strangers' pages needs no secret.
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: 4 },
    });
    const done = (reading: Reading): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(reading);
      void worker.terminate();
    };
    const stop = (): void => done(unreadable('reading it was stopped.'));
    const timer = setTimeout(() => done(unreadable('reading it took too long.')), READ_MS);
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', (message: unknown) => {
      const reading = readingSchema.safeParse(message);
      done(reading.success ? reading.data : unreadable('it could not be read.'));
    });
    worker.once('error', () => done(unreadable('it is too large or too intricate to be read.')));
    worker.once('exit', () => done(unreadable('it could not be read.')));
  });
