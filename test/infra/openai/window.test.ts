/** How long a context servers say that their models take, each kind in its own way, over real sockets. */
import { afterEach, describe, expect, it } from 'vitest';
import { createLearnedWindow, probeWindow } from '../../../src/infra/openai/window.ts';
import { startScriptedServer } from '../../servers/openai/server.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});
const serve = async (pages: { readonly [request: string]: unknown }): Promise<string> => {
  const server = await startScriptedServer(pages);
  open.push(server);
  return server.baseUrl;
};
const listOf = (entry: object) => ({
  object: 'list',
  data: [
    { id: 'other', max_model_len: 999 },
    { id: 'm', object: 'model', ...entry },
  ],
});
const windowAt = async (pages: { readonly [request: string]: unknown }): Promise<number | null> =>
  probeWindow({ baseUrl: await serve(pages), model: 'm', apiKey: 'k' });
const plain = { 'GET /v1/models': listOf({}) };
const ollama = { ...plain, 'GET /api/tags': { models: [{ name: 'm' }] } };
const info = { model_info: { 'llama.context_length': 131_072 } };

describe('a model’s window', () => {
  it.each([
    ['vLLM', listOf({ max_model_len: 16_384 }), 16_384],
    ['OpenRouter', listOf({ context_length: 200_000 }), 200_000],
    ['Groq', listOf({ context_window: 131_072 }), 131_072],
    ['LM Studio, as loaded rather than as it could be', listOf({ loaded_context_length: 4_096, max_context_length: 32_768 }), 4_096],
    ['a server that tells nonsense', listOf({ context_length: 'large' }), null],
    ['a server that does not list it', { object: 'list', data: [] }, null],
  ])('in the list of models: %s', async (_server, list, window) => {
    expect(await windowAt({ 'GET /v1/models': list })).toBe(window);
  });

  it('in the properties of llama.cpp', async () => {
    expect(await windowAt({ ...plain, 'GET /props': { default_generation_settings: { n_ctx: 8_192 } } })).toBe(8_192);
  });

  it('in LM Studio’s own list', async () => {
    expect(await windowAt({ ...plain, 'GET /api/v0/models': listOf({ loaded_context_length: 12_000 }) })).toBe(12_000);
  });

  it('of Ollama: as set, else as loaded, else its usual one; never what the model could take', async () => {
    expect(await windowAt({ ...ollama, 'POST /api/show': { ...info, parameters: 'stop "x"\nnum_ctx 16384' } })).toBe(16_384);
    expect(
      await windowAt({ ...ollama, 'POST /api/show': info, 'GET /api/ps': { models: [{ name: 'm:latest', context_length: 8_192 }] } }),
    ).toBe(8_192);
    expect(await windowAt({ ...ollama, 'POST /api/show': info })).toBe(4_096);
  });

  it('is unknown where nothing answers, and nothing else is asked of what is no model server', async () => {
    expect(await probeWindow({ baseUrl: 'http://127.0.0.1:9/v1', model: 'm', apiKey: undefined })).toBeNull();
    expect(await windowAt({ 'GET /props': { default_generation_settings: { n_ctx: 8_192 } } })).toBeNull();
  });

  it('is learned, and asked for again a minute after an attempt that failed', async () => {
    const pages: Record<string, unknown> = {};
    let now = 1_000;
    const learned = createLearnedWindow({ baseUrl: await serve(pages), model: 'm', apiKey: undefined }, () => now);
    await learned.learn();
    expect(learned.tokens()).toBeNull();
    pages['GET /v1/models'] = listOf({ max_model_len: 16_384 });
    await learned.learn();
    expect(learned.tokens()).toBeNull();
    now += 60_000;
    await learned.learn();
    expect(learned.tokens()).toBe(16_384);
  });
});
