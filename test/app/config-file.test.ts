import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/app/config.ts';

const read = (file: unknown, env: Record<string, string> = {}) =>
  readConfig(env, (path) => (path === 'hektor.config.json' ? (typeof file === 'string' ? file : JSON.stringify(file)) : null));
const problemsOf = (result: ReturnType<typeof readConfig>): readonly string[] =>
  !result.ok && result.failure.code === 'config-invalid' ? result.failure.problems : [];
const local = { name: 'local', baseUrl: 'http://127.0.0.1:11434/v1', model: 'llama3.3' };

describe('hektor.config.json', () => {
  it('sets up several models, their keys taken from the environment', () => {
    const result = read(
      {
        models: [
          local,
          {
            name: 'large',
            baseUrl: 'https://openrouter.ai/api/v1',
            apiKeyEnv: 'ROUTER_KEY',
            model: 'vendor/large',
            profile: { passBack: 'none' },
            contextTokens: 200_000,
            maxOutputTokens: 8_000,
            temperature: 0.2,
            images: true,
            price: { inputPerMillion: 1, outputPerMillion: 2 },
            pinned: { model: 'vendor/large-2026' },
          },
        ],
        default: 'large',
        fallback: ['local'],
        channels: [{ pattern: 'slack/*/C1', model: 'local' }],
        summary: 'local',
      },
      { ROUTER_KEY: 'secret-value' },
    );
    expect(result).toMatchObject({
      ok: true,
      value: {
        models: [
          { key: 'local', apiKey: undefined, images: false, window: null },
          {
            key: 'large',
            apiKey: 'secret-value',
            profile: { passBack: 'none' },
            sampling: { temperature: 0.2, maxOutputTokens: 8_000 },
            window: 200_000,
            pinned: { model: 'vendor/large-2026', fingerprint: null },
          },
        ],
        file: { default: 'large', fallback: ['local'] },
      },
    });
  });

  it('is not needed', () => {
    expect(readConfig({})).toMatchObject({ ok: true, value: { models: [] } });
  });

  it('reports every problem at once, with those of the environment, and no value of a secret', () => {
    const problems = problemsOf(
      read(
        {
          models: [
            { ...local, apiKeyEnv: 'sk-this-is-the-key-itself' },
            { ...local, baseUrl: 'ftp://x', temperature: 9, colour: 'red' },
          ],
          default: 'nobody',
          fallback: ['gone'],
          channels: [{ pattern: 'slack', model: 'local' }],
        },
        { PORT: 'many' },
      ),
    );
    const all = problems.join('\n');
    expect(all).toMatch(/^PORT: /m);
    for (const place of ['models.0.apiKeyEnv', 'models.1.baseUrl', 'models.1.temperature', 'colour', 'channels.0.pattern'])
      expect(all).toContain(place);
    expect(all).not.toContain('sk-this-is');
  });

  it('names models that are referred to and not set up, names given twice, and keys that are not set', () => {
    const all = problemsOf(
      read({ models: [{ ...local, apiKeyEnv: 'LOCAL_KEY' }, local], default: 'nobody', fallback: ['gone'], summary: 'default' }),
    ).join('\n');
    expect(all).toContain('no model is called nobody');
    expect(all).toContain('no model is called gone');
    expect(all).toContain('two models are called local');
    expect(problemsOf(read({ models: [{ ...local, apiKeyEnv: 'LOCAL_KEY' }], summary: 'default' })).join('\n')).toMatch(
      /LOCAL_KEY is not set[^]*neither OPENAI_API_KEY nor OPENAI_BASE_URL/,
    );
  });

  it('says where a file that was named is not there, and where one is not JSON', () => {
    expect(problemsOf(readConfig({ HEKTOR_CONFIG: '/nowhere.json' }))).toEqual(['HEKTOR_CONFIG: there is no file /nowhere.json']);
    expect(problemsOf(read('{ "models": [ sk-secret'))).toEqual(['hektor.config.json: it is not JSON']);
  });
});
