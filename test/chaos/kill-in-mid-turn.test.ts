/** The program is killed with -9 in the middle of its work; after the restart every message is answered, once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { startRedis } from '../support/redis.ts';
import { webClient } from '../support/web-client.ts';

describe('killed in mid-turn', { timeout: 240_000 }, () => {
  const open: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  });
  const begin = async () => {
    const redis = await startRedis();
    open.push(redis);
    const start = async () => {
      const app = await startApp({ redisUrl: redis.url });
      open.push(app);
      return app;
    };
    return { redis, start };
  };

  it('U098, U128: answers once after a kill while the answer streams', async () => {
    const { start } = await begin();
    const first = await start();
    const id = await webClient(first.url).open();
    await webClient(first.url).post(id, 'say a long text');
    await sleep(1_000);
    await first.kill();
    const web = webClient((await start()).url);
    const thread = await web.settled(id, 120_000);
    const answers = thread.messages.filter((message) => message.role === 'bot');
    expect(answers).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status: 'complete' });
    expect(await web.say(id, 'hi')).toMatchObject({ role: 'bot', status: 'complete' });
  });

  it('U016: runs the code again whose container died with the worker, and counts it once', async () => {
    const { start } = await begin();
    const first = await start();
    const id = await webClient(first.url).open();
    await webClient(first.url).say(id, '>>> n = 0');
    await webClient(first.url).post(id, '>>>\nimport time\ntime.sleep(4)\nn += 1\nn');
    await sleep(2_000);
    await first.kill();
    const web = webClient((await start()).url);
    const thread = await web.settled(id, 120_000);
    expect(thread.messages.at(-1)?.runs).toMatchObject([{ n: 2, value: '1' }]);
    expect((await web.say(id, '>>> n')).runs).toMatchObject([{ n: 3, value: '1' }]);
  });

  it('U128: runs the code again that an orderly stop of the program cut short, as if nothing had been', async () => {
    const { start } = await begin();
    const first = await start();
    const id = await webClient(first.url).open();
    await webClient(first.url).say(id, '>>> log = []');
    await webClient(first.url).post(
      id,
      '>>>\nimport time\nlog.append(1)\nopen("f.txt", "a").write("y")\ntime.sleep(5)\nlog, open("f.txt").read()',
    );
    await sleep(2_000);
    expect(await first.stop()).toBe(0);
    const web = webClient((await start()).url);
    const thread = await web.settled(id, 120_000);
    expect(thread.messages.at(-1)?.runs).toMatchObject([{ n: 2, end: 'finished', value: "([1], 'y')" }]);
  });

  it('keeps accepted messages over a Redis that is gone for ten seconds', async () => {
    const { redis, start } = await begin();
    const app = await start();
    const web = webClient(app.url);
    const id = await web.open();
    await web.say(id, '>>> x = 1');
    await web.post(id, '>>>\nimport time\ntime.sleep(3)\nx += 1\nx');
    await sleep(1_000);
    await redis.stop();
    const refused = await web.post(id, '>>> x');
    expect(refused.status).toBe(503);
    expect(refused.json.error.message).toMatch(/again in a moment/);
    await sleep(10_000);
    await redis.start();
    const deadline = Date.now() + 90_000;
    let runs: unknown[] = [];
    while (Date.now() < deadline && runs.length < 2) {
      await sleep(500);
      const now = await web.thread(id).catch(() => undefined);
      runs = now?.messages?.flatMap((message) => message.runs) ?? [];
    }
    expect(runs).toMatchObject([{ n: 1 }, { n: 2, value: '2' }]);
    expect((await web.say(id, '>>> x')).runs).toMatchObject([{ n: 3, value: '2' }]);
  });
});
