/** `npm run eval`: puts the behaviour cases to real models and prints what passes. See docs/evaluation.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { decodeConfigFile, emptyConfigFile } from '../../src/app/config-file.ts';
import { CONFIG_FILE } from '../../src/app/config.ts';
import { modelsOf } from '../../src/app/model-settings.ts';
import { ownPrices } from '../../src/app/own-prices.ts';
import { render } from '../../src/core/prompt.ts';
import { createOpenAiModel } from '../../src/infra/openai/model.ts';
import { createLog } from '../../src/infra/pino/log.ts';
import { startPracticeModel } from '../../src/infra/practice/server.ts';
import { createPrices } from '../../src/infra/prices/prices.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import { createMetrics } from '../../src/infra/telemetry/metrics.ts';
import { callGarbledPrompt } from '../../src/prompts/index.ts';
import { evalCases } from './cases/index.ts';
import { readOptions, USAGE } from './options.ts';
import type { Target } from './options.ts';
import { toChanges, toFailures, toTable } from './report.ts';
import { changesSince, complaints, drops, resultSchema } from './result.ts';
import type { EvalResult } from './result.ts';
import { runEval } from './run.ts';
import type { Candidate } from './run.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const leave = (code: number, problems: readonly string[]): never => {
  process.stderr.write(`${problems.map((problem) => `  - ${problem}\n`).join('')}${code === 64 ? `\n${USAGE}` : ''}`);
  return process.exit(code);
};

const readEarlier = (path: string): EvalResult => {
  try {
    return resultSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    return leave(64, [`--compare: ${path} is not a result: ${error instanceof Error ? error.message : String(error)}`]);
  }
};

if (process.argv.includes('--help')) {
  say(USAGE);
  process.exit(0);
}
/** The program's own config file, for its models and prices; an empty one where there is none. */
const configFile = (() => {
  const path = process.env['HEKTOR_CONFIG'] ?? CONFIG_FILE;
  if (!existsSync(path)) return emptyConfigFile;
  const { file, problems } = decodeConfigFile(readFileSync(path, 'utf8'));
  return problems.length === 0
    ? file
    : leave(
        64,
        problems.map((problem) => `${path}: ${problem}`),
      );
})();
const known = new Map(modelsOf(configFile, process.env).models.map((model) => [model.key, model]));
const read = readOptions(process.argv.slice(2), process.env, known);
const options = 'problems' in read ? leave(64, read.problems) : read;
const cases = evalCases.filter((one) => one.id.includes(options.only));
if (cases.length === 0) leave(64, [`--only: no case is called ${options.only}`]);
const earlier = options.compare === null ? null : readEarlier(options.compare);

const practice = options.practice ? await startPracticeModel({ host: '127.0.0.1', port: 0, wordDelayMs: 0 }) : null;
const practiced = (port: number): Target => ({
  label: 'hektor-practice',
  name: 'hektor-practice',
  baseUrl: `http://127.0.0.1:${port}/v1`,
  apiKey: undefined,
});
const open = ({ label, name, baseUrl, apiKey, settings }: Target): Candidate => ({
  label: options.textProtocol ? `${label} (text protocol)` : label,
  model: createOpenAiModel({
    name,
    baseUrl,
    apiKey,
    ...(settings === undefined || settings.azure === null ? {} : { azure: settings.azure }),
    sampling: settings?.sampling ?? {},
    profile: { ...settings?.profile, ...(options.textProtocol ? { tools: false } : {}) },
    idleMs: 90_000,
    garbledCall: (generation) => render(callGarbledPrompt, { generation }),
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
  }),
});

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const result = await runEval({
  ...options,
  cases,
  candidates: [...options.targets, ...(practice === null ? [] : [practiced(practice.port)])].map(open),
  prices: createPrices(ownPrices(configFile)),
  at: new Date().toISOString(),
  signal: stop.signal,
  progress: (done, all) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done}/${all} ${done === all ? '\n' : ''}`);
  },
});
await practice?.[Symbol.asyncDispose]();

const failures = toFailures(result);
if (failures !== '') say(`${failures}\n`);
say(toTable(result));
if (options.out !== null) writeFileSync(options.out, `${JSON.stringify(result, null, 2)}\n`);
if (earlier !== null) say(`\n${toChanges(changesSince(earlier, result))}`);
const wrong = [
  ...complaints(result, options.least),
  ...(earlier === null || options.maxDrop === null ? [] : drops(earlier, result, options.maxDrop)),
];
if (wrong.length > 0) leave(1, wrong);
