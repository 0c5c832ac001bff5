/** The main job, end to end: a person, the practice model, real Redis, real containers, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import type { App } from '../support/app.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { webClient } from '../support/web-client.ts';

describe('the main job', () => {
  let redis: TestRedis;
  let app: App;
  beforeAll(async () => {
    redis = await startRedis();
    app = await startApp({ redisUrl: redis.url });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  it('shares one Python state between a person and the model, also over a restart (U124, U125, U127)', async () => {
    let web = webClient(app.url);
    const id = await web.open();

    const mine = await web.say(id, '>>> x = 41');
    expect(mine.runs).toMatchObject([{ n: 1, by: 'person', code: 'x = 41', error: null }]);

    const answer = await web.say(id, 'what is x + 1?');
    expect(answer).toMatchObject({ role: 'bot', status: 'complete' });
    expect(answer.text).toContain('42');
    expect(answer.runs).toMatchObject([{ n: 2, by: 'model', value: '42' }]);

    expect(await app.stop()).toBe(0);
    app = await startApp({ redisUrl: redis.url });
    web = webClient(app.url);
    const later = await web.say(id, 'x + 1');
    expect(later.text).toContain('42');
    expect((await web.thread(id)).messages.filter((message) => message.role === 'bot')).toHaveLength(2);
  });

  it('keeps names after an exception', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    await web.say(id, '>>> x = 5');
    const raised = await web.say(id, '>>> 1/0');
    expect(JSON.stringify(raised.runs[0]?.error)).toContain('ZeroDivisionError');
    expect((await web.say(id, '>>> x')).runs[0]).toMatchObject({ value: '5' });
  });

  it('draws a plot that comes out as a PNG with its bytes', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    const answer = await web.say(id, 'plot a sine curve');
    const [picture] = answer.files;
    expect(picture).toMatchObject({ type: 'image/png' });
    const bytes = Buffer.from(await (await fetch(app.url + picture!.url)).arrayBuffer());
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.length).toBe(picture!.size);
  });

  it('takes an uploaded file into the workspace and sends a made one back (U086)', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    const form = new FormData();
    form.set('text', '>>> open("numbers.csv").read()');
    form.append('files', new Blob(['a,b\n1,2\n'], { type: 'text/csv' }), 'numbers.csv');
    expect((await web.call('POST', `/api/threads/${id}/messages`, form)).status).toBe(202);
    const read = (await web.settled(id)).messages.at(-1);
    expect(read?.runs[0]).toMatchObject({ value: "'a,b\\n1,2\\n'" });
    const made = await web.say(id, '>>> open("out.csv", "w").write("x\\n")');
    expect(made.runs[0]).toMatchObject({ value: '2' });
    expect(made.files.map((file) => file.name)).toContain('out.csv');
  });

  it('U005: the same key twice is one message', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    const first = await web.post(id, '>>> 1 + 1', { key: 'same' });
    const second = await web.post(id, '>>> 1 + 1', { key: 'same' });
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.json.messageId).toBe(first.json.messageId);
    expect((await web.settled(id)).messages.flatMap((message) => message.runs)).toHaveLength(1);
  });

  it('streams the answer in parts before it is complete', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    const abort = new AbortController();
    const response = await fetch(`${app.url}/api/threads/${id}/events`, { signal: abort.signal });
    await web.post(id, 'say a long text');
    let seen = '';
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      seen += text;
      if (/event: message\ndata: [^\n]*"kind":"answer"/.test(seen)) break;
    }
    abort.abort();
    expect(seen.match(/event: draft\n/g)?.length ?? 0).toBeGreaterThan(2);
    expect(seen.match(/"kind":"answer"/g)).toHaveLength(1);
  });

  it('U137: stops a turn that streams, and keeps what was said', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    await web.post(id, 'wait 60 seconds');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const stopped = await web.command(id, 'stop');
    expect(stopped.status).toBe(200);
    const thread = await web.settled(id, 10_000);
    expect(thread.messages.at(-1)).toMatchObject({ role: 'bot', status: 'stopped' });
  });

  it('stops code that never ends, and the state is the one before it (sandbox.md row 9)', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    await web.say(id, '>>> k = 1');
    await web.post(id, '>>>\nk = 2\nsum(range(10**13))');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await web.command(id, 'stop');
    const thread = await web.settled(id, 20_000);
    expect(thread.messages.at(-1)?.runs[0]).toMatchObject({ end: 'stopped' });
    expect((await web.say(id, '>>> k')).runs[0]).toMatchObject({ value: '1' });
  });
});
