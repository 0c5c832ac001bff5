/**
 * The loop with a model that answers at once, against a plain script that asks the same server by the `openai` package.
 * Everything is a process of its own: model, worker, gateway, rival, Redis. "before": from the accepted message to the request at the model's
 * server. "after": from the last token leaving that server to the answer that a reader of the thread sees. Wall-clock figures share the machine
 * with all of these; processor time per turn does not.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { webClient } from '../support/web-client.ts';
import { openDoor, plainChat, sharedNow, startInstant, startRole, usageOf } from './loop-parts.ts';
import type { Door, Instant } from './loop-parts.ts';
import { ms, print, row, timingOf } from './measure.ts';
import type { Timing } from './measure.ts';

const LATENCY = 200;
const CONVERSATIONS = 10_000;

export const bench = async (): Promise<void> => {
  await using redis = await startRedis({ fsync: 'everysec' });
  await using model = await startInstant();
  await using door = await openDoor(redis.url);
  {
    await using worker = await startRole('worker', redis.url, model.url, 20);
    await oneByOne(door, 'warm', 50, 0);
    for (const messages of [0, 200]) {
      const own = await oneByOne(door, `thread-${messages}`, LATENCY, messages);
      const plain = await plainChat(model.url, 1, LATENCY, messages + 1);
      const what = messages === 0 ? 'a new thread' : `a thread of ${messages} messages`;
      row(`before, ${what} (target <= 10)`, own.before);
      row('  the plain script', timingOf(plain.before), { 'the loop': own.before });
      row(`after, ${what} (target <= 10)`, own.after);
      row('  the plain script', timingOf(plain.after), { 'the loop': own.after });
    }
    void worker;
  }
  for (const parallel of [1, 8, 32, 128]) await throughput(redis.url, model, door, parallel);
  await memory(redis.url, model);
};

/** One question after another, each in a thread of its own. */
const oneByOne = async (door: Door, name: string, times: number, messages: number): Promise<{ before: Timing; after: Timing }> => {
  const before: number[] = [];
  const after: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const conversation = door.conversation(`${name}-${n}`);
    if (messages > 0) await door.fill(conversation, messages);
    const answer = await door.answer(conversation);
    await door.ask(conversation, `${name}-${n}`);
    const accepted = sharedNow();
    const { text, at } = await answer.came;
    const [, arrived = '0', sent = '0'] = /arrived=([\d.]+) sent=([\d.]+)/.exec(text) ?? [];
    before.push(Math.max(0, Number(arrived) - accepted));
    after.push(at - Number(sent));
    await sleep(5);
  }
  return { before: timingOf(before), after: timingOf(after) };
};

/** A backlog in as many threads as there are questions, worked off by one worker; counted from its first request to its last. */
const throughput = async (redisUrl: string, model: Instant, door: Door, parallel: number): Promise<void> => {
  const count = parallel === 1 ? 500 : 3_000;
  const names = Array.from({ length: count }, (_, n) => door.conversation(`many-${parallel}-${n}`));
  for (let n = 0; n < names.length; n += 100)
    await Promise.all(names.slice(n, n + 100).map((conversation, i) => door.ask(conversation, `many-${parallel}-${n + i}`)));
  await model.seen();
  await using worker = await startRole('worker', redisUrl, model.url, parallel);
  let total = { requests: 0, first: 0, last: 0 };
  const start = usageOf(worker.process);
  await until(
    async () => {
      const now = await model.seen();
      total = { requests: total.requests + now.requests, first: total.first || now.first, last: Math.max(total.last, now.last) };
      return total.requests >= count;
    },
    'the backlog is worked off',
    300_000,
  );
  await sleep(1_000);
  const cpu = (usageOf(worker.process).cpuMs - start.cpuMs) / count;
  const perSecond = ((count - 1) * 1000) / (total.last - total.first);
  const plain = await plainChat(model.url, parallel, count);
  print(
    `${`one worker, ${parallel} turns at once`.padEnd(52)} ${perSecond.toFixed(0).padStart(6)} turns/s (target >= 300), ${ms(cpu)} ms of processor a turn; plain script ${plain.perSecond.toFixed(0)} requests/s, ${ms(plain.cpuMs)} ms: ratio ${(perSecond / plain.perSecond).toFixed(2)} in turns, ${(cpu / plain.cpuMs).toFixed(1)} in processor time`,
  );
};

/** What a gateway and a worker hold after ten thousand conversations, over the web API. */
const memory = async (redisUrl: string, model: Instant): Promise<void> => {
  await using worker = await startRole('worker', redisUrl, model.url, 32);
  await using gateway = await startRole('gateway', redisUrl, model.url, 32);
  const fresh = { worker: usageOf(worker.process).rssMb, gateway: usageOf(gateway.process).rssMb };
  const web = webClient(gateway.url);
  let left = CONVERSATIONS;
  await model.seen();
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (left-- > 0) {
        const id = await web.open();
        await web.post(id, 'What do you say?');
      }
    }),
  );
  let asked = 0;
  await until(async () => (asked += (await model.seen()).requests) >= CONVERSATIONS, 'all threads are answered', 600_000);
  await sleep(2_000);
  for (const [name, { process }] of Object.entries({ worker, gateway })) {
    const held = usageOf(process).rssMb;
    print(
      `${`memory of the ${name} after ${CONVERSATIONS} threads`.padEnd(52)} ${held.toFixed(0).padStart(6)} MB (target <= 200), ${name === 'worker' ? fresh.worker.toFixed(0) : fresh.gateway.toFixed(0)} MB when fresh`,
    );
  }
};
