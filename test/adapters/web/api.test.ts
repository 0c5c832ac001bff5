/** The web API over a real socket. */
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failure } from '../../../src/core/failure.ts';
import { aRun } from '../../support/a-run.ts';
import { webClient } from '../../support/web-client.ts';
import type { WebWorld } from '../../support/web-world.ts';
import { startWebWorld } from '../../support/web-world.ts';

let world: WebWorld;
let client: ReturnType<typeof webClient>;
beforeEach(async () => {
  world = await startWebWorld();
  client = webClient(world.url);
});
afterEach(() => world[Symbol.asyncDispose]());

/** A request that `fetch` would not send: with a Host, an Origin or a body of one's own. */
const raw = (options: { method?: string; path?: string; headers?: Record<string, string>; body?: string }) =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const { method = 'GET', path = '/api/threads', headers = {}, body } = options;
    const call = request({ host: '127.0.0.1', port: world.port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    call.on('error', reject);
    call.end(body);
  });

describe('the web API', () => {
  it('opens a thread, takes a message, and shows it with its answer', async () => {
    const opened = await client.call('POST', '/api/threads', { author: 'Ann' });
    expect(opened.status).toBe(201);
    const id: string = opened.json.id;
    const posted = await client.post(id, 'hello', { author: 'Ann', key: 'k1' });
    expect(posted).toEqual({ status: 202, json: { messageId: 'k1', duplicate: false } });
    const thread = await client.settled(id);
    expect(thread).toMatchObject({
      id,
      busy: false,
      messages: [
        { id: 'k1', role: 'person', author: 'Ann', text: 'hello', files: [], runs: [] },
        { role: 'bot', author: 'Hektor', text: 'You said: hello', files: [], runs: [], status: 'complete' },
      ],
    });
    expect((await client.call('GET', '/api/threads')).json.threads).toMatchObject([{ id, title: 'hello' }]);
  });

  it('takes one message for one key, however often it is sent (U001)', async () => {
    const id = await client.open();
    const all = await Promise.all(Array.from({ length: 10 }, () => client.post(id, 'once', { key: 'same' })));
    expect(all.map(({ status, json }) => [status, json.messageId])).toEqual(Array.from({ length: 10 }, () => [202, 'same']));
    expect(all.filter(({ json }) => json.duplicate === false)).toHaveLength(1);
    expect((await client.settled(id)).messages).toHaveLength(2);
  });

  it('shows a message that waits for its turn', async () => {
    let finish = (): void => {};
    world.bot = async (turn) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      await turn.finish({ text: 'done' });
    };
    const id = await client.open();
    await client.post(id, 'wait', { key: 'w' });
    expect(await client.thread(id)).toMatchObject({ busy: true, messages: [{ id: 'w', text: 'wait', pending: true }] });
    finish();
    expect((await client.settled(id)).messages).toMatchObject([{ id: 'w', pending: false }, { text: 'done' }]);
  });

  it('puts a person’s own run with the person’s message', async () => {
    world.bot = (turn) => turn.finishRun(aRun({ n: 1, by: 'person', code: 'x = 41\nx', value: '41' }));
    const id = await client.open();
    await client.post(id, '>>> x = 41\nx', { key: 'r' });
    const { messages } = await client.settled(id);
    expect(messages).toMatchObject([
      { id: 'r', role: 'person', runs: [{ n: 1, by: 'person', code: 'x = 41\nx', output: '41', error: null }] },
    ]);
  });

  it('answers what is wrong in words, and keeps nothing of it', async () => {
    const id = await client.open();
    const wrong = [
      [await client.post(id, ' \n '), 400, 'message-empty'],
      [await client.post(id, 'x'.repeat(1024 * 1024)), 413, 'message-too-long'],
      [await client.post(id, 'x'.repeat(20 * 1024 * 1024)), 413, 'message-too-long'],
      [await client.post('no-such-thread-at-all', 'x'), 404, 'thread-unknown'],
      [await client.post('..%2f..%2fadmin', 'x'), 404, 'thread-unknown'],
      [await client.call('POST', `/api/threads/${id}/messages`, { txt: 'x' }), 400, 'request-malformed'],
      [await client.command(id, 'dance'), 404, 'command-unknown'],
      [await client.call('GET', '/api/nothing'), 404, 'not-found'],
    ] as const;
    for (const [{ status, json }, expected, code] of wrong) {
      expect({ status, code: json.error.code }).toEqual({ status: expected, code });
      expect(json.error.message).toMatch(/\w{3}/);
    }
    const json = { 'content-type': 'application/json' };
    const path = `/api/threads/${id}/messages`;
    for (const body of ['', '{', '"x"', 'null', '[]']) expect((await raw({ method: 'POST', path, headers: json, body })).status).toBe(400);
    expect((await raw({ method: 'POST', path, headers: { 'content-type': 'text/xml' }, body: '<x/>' })).status).toBe(400);
    expect((await raw({ method: 'POST', path, headers: { 'content-type': 'multipart/form-data' }, body: 'x' })).status).toBe(400);
    expect(world.accepted).toEqual([]);
    expect((await client.thread(id)).messages).toEqual([]);
  });

  it('says that the store is away, and when to come back', async () => {
    const id = await client.open();
    world.broken = failure('store-unreachable', {}, 'redis://secret-host');
    const response = await fetch(`${world.url}/api/threads/${id}`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await response.text()).not.toContain('secret-host');
    world.broken = null;
    expect((await client.post(id, 'again')).status).toBe(202);
  });
});

describe('files', () => {
  const form = (files: Record<string, Blob>, fields: Record<string, string> = {}): FormData => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    for (const [name, blob] of Object.entries(files)) data.append('files', blob, name);
    return data;
  };

  it('go up with a message and come down again, byte for byte', async () => {
    const id = await client.open();
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const files = { 'data.bin': new Blob([bytes]), 'ü “x”.csv': new Blob(['a,b\n'], { type: 'text/csv' }) };
    expect((await client.call('POST', `/api/threads/${id}/messages`, form(files, { text: 'look', author: 'Ann', key: 'f' }))).status).toBe(
      202,
    );
    const [message] = (await client.settled(id)).messages;
    expect(message).toMatchObject({
      id: 'f',
      author: 'Ann',
      files: [
        { name: 'data.bin', size: 60_000 },
        { name: 'ü “x”.csv', type: 'text/csv', size: 4 },
      ],
    });
    const down = await fetch(world.url + message!.files[0]!.url);
    expect(new Uint8Array(await down.arrayBuffer())).toEqual(bytes);
    expect(down.headers.get('content-disposition')).toBe('attachment; filename=data.bin');
    const other = await client.open();
    expect((await fetch(world.url + message!.files[0]!.url.replace(id, other))).status).toBe(404);
    expect((await fetch(`${world.url}/api/threads/${id}/files/xyz/a`)).status).toBe(404);
  });

  it('of 100 MB are refused in words, and nothing is kept', async () => {
    const id = await client.open();
    const large = form({ 'small.txt': new Blob(['x']), 'large.bin': new Blob([new Uint8Array(100 * 1024 * 1024)]) }, { text: 'take this' });
    const { status, json } = await client.call('POST', `/api/threads/${id}/messages`, large);
    expect(status).toBe(413);
    expect(json.error).toEqual({ code: 'file-too-large', message: 'large.bin is too large: I take files up to 1 MB.' });
    expect(world.accepted).toEqual([]);
    expect((await client.post(id, 'still here')).status).toBe(202);
  });

  it('are refused where there are too many, or no thread to hold them', async () => {
    const id = await client.open();
    const many = form(Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`f${n}`, new Blob([new Uint8Array(300_000)])])));
    expect((await client.call('POST', `/api/threads/${id}/messages`, many)).json.error.code).toBe('too-many-files');
    const nowhere = await client.call('POST', '/api/threads/no-such-thread/messages', form({ a: new Blob([new Uint8Array(900_000)]) }));
    expect(nowhere.json.error.code).toBe('thread-unknown');
    expect(world.accepted).toEqual([]);
  });

  it('with names that want to be more than names are only names', async () => {
    const id = await client.open();
    await client.call(
      'POST',
      `/api/threads/${id}/messages`,
      form({ '../../x"><script>.html': new Blob(['<script>alert(1)</script>'], { type: 'text/html' }) }),
    );
    const [message] = (await client.settled(id)).messages;
    expect(message!.files[0]!.name).toBe('x___script_.html');
    const down = await fetch(world.url + message!.files[0]!.url);
    expect(down.headers.get('content-type')).toBe('application/octet-stream');
    expect(down.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(down.headers.get('content-security-policy')).toContain('sandbox');
  });
});

describe('commands', () => {
  it('answered at once come back at once', async () => {
    const id = await client.open();
    expect(await client.command(id, 'help')).toMatchObject({ status: 200, json: { done: true, text: '`help` lists them.' } });
  });

  it('answered by the worker come back when they are, each to its own caller', async () => {
    world.bot = async (turn) => {
      if (turn.incoming.kind === 'command') await turn.answerCommand(`undid ${turn.incoming.args}`, { key: `${turn.turn}:c` });
    };
    const id = await client.open();
    const answers = await Promise.all(['1', '2', '3'].map((n) => client.command(id, 'undo', n)));
    expect(answers.map(({ json }) => json.text)).toEqual(['undid 1', 'undid 2', 'undid 3']);
  });

  it('that run code come back with the run', async () => {
    world.bot = (turn) => turn.finishRun(aRun({ n: 7, by: 'person', code: '6 * 7', value: '42' }));
    const id = await client.open();
    expect((await client.command(id, 'py', '6 * 7')).json).toMatchObject({ done: true, run: { n: 7, output: '42' } });
  });
});

describe('the guards over a real socket', () => {
  it('refuse rebound names and foreign pages, and let programs in', async () => {
    expect((await raw({ headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await raw({ path: '/', headers: { host: 'evil.example' } })).status).toBe(403);
    const json = { 'content-type': 'application/json' };
    const post = (headers: Record<string, string>) => raw({ method: 'POST', headers: { ...json, ...headers }, body: '{}' });
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ origin: 'null' })).status).toBe(403);
    expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post({})).status).toBe(201);
    expect((await post({ origin: world.url })).status).toBe(201);
    expect((await post({ origin: 'https://evil.example' })).text).toContain('"error"');
  });

  it('send strict headers with everything', async () => {
    for (const path of ['/', '/page/main.ts', '/api/info', '/api/nothing', '/t/some-thread-id']) {
      const { headers } = await raw({ path });
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
  });

  it('want the token where one is set, as a header or as the cookie of a log-in', async () => {
    const token = 'correct-horse-battery';
    await using guarded = await startWebWorld({ env: { HEKTOR_WEB_TOKEN: token } });
    const get = (headers: Record<string, string> = {}) => fetch(`${guarded.url}/api/threads`, { headers });
    expect((await get()).status).toBe(401);
    expect((await get({ authorization: 'Bearer wrong-horse-battery' })).status).toBe(401);
    expect((await get({ authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await fetch(`${guarded.url}/`)).status).toBe(200);
    const login = (given: string) =>
      fetch(`${guarded.url}/api/session`, {
        method: 'POST',
        body: JSON.stringify({ token: given }),
        headers: { 'content-type': 'application/json' },
      });
    expect((await login('wrong')).status).toBe(401);
    const taken = await login(token);
    expect(taken.status).toBe(204);
    const cookie = taken.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    expect(cookie).not.toContain(token);
    expect((await get({ cookie: cookie.split(';')[0]! })).status).toBe(200);
    expect((await get({ cookie: `${cookie.split(';')[0]!}x` })).status).toBe(401);
    const guesses = await Promise.all(Array.from({ length: 30 }, () => login('guess')));
    expect(guesses.some(({ status }) => status === 429)).toBe(true);
  });
});
