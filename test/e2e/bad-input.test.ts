/** Bad input gets a clear answer and loses nothing: the list of the issue, one by one. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import type { App } from '../support/app.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { webClient } from '../support/web-client.ts';
import type { Message } from '../support/web-client.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

describe('bad messages', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp({ redisUrl: redis.url });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('an empty message', async () => {
    const web = webClient(app.url);
    for (const text of ['', '   \n ', '>>>', '\u200b']) {
      const answer = await web.post(await web.open(), text);
      expect(answer.status, JSON.stringify(text)).toBe(400);
      expect(answer.json.error).toMatchObject({ code: 'message-empty', message: expect.stringContaining('empty') });
    }
  });

  it('a message of 1 MB', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    const answer = await web.post(id, 'x'.repeat(1_000_000));
    expect(answer.status).toBe(413);
    expect(answer.json.error.message).toMatch(/1,000,000 characters; I take 100,000/);
    expect((await web.thread(id)).messages).toEqual([]);
  });

  it('a file of 100 MB', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    const form = new FormData();
    form.set('text', 'look at this');
    form.append('files', new Blob([new Uint8Array(100 * 1024 * 1024)]), 'huge.bin');
    const answer = await web.call('POST', `/api/threads/${id}/messages`, form);
    expect(answer.status).toBe(413);
    expect(answer.json.error.message).toMatch(/huge\.bin is too large/);
    expect((await web.thread(id)).messages).toEqual([]);
  });

  it('JSON that is none, a thread that is none, a command that is none', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    const garbled = await fetch(`${app.url}/api/threads/${id}/messages`, {
      method: 'POST',
      body: '{"text":',
      headers: { 'content-type': 'application/json' },
    });
    expect(garbled.status).toBe(400);
    expect((await web.call('GET', '/api/threads/no-such-thread')).status).toBe(404);
    expect((await web.command(id, 'explode')).json.error.code).toBe('command-unknown');
  });

  it.each([
    ['code that never ends', 'while True: pass', 'timed-out', '3000'],
    ['code that eats memory', 'b = []\nwhile True: b.append(b"x" * 10**8)', 'out-of-memory', '60000'],
    [
      'code that kills its own driver',
      'import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nos.kill(os.getpid(), signal.SIGKILL)',
      'killed',
      '30000',
    ],
  ])('%s', { timeout: 180_000 }, async (_name, code, end, runMs) => {
    const short = await startApp({ redisUrl: redis.url, env: { HEKTOR_RUN_MS: runMs } });
    try {
      const web = webClient(short.url);
      const id = await web.open();
      await web.say(id, '>>> keep = 1');
      const answer = await web.say(id, `>>>\n${code}`);
      expect(answer.runs[0]).toMatchObject({ end });
      expect((await web.say(id, '>>> keep')).runs[0]).toMatchObject({ value: '1' });
    } finally {
      await short.stop();
    }
  });

  it.each([
    ['forks without end', 'import os, time\ntry:\n  while True:\n    if os.fork() == 0: time.sleep(60)\nexcept OSError: print("refused")'],
    ['prints 1 GB', 's = "x" * 1_000_000\nfor _ in range(1000): print(s)'],
    ['fills the disk', 'with open("/workspace/f", "wb") as f:\n  while True: f.write(b"0" * 1_000_000)'],
  ])('code that %s', async (_name, code) => {
    const web = webClient(app.url);
    const id = await web.open();
    await web.say(id, '>>> keep = 1');
    const answer = await web.say(id, `>>>\n${code}`);
    expect(answer.runs).toHaveLength(1);
    expect(answer.runs[0]!.output.length).toBeLessThan(200_000);
    expect((await web.say(id, '>>> keep')).runs[0]).toMatchObject({ value: '1' });
  });
});

describe('bad models', () => {
  const answerWith = async (body: string, type: string, status = 200): Promise<Server> => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  };
  const ask = async (baseUrl: string): Promise<{ answer: Message; run: Message }> => {
    const app = await startApp({
      redisUrl: redis.url,
      env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'sk-test-abcdefghijklmnop', HEKTOR_MODEL: 'm', HEKTOR_MODEL_IDLE_MS: '1500' },
    });
    try {
      const web = webClient(app.url);
      const id = await web.open();
      const answer = await web.say(id, 'hello');
      const run = await web.say(id, '>>> 6 * 7');
      expect(app.logs().join('\n')).not.toContain('sk-test-abcdefghijklmnop');
      return { answer, run };
    } finally {
      await app.stop();
    }
  };
  const port = (server: Server): number => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  it('is unreachable', async () => {
    const { answer, run } = await ask('http://127.0.0.1:9/v1');
    expect(answer).toMatchObject({ role: 'bot', status: 'failed', text: expect.stringMatching(/could not reach the language model/) });
    expect(run.runs[0]).toMatchObject({ value: '42' });
  });

  it.each([
    [
      'answers nothing',
      'data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      'text/event-stream',
      /nothing, twice/,
    ],
    ['answers HTML', '<html><body>Bad gateway</body></html>', 'text/html', /not an answer|broke off|could not reach/],
  ])('%s', async (_name, body, type, words) => {
    const server = await answerWith(body, type);
    try {
      const { answer, run } = await ask(`http://127.0.0.1:${port(server)}/v1`);
      expect(answer).toMatchObject({ role: 'bot', status: 'failed', text: expect.stringMatching(words) });
      expect(run.runs[0]).toMatchObject({ value: '42' });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('breaks off in mid-stream, and what was shown stays (U071, U074)', async () => {
    const half =
      'data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Half of an"},"finish_reason":null}]}\n\n';
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(half, () => setTimeout(() => response.destroy(), 50));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { answer } = await ask(`http://127.0.0.1:${port(server)}/v1`);
      expect(answer).toMatchObject({ role: 'bot', status: 'failed', text: expect.stringMatching(/^Half of an[\s\S]*broke off/) });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('no Docker', () => {
  it('chats on, and answers plainly that no sandbox is there', async () => {
    const app = await startApp({ redisUrl: redis.url, env: { DOCKER_HOST: 'unix:///nonexistent/docker.sock' } });
    try {
      const web = webClient(app.url);
      const id = await web.open();
      expect(await web.say(id, 'hi')).toMatchObject({ role: 'bot', status: 'complete' });
      expect(await web.say(id, '>>> 1')).toMatchObject({ role: 'bot', text: expect.stringMatching(/No sandbox is available/) });
      const ready = await web.call('GET', '/readyz');
      expect(ready.status).toBe(503);
      expect(ready.json.parts.sandbox).toMatchObject({ ok: false });
    } finally {
      await app.stop();
    }
  });
});
