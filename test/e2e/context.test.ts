/** Long threads and several models, end to end over scripted servers: what people see, and what each model is sent. */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callStep, goodStep } from '../servers/openai/cases.ts';
import { startScriptedServer } from '../servers/openai/server.ts';
import type { ScriptedServer } from '../servers/openai/server.ts';
import { startApp } from '../support/app.ts';
import type { App } from '../support/app.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { webClient } from '../support/web-client.ts';
import type { WebClient } from '../support/web-client.ts';

/** One grey dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mOoBwAAgQCBQnlL+AAAAABJRU5ErkJggg==';

describe('long threads and several models', { timeout: 180_000 }, () => {
  let folder: string;
  let redis: TestRedis;
  let first: ScriptedServer;
  let second: ScriptedServer;
  let app: App;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hektor-models-'));
    redis = await startRedis();
    first = await startScriptedServer();
    second = await startScriptedServer();
    const file = join(folder, 'hektor.config.json');
    const models = [
      { name: 'one', baseUrl: first.baseUrl, model: 'model-one', contextTokens: 14_000 },
      { name: 'two', baseUrl: second.baseUrl, model: 'model-two', temperature: 0.5, images: true },
    ];
    writeFileSync(file, JSON.stringify({ models, fallback: ['two'], summary: 'two' }));
    app = await startApp({ redisUrl: redis.url, env: { HEKTOR_CONFIG: file, HEKTOR_PRACTICE: 'off' } });
  });
  afterAll(async () => {
    const problems = [...first.requests, ...second.requests].flatMap((request) => request.problems);
    await app[Symbol.asyncDispose]();
    await Promise.all([first, second].map((server) => server[Symbol.asyncDispose]()));
    await redis[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
    expect(problems).toEqual([]);
  });
  const sent = (server: ScriptedServer): string => JSON.stringify(server.requests.at(-1)?.body);

  const tellUntil = async (web: WebClient, id: string, done: () => boolean): Promise<void> => {
    for (let n = 0; n < 12 && !done(); n += 1) {
      first.play(goodStep(`noted ${n}`));
      expect(await web.say(id, `part ${n}: ${'lorem ipsum '.repeat(500)}`)).toMatchObject({ text: `noted ${n}`, status: 'complete' });
    }
    expect(done()).toBe(true);
  };

  it('sums the older part of a long thread up with the model set for that, once, and goes on from the summary', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    second.play(goodStep('Goal: Ann collects parts.'));
    // The scripted servers report whatever counts they like, so when it becomes tight is found out.
    await tellUntil(web, id, () => second.requests.length === 1);
    expect(second.requests.at(-1)?.body).toMatchObject({ model: 'model-two', temperature: 0.5 });
    expect(second.requests.at(-1)?.body['tools']).toBeUndefined();
    expect(sent(second).includes('part 0: lorem')).toBe(true);
    expect(sent(first).includes('Goal: Ann collects parts.')).toBe(true);
    expect(sent(first).includes('part 0: lorem')).toBe(false);

    const asked = second.requests.length;
    first.play(goodStep('Still four.'));
    await web.say(id, 'sure?');
    expect(second.requests).toHaveLength(asked);
    expect(sent(first).includes('Goal: Ann collects parts.')).toBe(true);
  });

  it('answers all the same where no summary is to be had', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    const asked = second.requests.length;
    second.play({ http: { status: 401, body: { error: { message: 'no' } } } });
    await tellUntil(web, id, () => second.requests.length > asked);
  });

  it('keeps a long output whole and lets the model read on in it', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    first.play(
      callStep('python', { code: 'print("x" * 20000 + "needle")' }),
      callStep('read_more', { name: 'run 1', from: 19_990 }),
      goodStep('Found.'),
    );
    expect(await web.say(id, 'look for it')).toMatchObject({ text: 'Found.', status: 'complete' });
    expect(sent(first)).toMatch(/The whole output is kept as run 1/);
    expect(sent(first)).toMatch(/Characters 19990 to 20\d\d\d of 20\d\d\d, the end:\\nx+needle/);
  });

  it('shows a picture to a model that takes pictures, and tells one that takes none that there is one', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    const send = async (text: string): Promise<void> => {
      const form = new FormData();
      form.set('text', text);
      form.append('files', new File([Buffer.from(PNG, 'base64')], 'dot.png', { type: 'image/png' }));
      expect((await web.call('POST', `/api/threads/${id}/messages`, form)).status).toBe(202);
      await web.settled(id);
    };
    first.play(goodStep('I cannot see it.'));
    await send('what is on it?');
    expect(sent(first)).toMatch(/dot\.png.*a picture that is not shown to you/);
    expect(sent(first)).not.toContain('image_url');
    await web.command(id, 'model', 'two');
    await web.settled(id);
    second.play(goodStep('A dot.'));
    await send('and now?');
    expect(sent(second)).toContain(`data:image/png;base64,${PNG}`);
    expect(sent(second)).toMatch(/shown to you with this message/);
  });

  it('answers with the next model where the first one cannot, and with the chosen one where a thread chose', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    first.play({ http: { status: 401, body: { error: { message: 'bad key' } } } });
    second.play(goodStep('The second one here.'));
    expect(await web.say(id, 'who is there?')).toMatchObject({ text: 'The second one here.', status: 'complete' });
    await web.command(id, 'model', 'two');
    second.play(goodStep('By choice.'));
    expect(await web.say(id, 'and now?')).toMatchObject({ text: 'By choice.' });
  });
});
