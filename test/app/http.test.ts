import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttp } from '../../src/app/http.ts';
import type { HttpServer } from '../../src/app/http.ts';
import { createMetrics } from '../../src/infra/telemetry/metrics.ts';
import type { HttpMount } from '../../src/ports/adapter.ts';
import { codeOf, valueOf } from '../support/results.ts';
import { createTestLog } from '../support/test-log.ts';

let server: HttpServer | undefined;
afterEach(() => server?.[Symbol.asyncDispose]());

const says = (prefix: string): HttpMount => ({
  prefix,
  handle: (request: IncomingMessage, response: ServerResponse) =>
    void buffer(request).then((body) =>
      response.end(JSON.stringify({ by: prefix, url: request.url, sha: createHash('sha256').update(body).digest('hex') })),
    ),
});
const { log, lines } = createTestLog();
const deps = {
  host: '127.0.0.1',
  port: 0,
  readiness: () => Promise.resolve({ ready: false, parts: { adapters: { ok: false, reason: 'slack: closed' } } }),
  metrics: createMetrics(),
  log,
};
const start = async (...mounts: HttpMount[]): Promise<string> => {
  server = valueOf(await startHttp({ ...deps, mounts }));
  return `http://127.0.0.1:${server.port}`;
};

describe('the HTTP server', () => {
  it('serves the mounts of several adapters side by side, the longest prefix first', async () => {
    const url = await start(says('/'), says('/slack/events'), says('/slack'), says('/discord/interactions'));
    const by = async (path: string): Promise<unknown> => Object.entries((await (await fetch(url + path)).json()) as object)[0]?.[1];
    expect(await by('/slack/events')).toBe('/slack/events');
    expect(await by('/slack/events?x=1')).toBe('/slack/events');
    expect(await by('/slack/install/done')).toBe('/slack');
    expect(await by('/slack/eventsx')).toBe('/slack');
    expect(await by('/discord/interactions')).toBe('/discord/interactions');
    expect(await by('/slacker')).toBe('/');
  });
  it('leaves the body untouched, byte for byte, and the query where it was: platforms sign what they sent', async () => {
    const url = await start(says('/slack/events'));
    const body = Buffer.from('{"a": 1,\r\n "text":"\u00e9\ud83d\ude00"}  \n\u0000\xff', 'latin1');
    const answer = await fetch(`${url}/slack/events?t=%20x`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect(await answer.json()).toEqual({
      by: '/slack/events',
      url: '/slack/events?t=%20x',
      sha: createHash('sha256').update(body).digest('hex'),
    });
  });
  it('answers for itself at /healthz, /readyz and /metrics whatever is mounted, and with 404 where nothing is', async () => {
    const url = await start(says('/slack'));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { ready: false, parts: { adapters: { ok: false, reason: 'slack: closed' } } },
    ]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('hektor_inbox_total');
    expect((await fetch(`${url}/`)).status).toBe(404);
  });
  it('answers 500 where a mount throws, logs it, and lives on', async () => {
    const url = await start({
      prefix: '/bug',
      handle: () => {
        throw new Error('a bug');
      },
    });
    expect((await fetch(`${url}/bug`)).status).toBe(500);
    expect(lines.some(({ message }) => message === 'an HTTP request failed')).toBe(true);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
  it('says which setting to change where it cannot listen', async () => {
    await start();
    const taken = await startHttp({ ...deps, port: server?.port ?? 0, mounts: [] });
    expect(codeOf(taken)).toBe('config-invalid');
    expect(taken).toMatchObject({ failure: { problems: [expect.stringContaining('PORT')] } });
  });
});
