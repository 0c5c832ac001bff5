/** Failing servers of the catalogue: what is tried again, what is learned, what is told. */
import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Spending } from '../../../src/core/cost.ts';
import { goodStep, stepOf } from '../../servers/openai/cases.ts';
import { startScriptedServer } from '../../servers/openai/server.ts';
import type { ScriptedServer, Step } from '../../servers/openai/server.ts';
import { codeOf, valueOf } from '../../support/results.ts';
import { until } from '../../support/until.ts';
import { ask, openModel, request } from './harness.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Plays the steps and asks once; the number of requests that it took comes along. */
const askOn = async (steps: readonly Step[], more: Parameters<typeof openModel>[1] = {}) => {
  const before = server.requests.length;
  server.play(...steps);
  const opened = openModel(server.baseUrl, more);
  const asked = await ask(opened.model);
  return { ...opened, ...asked, requests: server.requests.slice(before) };
};
const http = (status: number, message = 'no', code: string | null = null, headers: Record<string, string> = {}): Step => ({
  http: { status, headers, body: { error: { message, type: 't', code } } },
});

describe.each([
  ['streamed', true],
  ['whole', false],
])('failures before the reply, %s', (_how, stream) => {
  const profile = { stream };

  it('MF8: waits as long as the server says', async () => {
    const { result, clock } = await askOn([stepOf('MF8'), goodStep()], { profile });
    expect(codeOf(result)).toBe('ok');
    expect(clock.slept).toEqual([2000]);
  });

  it('MF9: a wait beyond the budget is told, not waited for', async () => {
    const { result, clock, requests } = await askOn([http(429, 'slow down', null, { 'retry-after': '3600' })], { profile });
    expect(result).toMatchObject({ ok: false, failure: { code: 'model-rate-limited', waitSeconds: 3600 } });
    expect([clock.slept, requests.length]).toEqual([[], 1]);
  });

  it('MF11: tries again with growing waits, four times at most', async () => {
    const { result, clock, retries } = await askOn([stepOf('MF11'), stepOf('MF11'), stepOf('MF11'), stepOf('MF11')], { profile });
    expect(codeOf(result)).toBe('model-overloaded');
    expect(retries).toHaveLength(3);
    clock.slept.forEach((ms, n) => {
      expect(ms).toBeGreaterThanOrEqual(750 * 2 ** n);
      expect(ms).toBeLessThanOrEqual(1250 * 2 ** n);
    });
  });

  it.each([
    ['MF10', 'model-quota'],
    ['MG1', 'context-overflow'],
    ['MG2', 'context-overflow'],
    ['MG4', 'model-rejected'],
    ['MG5', 'model-rejected'],
    ['MH1', 'model-rejected'],
    ['MH2', 'model-rejected'],
    ['MH4', 'model-rejected'],
    ['MH5', 'model-rejected'],
  ])('%s: one request, %s', async (id, code) => {
    const { result, requests } = await askOn([stepOf(id)], { profile });
    expect(codeOf(result)).toBe(code);
    expect(requests).toHaveLength(1);
  });

  it.each([
    [http(401, 'Incorrect API key provided: sk-test-0123456789abcdef'), 'model-refused-key'],
    [http(403), 'model-refused-key'],
    [http(404, 'The model `m` does not exist', 'model_not_found'), 'model-not-found'],
    [http(402, 'Insufficient Balance'), 'model-quota'],
    [http(413, 'too large'), 'context-overflow'],
    [http(400, 'something else'), 'model-rejected'],
    [
      { http: { status: 400, text: '{"object":"error","message":"prompt is too long: 300 tokens > 200 maximum"}' } } satisfies Step,
      'context-overflow',
    ],
  ])('%j is final', async (step, code) => {
    const { result, requests, lines } = await askOn([step], { profile });
    expect(codeOf(result)).toBe(code);
    expect(requests).toHaveLength(1);
    expect(JSON.stringify([result, lines])).not.toContain('0123456789abcdef');
  });

  it('MH10: shows the model its garbled call and asks again, twice at most', async () => {
    const { result, requests, retries } = await askOn([stepOf('MH10'), goodStep()], { profile });
    expect(codeOf(result)).toBe('ok');
    expect(JSON.stringify(requests[1]!.body)).toContain('function=web_search');
    expect(retries).toEqual([{ code: 'model-bad-reply', waitMs: 0 }]);
    const thrice = await askOn([stepOf('MH10'), stepOf('MH10'), stepOf('MH10')], { profile });
    expect(codeOf(thrice.result)).toBe('model-bad-reply');
    expect(thrice.requests).toHaveLength(3);
  });

  it('MH7: a rejected `developer` role becomes `system` and stays so', async () => {
    const { result, requests, model } = await askOn([stepOf('MH7'), goodStep()], { profile: { ...profile, systemRole: 'developer' } });
    expect(codeOf(result)).toBe('ok');
    const roles = (index: number) => (requests[index]!.body['messages'] as { role: string }[])[0]!.role;
    expect([roles(0), roles(1)]).toEqual(['developer', 'system']);
    server.play(goodStep());
    await ask(model);
    expect((server.requests.at(-1)!.body['messages'] as { role: string }[])[0]!.role).toBe('system');
  });

  it('without tools where the server knows none; the model says so from then on', async () => {
    const { result, requests, model } = await askOn([http(400, 'registry.ollama.ai/library/gemma:2b does not support tools'), goodStep()], {
      profile,
    });
    expect(codeOf(result)).toBe('ok');
    expect([requests[0]!.body['tools'] === undefined, requests[1]!.body['tools'] === undefined]).toEqual([false, true]);
    expect(model.describe().toolCalls).toBe(false);
  });

  it('HTML in a 200 is not an answer', async () => {
    const page: Step = { http: { status: 200, headers: { 'content-type': 'text/html' }, text: '<html>hello</html>' } };
    const { result, retries } = await askOn([page, goodStep()], { profile });
    expect(codeOf(result)).toBe('ok');
    expect(retries).toHaveLength(1);
  });

  it('an error object in a 200 counts as the error that it is', async () => {
    const error: Step = { json: { error: { message: 'no such key', code: 'invalid_api_key' } }, whole: true };
    expect(codeOf((await askOn([error], { profile })).result)).toBe('model-refused-key');
  });

  it.each(['reset', 'garbage'] as const)('a connection that ends in a %s is tried again', async (socket) => {
    const { result, retries } = await askOn([{ socket }, goodStep()], { profile });
    expect(codeOf(result)).toBe('ok');
    expect(retries).toMatchObject([{ code: 'model-unreachable' }]);
  });

  it('a server that never answers is given up on, once more than that', async () => {
    const { result, requests } = await askOn([{ socket: 'silence' }, { socket: 'silence' }], { profile, firstByteMs: 200 });
    expect(codeOf(result)).toBe('model-silent');
    expect(requests).toHaveLength(2);
  });

  it('sends nothing after an abort, and ends at once in the middle', async () => {
    const { model } = openModel(server.baseUrl, { profile });
    const before = server.requests.length;
    expect(codeOf((await ask(model, {}, AbortSignal.abort())).result)).toBe('interrupted');
    expect(server.requests.length).toBe(before);
    server.play({ socket: 'silence' });
    const stop = new AbortController();
    const asked = ask(model, {}, stop.signal);
    await until(() => server.requests.length === before + 1, 'the request is there');
    stop.abort();
    expect(codeOf((await asked).result)).toBe('interrupted');
  });
});

describe('failures within a stream', () => {
  it('MF1: an error object in mid-stream is tried again from the beginning', async () => {
    const { result, texts, retries } = await askOn([stepOf('MF1'), goodStep('Paris.')]);
    expect(valueOf(result).text).toBe('Paris.');
    expect(texts[0]).toBe('The');
    expect(retries).toMatchObject([{ code: 'model-overloaded' }]);
  });

  it('MF2: a garbled call told in an SSE event goes back to the model', async () => {
    const { result, requests } = await askOn([stepOf('MF2'), goodStep()]);
    expect(codeOf(result)).toBe('ok');
    expect(JSON.stringify(requests[1]!.body)).toContain('could not be read');
  });

  it.each([
    ['MF4', 'model-broken-stream'],
    ['MF7', 'model-broken-stream'],
  ])('%s is tried again', async (id, code) => {
    const { result, retries } = await askOn([stepOf(id), goodStep('Paris.')]);
    expect(valueOf(result).text).toBe('Paris.');
    expect(retries).toMatchObject([{ code }]);
  });

  it('MF5: a silent stream is ended by our own timer, tried once more, and the connection is closed', async () => {
    const closed = server.closed();
    const { result, retries } = await askOn([stepOf('MF5'), stepOf('MF5')], { idleMs: 200 });
    expect(codeOf(result)).toBe('model-silent');
    expect(retries).toHaveLength(1);
    await until(() => server.closed() === closed + 2, 'both connections are closed');
  });

  it('a stop in mid-stream is an interruption, not an answer', async () => {
    server.play({ sse: [{ delta: { content: 'The' }, finish_reason: null }], end: 'hang' });
    const stop = new AbortController();
    const { model } = openModel(server.baseUrl);
    const texts: string[] = [];
    const spent: Spending[] = [];
    const asked = model.complete(
      request(),
      { text: (soFar) => void texts.push(soFar), retrying: () => undefined, spent: (one) => void spent.push(one) },
      stop.signal,
    );
    await until(() => texts.length > 0, 'some text');
    stop.abort();
    expect(codeOf(await asked)).toBe('interrupted');
    expect(spent).toMatchObject([{ model: 'm', usage: { estimated: true, output: 1 }, costMicros: null }]);
  });

  it('a picture that the server cannot read is left out of that request, and the next one is sent again', async () => {
    const images = [{ type: 'image/png', base64: 'AAAA' }] as const;
    const messages = [{ role: 'user', content: request().system, images }] as const;
    const bad: Step = {
      http: { status: 400, body: { error: { message: 'You uploaded an unsupported image. Please make sure it is valid.' } } },
    };
    await using server = await startScriptedServer();
    server.play(bad, goodStep('without'), goodStep('with'));
    const { model } = openModel(server.baseUrl, { images: true });
    expect((await ask(model, { messages })).result).toMatchObject({ ok: true, value: { text: 'without' } });
    expect((await ask(model, { messages })).result).toMatchObject({ ok: true, value: { text: 'with' } });
    expect(server.requests.map((one) => JSON.stringify(one.body).includes('image_url'))).toEqual([true, false, true]);
    expect(model.describe().images).toBe(true);
  });

  it('MH8: a rejected stream_options is left out and remembered', async () => {
    const { requests, result, model } = await askOn([stepOf('MH8'), goodStep()]);
    expect(codeOf(result)).toBe('ok');
    expect(requests.map((one) => one.body['stream_options'] === undefined)).toEqual([false, true]);
    server.play(goodStep());
    await ask(model);
    expect(server.requests.at(-1)!.body['stream_options']).toBeUndefined();
  });

  it('a server that cannot stream is asked for whole replies', async () => {
    const { requests, result } = await askOn([http(400, 'Streaming is not supported for this model'), goodStep()]);
    expect(codeOf(result)).toBe('ok');
    expect(requests.map((one) => one.body['stream'])).toEqual([true, false]);
  });
});

describe('failures of the network', () => {
  it('nobody listens', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const address = probe.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    probe.close();
    await once(probe, 'close');
    const { model } = openModel(`http://user:secretpassword@127.0.0.1:${port}/v1`);
    const { result, retries } = await ask(model);
    expect(codeOf(result)).toBe('model-unreachable');
    expect(retries).toHaveLength(3);
    expect(JSON.stringify(result)).not.toContain('secretpassword');
  });

  it('counts requests by outcome', async () => {
    const { metrics } = await askOn([stepOf('MF11'), goodStep()]);
    const text = await metrics.text();
    expect(text).toContain('hektor_model_requests_total{model="m",outcome="model-overloaded"} 1');
    expect(text).toContain('hektor_model_requests_total{model="m",outcome="ok"} 1');
  });
});

describe('the requests of all these tests', () => {
  it('are such that the strictest server takes them', () => {
    expect(server.requests.length).toBeGreaterThan(10);
    expect(server.requests.flatMap((one) => one.problems)).toEqual([]);
  });
});
