/** Calls that wait for a yes, in the whole program: a plugin with effects outside, a scripted model, people who press, and kill -9 in between. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toGepl } from '../../src/core/gepl.ts';
import { callStep, goodStep } from '../servers/openai/cases.ts';
import { startScriptedServer } from '../servers/openai/server.ts';
import type { ScriptedServer, Step } from '../servers/openai/server.ts';
import { startApp } from '../support/app.ts';
import type { App } from '../support/app.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { webClient } from '../support/web-client.ts';
import type { Json, WebClient } from '../support/web-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'hektor-approvals-'));
const sentFile = join(folder, 'sent');
/** `send` has an effect outside: a line in a file, with its idempotency key. With `slow` it takes its time after that. */
const post = `import { appendFileSync } from 'node:fs';
export const plugin = ({ definePlugin, words, z }) => definePlugin({
  name: 'post', description: 'Sends.', needs: [],
  tools: (define) => [define({ name: 'send', description: words\`Sends a letter.\`, parameters: z.object({ to: z.string(), slow: z.boolean().default(false) }),
    effect: 'write', idempotent: false, parallelSafe: false, timeoutMs: 180000,
    execute: async ({ to, slow }, { callKey }) => {
      appendFileSync(${JSON.stringify(sentFile)}, to + ' ' + callKey + '\\n');
      if (slow) await new Promise((done) => setTimeout(done, 120000));
      return { text: 'sent to ' + to };
    } })],
});`;
const sent = (to: string): readonly string[] =>
  existsSync(sentFile)
    ? readFileSync(sentFile, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(`${to} `))
    : [];

const twoCalls = (...to: readonly string[]): Step => ({
  json: {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'I will write to both.',
          tool_calls: [
            ...to.map((one, n) => ({
              id: `call_${n}`,
              type: 'function',
              function: { name: 'send', arguments: JSON.stringify({ to: one }) },
            })),
            { id: 'call_t', type: 'function', function: { name: 'current_time', arguments: '{}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
  },
});

type Asked = { readonly id: string; readonly state: string; readonly text: string };
const asked = async (web: WebClient, thread: string): Promise<readonly Asked[]> =>
  ((await web.thread(thread)).messages as Json[]).flatMap((message) =>
    message.approval === null ? [] : [{ ...message.approval, text: message.text }],
  );
const decide = (web: WebClient, thread: string, verdict: 'approve' | 'deny', id: string, author?: string) =>
  web.call('POST', `/api/threads/${thread}/commands/${verdict}`, { args: id, ...(author === undefined ? {} : { author }) });

describe('approvals', { timeout: 180_000 }, () => {
  let redis: TestRedis;
  let model: ScriptedServer;
  let app: App;
  const config = (approvals: unknown): string => {
    const file = join(folder, `${Math.random()}.config.json`);
    writeFileSync(file, JSON.stringify({ plugins: ['./post.mjs'], ...(approvals === undefined ? {} : { approvals }) }));
    return file;
  };
  const start = (redisUrl: string, baseUrl: string, approvals?: unknown): Promise<App> =>
    startApp({ redisUrl, env: { OPENAI_BASE_URL: baseUrl, HEKTOR_MODEL: 'scripted', HEKTOR_CONFIG: config(approvals) } });
  beforeAll(async () => {
    writeFileSync(join(folder, 'post.mjs'), post);
    redis = await startRedis();
    model = await startScriptedServer();
    app = await start(redis.url, model.baseUrl);
  });
  afterAll(async () => {
    const problems = model.requests.flatMap((request) => request.problems);
    for (const one of [app, model, redis]) await one[Symbol.asyncDispose]();
    expect(problems).toEqual([]);
  });
  const last = (): string => JSON.stringify(model.requests.at(-1)?.body);

  it('asks first; a yes makes the very call, once, and the model goes on with its result', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    model.play(callStep('send', { to: 'first' }));
    await web.say(id, 'Write to first.');
    const [question] = await asked(web, id);
    expect(question).toMatchObject({
      state: 'waiting',
      text: expect.stringMatching(/`send`[\s\S]*"to": "first"[\s\S]*!approve [0-9a-f]{12}/),
    });
    expect(sent('first')).toEqual([]);
    expect((await web.thread(id)).busy).toBe(false);

    model.play(goodStep('The letter is on its way.'));
    expect((await decide(web, id, 'approve', question!.id)).status).toBe(200);
    const thread = await web.settled(id);
    expect(thread.messages.at(-1)?.text).toBe('The letter is on its way.');
    expect(sent('first')).toHaveLength(1);
    expect(await asked(web, id)).toMatchObject([{ state: 'approved', text: expect.stringContaining('approved the call') }]);
    expect(last()).toMatch(/has not been made: it waits for a person.*approved your call of “send”.*sent to first/);

    const again = await decide(web, id, 'approve', question!.id);
    expect(again.json.text).toMatch(/That was decided already/);
    expect((await decide(web, id, 'deny', question!.id)).json.text).toMatch(/That was decided already/);
    expect(sent('first')).toHaveLength(1);
  });

  it('a no makes nothing and tells the model; typed into the thread it does the same', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    model.play(callStep('send', { to: 'second' }));
    await web.say(id, 'Write to second.');
    const [question] = await asked(web, id);
    model.play(goodStep('Then I leave it.'));
    expect((await web.say(id, `!deny ${question!.id}`)).text).toBe('Then I leave it.');
    expect(sent('second')).toEqual([]);
    expect(last()).toMatch(/denied your call of “send”\. It was not made/);
  });

  it('is for the one who asked and the owner of the thread to decide, not for others, and only with an id that waits', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    model.play(callStep('send', { to: 'third' }));
    await web.post(id, 'Write to third.', { author: 'Bob' });
    await web.settled(id);
    const [question] = await asked(web, id);
    expect((await decide(web, id, 'approve', question!.id, 'Eve')).status).toBe(403);
    expect((await decide(web, id, 'approve', '0123456789ab')).json.text).toMatch(/Nothing that waits/);
    expect((await decide(web, id, 'approve', 'yes')).status).toBe(400);
    expect(sent('third')).toEqual([]);
    model.play(goodStep('Done.'));
    expect((await decide(web, id, 'approve', question!.id, 'Bob')).status).toBe(200);
    await web.settled(id);
    expect(sent('third')).toHaveLength(1);
  });

  it('holds no thread up: others speak meanwhile, the call stays out, and is not asked for twice', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    model.play(callStep('send', { to: 'fourth' }));
    await web.say(id, 'Write to fourth.');
    model.play(callStep('send', { to: 'fourth' }), goodStep('It waits for you.'));
    expect((await web.say(id, 'Yes, do it!')).text).toBe('It waits for you.');
    expect(last()).toMatch(/the very same call waits for a person to approve it already/);
    expect(await asked(web, id)).toHaveLength(1);
    expect(sent('fourth')).toEqual([]);
    await web.say(id, '!reset');
    const [question] = await asked(web, id);
    expect((await decide(web, id, 'approve', question!.id)).json.text).toMatch(/Nothing that waits/);
  });

  it('several calls of one step are decided one by one; the rest has run, and the model goes on after the last', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    model.play(twoCalls('fifth', 'sixth'));
    await web.say(id, 'Write to both.');
    const [first, second] = await asked(web, id);
    const before = model.requests.length;
    await decide(web, id, 'approve', second!.id);
    expect((await web.settled(id)).messages.at(-1)?.text).toMatch(/when the other call has been decided/);
    expect(sent('sixth')).toHaveLength(1);
    expect(model.requests).toHaveLength(before);
    model.play(goodStep('One went out.'));
    await decide(web, id, 'deny', first!.id);
    expect((await web.settled(id)).messages.at(-1)?.text).toBe('One went out.');
    expect(sent('fifth')).toEqual([]);
    expect(last()).toMatch(/sent to sixth.*denied your call/);
  });

  it('U128: survives kill -9 before, while and after: nothing is sent twice, and what is unknown is said to be', async () => {
    await using alone = await startRedis();
    await using own = await startScriptedServer();
    await using first = await start(alone.url, own.baseUrl);
    const id = await webClient(first.url).open();
    own.play(callStep('send', { to: 'seventh', slow: true }));
    await webClient(first.url).say(id, 'Write to seventh.');
    await first.kill();

    await using second = await start(alone.url, own.baseUrl);
    const [question] = await asked(webClient(second.url), id);
    await decide(webClient(second.url), id, 'approve', question!.id);
    await until(async () => sent('seventh').length > 0, 'the letter is out');
    await second.kill();

    own.play(goodStep('I do not know whether it arrived.'));
    await using third = await start(alone.url, own.baseUrl);
    const web = webClient(third.url);
    expect((await web.settled(id, 120_000)).messages.at(-1)?.text).toBe('I do not know whether it arrived.');
    expect(JSON.stringify(own.requests.at(-1)?.body)).toMatch(/was interrupted before its result arrived/);
    expect(sent('seventh')).toHaveLength(1);
    expect((await decide(web, id, 'approve', question!.id)).json.text).toMatch(/That was decided already/);
    await sleep(500);
    expect(sent('seventh')).toHaveLength(1);
    expect(own.requests.flatMap((request) => request.problems)).toEqual([]);
  });

  it('by setting: never for a plugin, and for a tool that only reads; with the GEPL text protocol, too', async () => {
    await using alone = await startRedis();
    await using poor = await startScriptedServer();
    await using other = await start(alone.url, poor.baseUrl, { default: 'never', tools: { python: 'ask' } });
    const web = webClient(other.url);
    const id = await web.open();
    poor.play(callStep('send', { to: 'eighth' }), goodStep('Sent.'));
    expect((await web.say(id, 'Write to eighth.')).text).toBe('Sent.');
    expect(sent('eighth')).toHaveLength(1);

    poor.play(
      { http: { status: 400, body: { error: { message: 'registry/phi does not support tools', type: 'api_error' } } } },
      goodStep('I would call a tool.'),
      goodStep(toGepl('Adds.', '40 + 2')),
    );
    await web.say(id, 'What is 40 + 2?');
    const [question] = await asked(web, id);
    expect(question?.text).toContain('40 + 2');
    poor.play(goodStep('It is 42.'));
    await decide(web, id, 'approve', question!.id);
    const answer = (await web.settled(id)).messages.at(-1);
    expect(answer).toMatchObject({ text: 'It is 42.', runs: [{ by: 'model', code: '40 + 2', value: '42' }] });
    expect(JSON.stringify(poor.requests.at(-1)?.body)).not.toContain('"tool_calls"');
    expect(poor.requests.flatMap((request) => request.problems)).toEqual([]);
  });
});
