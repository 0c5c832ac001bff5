/** The loop over a scripted model: what a person sees when a model is sloppy, and what the model is sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toGepl } from '../../src/core/gepl.ts';
import { callStep, goodStep } from '../servers/openai/cases.ts';
import { startScriptedServer } from '../servers/openai/server.ts';
import type { ScriptedServer, Step } from '../servers/openai/server.ts';
import { startApp } from '../support/app.ts';
import type { App } from '../support/app.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { webClient } from '../support/web-client.ts';

const overflow: Step = {
  http: {
    status: 400,
    body: {
      error: {
        message: "This model's maximum context length is 8192 tokens.",
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    },
  },
};
const noTools: Step = { http: { status: 400, body: { error: { message: 'registry/phi does not support tools', type: 'api_error' } } } };

describe('the loop', { timeout: 120_000 }, () => {
  let redis: TestRedis;
  let model: ScriptedServer;
  let app: App;
  beforeAll(async () => {
    redis = await startRedis();
    model = await startScriptedServer();
    app = await startApp({ redisUrl: redis.url, env: { OPENAI_BASE_URL: model.baseUrl, HEKTOR_MODEL: 'scripted' } });
  });
  afterAll(async () => {
    // Whatever any test made the loop send was valid in the strictest reading.
    const problems = model.requests.flatMap((request) => request.problems);
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    expect(problems).toEqual([]);
  });
  const lastRequest = (): string => JSON.stringify(model.requests.at(-1)?.body);

  it('MA7: an unknown function is answered with the names there are, and the turn goes on', async () => {
    const web = webClient(app.url);
    model.play(callStep('browse_internet', { url: 'x' }), goodStep('I have no browser.'));
    expect(await web.say(await web.open(), 'look it up')).toMatchObject({ text: 'I have no browser.', status: 'complete' });
    expect(lastRequest()).toMatch(/There is no tool “browse_internet”.*current_time.*python/);
  });

  it('MB11: broken arguments are told, not guessed', async () => {
    const web = webClient(app.url);
    model.play(callStep('current_time', '{"timeZone": "Eur'), goodStep('Never mind.'));
    expect(await web.say(await web.open(), 'time?')).toMatchObject({ text: 'Never mind.' });
    expect(lastRequest()).toMatch(/not usable/);
  });

  it('MI1, U094, U101: the same call for ever ends with an answer without tools', async () => {
    const web = webClient(app.url);
    const same = callStep('current_time', { timeZone: 'Mars/Olympus' });
    model.play(same, same, same, same, same, goodStep('That time zone does not exist.'));
    expect(await web.say(await web.open(), 'time on Mars?')).toMatchObject({ text: 'That time zone does not exist.', status: 'complete' });
    expect(model.requests.at(-1)?.body['tool_choice']).toBe('none');
    expect(lastRequest()).toMatch(/going round in circles/);
  });

  it('announces an uploaded table with its columns and rows', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    const form = new FormData();
    form.set('text', 'what is in it?');
    form.append('files', new Blob(['month,sold\nJan,120\nFeb,80\n'], { type: 'text/csv' }), 'sales.csv');
    model.play(goodStep('Sales by month.'));
    expect((await web.call('POST', `/api/threads/${id}/messages`, form)).status).toBe(202);
    expect((await web.settled(id)).messages.at(-1)?.text).toBe('Sales by month.');
    expect(lastRequest()).toMatch(/sales\.csv.*a table of 2 rows and the columns “month”, “sold”/);
  });

  it('MD3, U133: an empty reply is nudged once', async () => {
    const web = webClient(app.url);
    model.play(goodStep(' \n '), goodStep('Here I am.'));
    expect(await web.say(await web.open(), 'hello?')).toMatchObject({ text: 'Here I am.' });
    expect(lastRequest()).toMatch(/your last reply was empty/);
  });

  it('MD10: an answer cut by its length is gone on with', async () => {
    const web = webClient(app.url);
    model.play(goodStep('One, two,', 'length'), goodStep(' three.'));
    expect((await web.say(await web.open(), 'count')).text).toMatch(/One, two,\s+three\./);
  });

  it('MG1, U104: a context that does not fit is sent again smaller', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    model.play(goodStep('noted'), overflow, goodStep('short enough now'));
    await web.say(id, 'x'.repeat(60_000));
    expect(await web.say(id, 'and now?')).toMatchObject({ text: 'short enough now', status: 'complete' });
    const [first, second] = model.requests.slice(-2).map((request) => JSON.stringify(request.body).length);
    expect(second).toBeLessThan(first!);
  });

  it('tells the model of a person’s run and its result, and not to run it again', async () => {
    const web = webClient(app.url);
    const id = await web.open();
    await web.say(id, '>>> print(10)');
    model.play(callStep('python', { code: 'x = 10\nx' }), goodStep('x is 10.'));
    expect(await web.say(id, 'set x to 10')).toMatchObject({ text: 'x is 10.', runs: [{ n: 2, by: 'model', value: '10' }] });
    expect(lastRequest()).toMatch(
      /executed this code in the shared Python session:.*print\(10\).*It is already executed: do not run it again/,
    );
    expect((await web.say(id, '>>> x')).runs[0]).toMatchObject({ n: 3, value: '10' });
  });

  it('speaks the GEPL text protocol once the server refuses tools: code is run, a refusal is shown as one', async () => {
    // A Redis of its own too: any worker on one Redis may take a turn, and each asks its own model.
    await using alone = await startRedis();
    await using poor = await startScriptedServer();
    await using other = await startApp({ redisUrl: alone.url, env: { OPENAI_BASE_URL: poor.baseUrl, HEKTOR_MODEL: 'poor' } });
    const web = webClient(other.url);
    const id = await web.open();
    await web.say(id, '>>> x = 41');
    poor.play(noTools, goodStep('I would call a tool.'), goodStep(toGepl('Adds one to x.', 'x + 1')), goodStep('It is 42.'));
    const answer = await web.say(id, 'what is x + 1?');
    expect(answer.text).toBe('Adds one to x.\n\nIt is 42.');
    expect(answer.runs).toMatchObject([{ n: 2, by: 'model', code: 'x + 1', value: '42' }]);
    const sent = JSON.stringify(poor.requests.at(-1)?.body);
    expect(sent).toContain('STARTCODE');
    expect(sent).not.toContain('"tool_calls"');
    expect(sent).not.toContain('"role":"tool"');

    poor.play(goodStep(toGepl('There is no network here.', '')));
    expect(await web.say(id, 'download the page')).toMatchObject({
      text: 'I cannot write code for this: There is no network here.',
      runs: [],
    });
    expect(poor.requests.flatMap((request) => request.problems)).toEqual([]);
  });
});
