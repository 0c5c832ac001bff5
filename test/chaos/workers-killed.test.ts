import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createTurnQueue } from '../../src/infra/bullmq/turn-queue.ts';
import { createRedis } from '../../src/infra/redis/connection.ts';
import { startRedis } from '../support/redis.ts';
import { valueOf } from '../support/results.ts';
import { aConversation, anAsk } from '../support/samples.ts';
import { startStoreProcess } from '../support/store-process.ts';
import { createTestLog } from '../support/test-log.ts';
import { until } from '../support/until.ts';

const PROGRAM = fileURLToPath(new URL('worker-process.ts', import.meta.url));
const CONVERSATIONS = 12;
const MESSAGES = 15;

/** A worker process; resolves once it is ready. `begun`: how many messages it has taken up. */
const startWorker = async (url: string, name: string) => {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, url, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  let heard = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (heard += text));
  await until(() => heard.includes('ready\n'), `${name} is ready`);
  return {
    begun: () => heard.split('\n').length - 2,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
};

it(
  'U028, U029: workers are killed or frozen in mid-turn: nothing is lost, nothing is committed twice, order is kept',
  { timeout: 120_000 },
  async () => {
    await using redis = await startRedis();
    await using gateway = await startStoreProcess(redis.url, 'ingest');
    const { log } = createTestLog();
    await using connection = createRedis({ url: redis.url, purpose: 'ingest', log });
    valueOf(await connection.ready(30_000));
    await using queue = createTurnQueue({ connection: connection.client, log });

    const killed = [await startWorker(redis.url, 'killed-1'), await startWorker(redis.url, 'killed-2')];
    const frozen = await startWorker(redis.url, 'frozen');
    const workers = [...killed, frozen];
    try {
      const conversations = Array.from({ length: CONVERSATIONS }, () => aConversation());
      for (let n = 0; n < MESSAGES; n++) {
        for (const [index, conversation] of conversations.entries()) {
          valueOf(await gateway.store.ingest(conversation, anAsk(`k${n}`), 1_000));
          // The last conversation's gateway dies each time before it has woken anybody: that is the sweeper's.
          if (index < CONVERSATIONS - 1) valueOf(await queue.wake(conversation));
        }
      }

      await until(() => workers.every((worker) => worker.begun() > 0), 'every worker is in the middle of turns');
      frozen.signal('SIGSTOP');
      await Promise.all(killed.map((worker) => worker.end()));
      workers.push(await startWorker(redis.url, 'next-1'), await startWorker(redis.url, 'next-2'));

      const done = async (): Promise<boolean> => valueOf(await gateway.store.pendingSince(Date.now() + 1_000)).length === 0;
      await until(done, 'everything is taken up and done', 60_000);
      // It wakes up in the middle of turns that others have finished since; whatever it still writes must be refused.
      frozen.signal('SIGCONT');
      const before = frozen.begun();
      valueOf(await queue.wake(conversations[0]!));
      await until(async () => valueOf(await queue.depth()).active === 0, 'the queue is idle');
      expect(frozen.begun()).toBe(before);

      let resumed = 0;
      for (const conversation of conversations) {
        const { entries } = valueOf(await gateway.store.entries(conversation, 0, 1_000));
        const words = entries.map((entry) => (entry.kind === 'noticed' ? entry.text.split(' ') : []));
        expect(words.map(([key]) => key)).toEqual(Array.from({ length: MESSAGES }, (_, n) => `k${n}`));
        resumed += words.filter(([, , how]) => how === 'resumed').length;
      }
      // Each of the three was in the middle of something, and what it had journalled was found.
      expect(resumed).toBeGreaterThan(0);
    } finally {
      await Promise.all(workers.map((worker) => worker.end()));
    }
  },
);
