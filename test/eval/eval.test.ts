/** The evaluation itself, on scripted replies, the practice model, and as a process. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPrices } from '../../src/infra/prices/prices.ts';
import { openModel } from '../infra/openai/harness.ts';
import { callStep, goodStep } from '../servers/openai/cases.ts';
import { startScriptedServer } from '../servers/openai/server.ts';
import type { ScriptedServer, Step } from '../servers/openai/server.ts';
import type { EvalCase } from './case.ts';
import { toEntries } from './case.ts';
import { evalCases } from './cases/index.ts';
import { callsAtOnce, faultsOf } from './check.ts';
import { languageOf } from './language.ts';
import { readOptions } from './options.ts';
import { toChanges, toFailures, toTable } from './report.ts';
import { changesSince, complaints, drops, resultSchema } from './result.ts';
import type { EvalResult } from './result.ts';
import { runEval } from './run.ts';
import type { RunOptions } from './run.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const named = (id: string): EvalCase => {
  const found = evalCases.find((one) => one.id === id);
  if (found === undefined) throw new TypeError(`no case ${id}`);
  return found;
};
const python = (code: string): Step => callStep('python', JSON.stringify({ code }));

const run = (ids: readonly string[], steps: readonly Step[], more: Partial<RunOptions> = {}): Promise<EvalResult> => {
  server.play(...steps);
  return runEval({
    cases: ids.map(named),
    candidates: [{ label: 'm', model: openModel(server.baseUrl).model }],
    samples: 1,
    concurrency: 1,
    maxMicros: null,
    maxTokens: null,
    prices: createPrices(new Map([['m', { input: 1, cachedInput: null, output: 1 }]])),
    at: 'now',
    signal: new AbortController().signal,
    progress: () => {},
    ...more,
  });
};

describe('the cases', () => {
  it('are at least 25, each with an id of its own, a history that decodes, and something that is expected', () => {
    expect(evalCases.length).toBeGreaterThanOrEqual(25);
    expect(new Set(evalCases.map((one) => one.id)).size).toBe(evalCases.length);
    for (const one of evalCases) {
      expect(toEntries(one).length, one.id).toBeGreaterThan(0);
      expect(Object.keys(one.expect).length, one.id).toBeGreaterThan(0);
    }
  });

  it('GEPL: "set x to 10" after print(10) passes with code and fails with a refusal', async () => {
    const good = await run(['set-after-print'], [python('x = 10')]);
    expect(good.models[0]!.cases).toMatchObject([{ passed: 1, of: 1 }]);
    const bad = await run(['set-after-print'], [goodStep('That was already executed.')]);
    expect(bad.models[0]!.cases[0]!.failures[0]!.faults).toContain('it does not call python');
    const again = await run(['set-after-print'], [python('print(10)\nx = 10')]);
    expect(again.models[0]!.cases[0]!.failures[0]!.faults).toEqual(['the code has /print\\(10\\)/']);
  });

  it('GEPL: a defined function may be called within itself, and not besides', async () => {
    const fib = 'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)';
    const result = await run(['define-not-call'], [python(fib), python(`${fib}\n\nprint(fib(10))`)], { samples: 2 });
    expect(result.models[0]!.cases).toMatchObject([{ passed: 1, of: 2, failures: [{ faults: ['the code calls fib'] }] }]);
  });

  it('send what the loop sends: system prompt, all tools, the run that was executed, the request last', async () => {
    await run(['set-after-print'], [python('x = 10')]);
    const { body, problems } = server.requests.at(-1)!;
    const messages = body['messages'] as { role: string; content: string }[];
    expect(problems).toEqual([]);
    expect(messages[0]!.content).toContain('You are Hektor');
    expect(messages.at(-2)!.content).toContain('already executed');
    expect(messages.at(-1)!.content).toContain('set x to 10');
    const tools = body['tools'] as { function: { name: string } }[];
    expect(tools.map((tool) => tool.function.name)).toEqual(expect.arrayContaining(['python', 'web_page', 'web_search', 'current_time']));
  });
});

describe('checks', () => {
  it.each([
    ['def f():\n    return f()\nf()', true],
    ['for i in range(3):\n    print(f(i))', true],
    ['x = [\n  f(1),\n]', true],
    ['def f():\n    return f()', false],
    ['class A:\n    def f(self):\n        return f()', false],
    ['# f()\nx = "f()"\n"""\nf()\n"""', false],
    ['def g():\n    pass', false],
  ])('finds a call that happens at once: %j', (code, is) => expect(callsAtOnce(code, 'f')).toBe(is));

  it.each([
    ['Der Himmel ist blau, weil die Luft das blaue Licht stärker streut.', 'de'],
    ['The sky is blue because the air scatters short waves more.', 'en'],
    ["Le soir, la lumière traverse plus d'air et le bleu est diffusé ailleurs.", 'fr'],
    ['No puedo llamar por teléfono porque no tengo acceso a una línea.', 'es'],
    ['42', null],
    ['`the of and to is` 42', null],
  ])('tells the language of %j', (text, language) => expect(languageOf(text)).toBe(language));

  it('says what is wrong in words', () => {
    const call = { name: 'web_page', arguments: '{"url":"https://evil.example/"}', problem: null };
    expect(faultsOf({ text: 'x'.repeat(20), calls: [call] }, { calls: 'none', arguments: { mustNot: [/evil/] }, longest: 10 })).toEqual([
      'it calls web_page',
      'the arguments has /evil/',
      'the text has 20 characters, more than 10',
    ]);
    expect(faultsOf({ text: ' ', calls: [] }, {})).toEqual(['the reply is empty']);
  });
});

describe('a run', () => {
  it('stops at its limits, says so, and keeps failed requests apart from failed cases', async () => {
    const few = await run(['thanks', 'plain-question'], [goodStep('Paris.')], { samples: 3, maxTokens: 10 });
    expect(few.notRun).toBe(5);
    const failed = await run(['thanks'], [{ http: { status: 401, body: { error: { message: 'no' } } } }]);
    expect(failed.models[0]!.cases[0]).toMatchObject({ passed: 0, of: 0, errors: [expect.stringContaining('401')] });
    expect(complaints(few, 0)).toEqual(['5 samples were not run: a limit was reached']);
    expect(complaints(failed, 0)).toEqual(['m: 1 requests failed', 'm: nothing was judged']);
    expect(toFailures(failed)).toContain('m · thanks: ');
  });

  it('counts tokens and money, and stops at its money', async () => {
    const result = await run(['thanks'], [goodStep('Welcome!'), goodStep('Welcome!')], { samples: 5, maxMicros: 20 });
    expect(result.models[0]).toMatchObject({ tokens: 24, costMicros: 24 });
    expect(result.notRun).toBe(3);
    const unknown = await run(['thanks'], [goodStep('Welcome!')], { prices: createPrices(new Map()) });
    expect(unknown.models[0]!.costMicros).toBeNull();
    expect(toTable(unknown)).toMatch(/cost +unknown/);
  });

  it('shows models side by side and compares with an earlier run', async () => {
    const earlier = await run(['thanks', 'plain-question'], [goodStep('You are welcome.'), goodStep('Paris.')]);
    const now = await run(['thanks', 'plain-question'], [goodStep('You are welcome.'), goodStep('Lyon.')]);
    expect(resultSchema.parse(JSON.parse(JSON.stringify(now)))).toEqual(now);
    expect(toTable(now)).toMatch(/^Prompts: .*initial v\d+[\s\S]*thanks +1\/1\nplain-question +0\/1\n[\s\S]*passed +50 %/);
    expect(toChanges(changesSince(earlier, now))).toBe('worse   m · plain-question: 100 % -> 0 %');
    expect(changesSince(now, now)).toEqual([]);
    expect(drops(earlier, now, 0.4)).toEqual(['m: fell from 100 % to 50 %']);
    expect(drops(earlier, now, 0.5)).toEqual([]);
    expect(complaints(now, 0.9)).toEqual(['m: 50 % passed, less than 90 %']);
  });

  it('asks models without function calls by the text protocol', async () => {
    const text = 'STARTDESC\nSets x.\nENDDESC\nSTARTCODE\nx = 10\nENDCODE';
    const { model } = openModel(server.baseUrl, { profile: { tools: false } });
    const result = await run(['set-after-print', 'ask-the-clock'], [goodStep(text)], { candidates: [{ label: 'm', model }] });
    // The clock is a tool, which such a model cannot call: that is no failure of its.
    expect(result.models[0]!.cases).toMatchObject([
      { passed: 1, of: 1 },
      { passed: 0, of: 0, errors: [] },
    ]);
    expect(complaints(result, 1)).toEqual([]);
  });
});

describe('the options', () => {
  it('name models with servers of their own, and keep each key to its server', () => {
    const env = { OPENAI_API_KEY: 'sk-main', OPENAI_BASE_URL: 'http://main/v1', OTHER_KEY: 'sk-other' };
    const read = readOptions(['--models=a, @cf/b,c@https://x.example/v1#OTHER_KEY,d@http://y.example'], env);
    expect(read).toMatchObject({
      targets: [
        { label: 'a', baseUrl: 'http://main/v1', apiKey: 'sk-main' },
        { label: '@cf/b', baseUrl: 'http://main/v1' },
        { label: 'c@x.example', name: 'c', baseUrl: 'https://x.example/v1', apiKey: 'sk-other' },
        { label: 'd@y.example', apiKey: undefined },
      ],
    });
  });

  it('tell all problems at once', () => {
    expect(readOptions(['--samples=0', '--least=2', '--models=a@https://x#MISSING'], {})).toEqual({
      problems: ['--samples: 0 is not a number that fits', '--least: 2 is not a number that fits', '--models: MISSING is not set'],
    });
    expect(readOptions([], {})).toEqual({ problems: ['--models: none is named'] });
    expect(readOptions(['--wrong'], {})).toHaveProperty('problems');
  });
});

describe('npm run eval', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'hektor-eval-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const evaluate = (...args: readonly string[]) =>
    spawnSync(process.execPath, [resolve(import.meta.dirname, 'main.ts'), ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });

  it('ends with 0 where all pass, 1 where not, 64 where the options are wrong; writes and compares', () => {
    const file = join(folder, 'result.json');
    const good = evaluate('--practice', '--only=set-after-print', '--samples=2', `--out=${file}`);
    expect([good.status, good.stderr]).toEqual([0, '']);
    expect(good.stdout).toMatch(/set-after-print +2\/2/);
    expect(resultSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).samples).toBe(2);
    const compared = evaluate('--practice', '--only=set-after', '--samples=1', `--compare=${file}`, '--max-drop=0');
    expect([compared.status, compared.stdout.includes('No case differs')]).toEqual([0, true]);
    expect(evaluate('--practice', '--only=german', '--samples=1').status).toBe(1);
    expect(evaluate('--models=').status).toBe(64);
    expect(evaluate('--practice', '--only=no-such-case').status).toBe(64);
  });
});
