/** Several models over scripted servers: who is asked, who steps in, and what is noticed. */
import { describe, expect, it } from 'vitest';
import { chooseModels } from '../../src/app/choose-model.ts';
import { readConfig } from '../../src/app/config.ts';
import { conversationIdOf } from '../../src/core/ids.ts';
import { createMetrics } from '../../src/infra/telemetry/metrics.ts';
import { createStillClock, request } from '../infra/openai/harness.ts';
import { goodStep } from '../servers/openai/cases.ts';
import { startScriptedServer } from '../servers/openai/server.ts';
import { createTestLog } from '../support/test-log.ts';

const slack = conversationIdOf({ platform: 'slack', workspace: 'T', channel: 'C', thread: '1' });
const listener = { text: () => undefined, retrying: () => undefined, spent: () => undefined };

const open = async (file: object, env: Record<string, string> = {}) => {
  const config = readConfig(env, () => JSON.stringify(file));
  if (!config.ok) throw new Error(config.failure.detail);
  const { log, lines } = createTestLog();
  const metrics = createMetrics();
  const chosen = await chooseModels({ config: config.value, clock: createStillClock(), log, metrics });
  return { chosen, lines, metrics };
};
const keysOf = (route: readonly { readonly describe: () => { readonly key: string } }[]) => route.map((model) => model.describe().key);

describe('the model router', () => {
  it('routes by thread, channel and default, and offers all of them', async () => {
    const entry = { baseUrl: 'http://127.0.0.1:1/v1', model: 'x' };
    const { chosen } = await open(
      {
        models: [
          { ...entry, name: 'a', contextTokens: 10_000 },
          { ...entry, name: 'b', images: true },
        ],
        fallback: ['default'],
        channels: [{ pattern: 'slack/T/C', model: 'b' }],
      },
      { OPENAI_API_KEY: 'k', HEKTOR_MODEL: 'gpt-4o-mini' },
    );
    const web = conversationIdOf({ platform: 'web', workspace: 'w', channel: 'c', thread: '1' });
    expect(keysOf(chosen.models.route(web, null))).toEqual(['a', 'default']);
    expect(keysOf(chosen.models.route(slack, null))).toEqual(['b', 'default']);
    expect(keysOf(chosen.models.route(slack, 'a'))).toEqual(['a', 'default']);
    expect(chosen.models.choices(slack)).toEqual([
      { key: 'a', name: 'x', current: false },
      { key: 'b', name: 'x', current: true },
      { key: 'default', name: 'gpt-4o-mini', current: false },
    ]);
    const [a, b, plain] = chosen.all.map((model) => model.describe());
    // The entry's window, the usual one, and the public table's.
    expect(a).toMatchObject({ contextTokens: 7_000, images: false });
    expect(b).toMatchObject({ contextTokens: 32_000, images: true });
    expect(plain?.contextTokens).toBeGreaterThan(100_000);
  });

  it('asks a model that has just failed last, and sends what each is set to', async () => {
    await using good = await startScriptedServer();
    const { chosen } = await open({
      models: [
        { name: 'dead', baseUrl: 'http://127.0.0.1:1/v1', model: 'x' },
        { name: 'alive', baseUrl: good.baseUrl, model: 'y', temperature: 0.1, maxOutputTokens: 99 },
      ],
      fallback: ['alive'],
    });
    const [first] = chosen.models.route(slack, null);
    expect(await first.complete(request(), listener, new AbortController().signal)).toMatchObject({
      ok: false,
      failure: { code: 'model-unreachable' },
    });
    const [next] = chosen.models.route(slack, null);
    expect(next.describe().key).toBe('alive');
    good.play(goodStep('here'));
    expect(await next.complete(request(), listener, new AbortController().signal)).toMatchObject({ ok: true, value: { text: 'here' } });
    expect(good.requests[0]?.body).toMatchObject({ model: 'y', temperature: 0.1, max_tokens: 99 });
  });

  it('speaks to Azure with the deployment in the path and the key in its own header', async () => {
    await using server = await startScriptedServer();
    const { chosen } = await open(
      {
        models: [
          {
            name: 'azure',
            baseUrl: server.baseUrl.replace('/v1', ''),
            apiKeyEnv: 'AZURE_KEY',
            model: 'my-deployment',
            azure: { apiVersion: '2024-10-21' },
          },
        ],
      },
      { AZURE_KEY: 'k-123456' },
    );
    server.play(goodStep('from Azure'));
    const reply = await chosen.models.route(slack, null)[0].complete(request(), listener, new AbortController().signal);
    expect(reply).toMatchObject({ ok: true, value: { text: 'from Azure' } });
    expect(server.requests[0]).toMatchObject({
      path: '/openai/deployments/my-deployment/chat/completions?api-version=2024-10-21',
      headers: { 'api-key': 'k-123456' },
    });
  });

  it('notices once that another model answers than was pinned', async () => {
    await using server = await startScriptedServer();
    const { chosen, lines, metrics } = await open({
      models: [{ name: 'pinned', baseUrl: server.baseUrl, model: 'm', pinned: { model: 'm-2024' } }],
    });
    server.play(goodStep('a'), goodStep('b'));
    const [model] = chosen.models.route(slack, null);
    await model.complete(request(), listener, new AbortController().signal);
    await model.complete(request(), listener, new AbortController().signal);
    expect(lines.filter((line) => line.message.startsWith('another model answers'))).toHaveLength(1);
    expect(await metrics.text()).toContain('hektor_model_drift_total{model="m"} 1');
  });
});
