/** The whole program with MCP servers and a plugin of the operator's, over a scripted model that reads every request strictly. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callStep, goodStep } from '../../servers/openai/cases.ts';
import { startScriptedServer } from '../../servers/openai/server.ts';
import type { ScriptedServer } from '../../servers/openai/server.ts';
import { startApp } from '../../support/app.ts';
import type { App } from '../../support/app.ts';
import { startRedis } from '../../support/redis.ts';
import type { TestRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';
import { webClient } from '../../support/web-client.ts';
import { stdio } from './bench.ts';

const folder = mkdtempSync(join(tmpdir(), 'hektor-mcp-app-'));
const pidFile = join(folder, 'pids');
const configFile = join(folder, 'hektor.config.json');

const config = {
  mcpServers: { silent: stdio('silent', { connectMs: 600_000 }, pidFile), junk: stdio('junk', {}, pidFile) },
  plugins: ['./dice.mjs'],
};
const dice = `export const plugin = ({ definePlugin, words, z }) => definePlugin({
  name: 'dice', description: 'Rolls.', needs: [],
  tools: (define) => [define({ name: 'roll', description: words\`Rolls a die.\`, parameters: z.object({ sides: z.int() }), effect: 'read',
    idempotent: true, parallelSafe: true, timeoutMs: 1000, execute: async ({ sides }) => ({ text: 'rolled ' + sides }) })],
});`;

describe('the program with plugins from outside', { timeout: 120_000 }, () => {
  let redis: TestRedis;
  let model: ScriptedServer;
  let app: App;
  beforeAll(async () => {
    writeFileSync(configFile, JSON.stringify(config));
    writeFileSync(join(folder, 'dice.mjs'), dice);
    redis = await startRedis();
    model = await startScriptedServer();
    const env = { OPENAI_BASE_URL: model.baseUrl, HEKTOR_MODEL: 'scripted', HEKTOR_CONFIG: configFile, HEKTOR_SANDBOX_POOL: '0' };
    app = await startApp({ redisUrl: redis.url, env });
  });
  afterAll(async () => {
    const problems = model.requests.flatMap((request) => request.problems);
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    expect(problems).toEqual([]);
  });
  const last = (): string => JSON.stringify(model.requests.at(-1)?.body);

  it('U100: answers a plain question while an MCP server never answers initialize', async () => {
    const web = webClient(app.url);
    model.play(goodStep('Four.'));
    expect(await web.say(await web.open(), 'What is two and two?')).toMatchObject({ text: 'Four.', status: 'complete' });
    expect(last()).not.toContain('silent__');
  });

  it('runs a tool of an MCP server, and fences what it said', async () => {
    const web = webClient(app.url);
    await until(async () => {
      model.play(goodStep('Yes.'));
      await web.say(await web.open(), 'Are you there?');
      return last().includes('junk__echo');
    }, 'the tools of the server offered');
    model.play(callStep('junk__echo', { text: 'from the server' }), goodStep('It said so.'));
    expect(await web.say(await web.open(), 'Ask the server.')).toMatchObject({ text: 'It said so.' });
    expect(last()).toMatch(/<outside>\\nfrom the server\\n<\/outside>/);
  });

  it('runs a tool of a plugin that was brought by path', async () => {
    const web = webClient(app.url);
    model.play(callStep('roll', { sides: 6 }), goodStep('Rolled.'));
    expect(await web.say(await web.open(), 'Roll.')).toMatchObject({ text: 'Rolled.' });
    expect(last()).toContain('rolled 6');
  });

  it('ends the processes of its servers when it ends', async () => {
    await app.stop();
    const pids = readFileSync(pidFile, 'utf8').trim().split('\n').map(Number);
    expect(pids).toHaveLength(2);
    const alive = pids.filter((pid) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    });
    expect(alive).toEqual([]);
  });

  it('is examined by the doctor, who names the server that does not answer', async () => {
    const examined = join(folder, 'examined.config.json');
    const mcpServers = { silent: stdio('silent', { connectMs: 2_000 }), good: stdio('good') };
    writeFileSync(examined, JSON.stringify({ mcpServers, plugins: ['./dice.mjs'] }));
    const start = startApp({ redisUrl: redis.url, env: { HEKTOR_CONFIG: examined }, args: ['--doctor'] });
    const said = await start.then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(said).toContain('Plugins: ./dice.mjs is loaded');
    expect(said).toMatch(/FAULT MCP server silent: cannot be reached: no answer within 2 s/);
    expect(said).toMatch(/ok +MCP server good: connected, 8 tools/);
  });

  it('does not start with a plugin that is wrong, and says all that is', async () => {
    const broken = join(folder, 'broken.config.json');
    writeFileSync(broken, JSON.stringify({ plugins: ['./gone.mjs'], mcpServers: { a: { command: 'x', env: ['NOT_SET'] } } }));
    const start = startApp({ redisUrl: redis.url, env: { HEKTOR_CONFIG: broken } });
    await expect(start).rejects.toThrow(/ended with 78[\s\S]*plugins: \.\/gone\.mjs[\s\S]*mcpServers\.a: NOT_SET is not set/);
  });
});
