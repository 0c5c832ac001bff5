/** The thread behind `readInThread`: reads the one page it was started with. */
import { parentPort, workerData } from 'node:worker_threads';
import { readPage } from './read-page.ts';
import { pageSchema } from './reading.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(await readPage(pageSchema.parse(workerData)));
