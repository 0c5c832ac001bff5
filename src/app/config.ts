/** Settings: read from the environment by one schema; every problem is reported at once, and no value of a secret is ever named. */
import { z } from 'zod';
import type { BudgetLimits } from '../core/budget.ts';
import type { Rules } from '../core/gate.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { accessShape, toRules } from './access-settings.ts';
import { budgetShape, toBudgetLimits } from './budget-settings.ts';
import { decodeConfigFile, emptyConfigFile } from './config-file.ts';
import type { ConfigFile } from './config-file.ts';
import { modelsOf } from './model-settings.ts';
import type { ModelSettings } from './model-settings.ts';

type Env = { readonly [name: string]: string | undefined };

const text = z.string().trim().min(1);
const milliseconds = z.coerce
  .number()
  .int()
  .min(100)
  .max(24 * 3_600_000);
const url = z.url();
/** `host` or `host:port`, with commas between. IPv6 addresses stand in brackets. */
const hosts = z.string().transform((value, context) => {
  const list = value
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '');
  const wrong = list.find((one) => !/^(\[[0-9a-f:.]+\]|[^\s/:@[\]]+)(:\d{1,5})?$/.test(one));
  if (wrong !== undefined) context.addIssue({ code: 'custom', message: `${wrong} is neither host nor host:port` });
  return list;
});

const schema = z.object({
  HEKTOR_ROLE: z.enum(['all', 'gateway', 'worker']).default('all'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HEKTOR_HOST: text.default('127.0.0.1'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).default('redis://127.0.0.1:6379'),
  DOCKER_HOST: text.default(''),
  HEKTOR_SANDBOX_IMAGE: text.default('hektor-sandbox:latest'),
  HEKTOR_SANDBOX_POOL: z.coerce.number().int().min(0).max(64).default(2),
  HEKTOR_SANDBOX_MAX: z.coerce.number().int().min(1).max(256).default(40),
  HEKTOR_SANDBOX_RUNS: z.coerce.number().int().min(1).max(256).default(8),
  HEKTOR_SANDBOX_RUNTIME: text.optional(),
  HEKTOR_SANDBOX_LINGER_MS: milliseconds.default(60_000),
  OPENAI_API_KEY: text.optional(),
  OPENAI_BASE_URL: url.optional(),
  HEKTOR_MODEL: text.optional(),
  HEKTOR_TOOL_CALLS: z.enum(['auto', 'off']).default('auto'),
  HEKTOR_PRACTICE: z.enum(['on', 'off']).default('off'),
  HEKTOR_CONTEXT_TOKENS: z.coerce.number().int().min(1_000).max(10_000_000).optional(),
  HEKTOR_MODEL_IDLE_MS: milliseconds.default(90_000),
  HEKTOR_TURN_MS: milliseconds.default(300_000),
  HEKTOR_RUN_MS: milliseconds.default(30_000),
  HEKTOR_CONCURRENCY: z.coerce.number().int().min(1).max(1_000).default(20),
  ...budgetShape,
  ...accessShape,
  HEKTOR_FETCH_ALLOW: hosts.default([]),
  HEKTOR_RETENTION_DAYS: z.coerce.number().min(1).max(36_500).optional(),
  HEKTOR_ENCRYPTION_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  HEKTOR_CONFIG: text.optional(),
  HEKTOR_WEB_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
});

export type Config = {
  readonly role: 'all' | 'gateway' | 'worker';
  readonly http: { readonly host: string; readonly port: number };
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly redisUrl: string;
  /** Seals blobs at rest; null: they are stored as they are. */
  readonly encryptionKey: string | null;
  readonly sandbox: {
    readonly engine: string;
    readonly image: string;
    readonly pool: number;
    readonly max: number;
    readonly runs: number;
    readonly runtime: string | null;
    readonly lingerMs: number;
  };
  /** What chooses the model where none is named in the file. */
  readonly model: {
    readonly apiKey: string | undefined;
    readonly baseUrl: string | undefined;
    readonly name: string | undefined;
    readonly practice: boolean;
    readonly toolCalls: boolean;
    readonly idleMs: number;
    readonly contextTokens: number | undefined;
  };
  /** The models of the file, and how one of all is chosen. */
  readonly models: readonly ModelSettings[];
  readonly file: ConfigFile;
  readonly turnMs: number;
  readonly runMs: number;
  readonly concurrency: number;
  readonly budgets: BudgetLimits;
  readonly rules: Rules;
  /** Conversations without a message for so long are erased; null: none is. */
  readonly retentionDays: number | null;
  /** Hosts that may be fetched from although they are not public. */
  readonly fetchAllow: readonly string[];
};

/** The names of all settings, for `.env.example` and its test. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

/** Reads a file; null where it is not there. */
export type ReadFile = (path: string) => string | null;

export const CONFIG_FILE = 'hektor.config.json';

/** The configuration, or all its problems. A setting that is set to nothing counts as not set, as in `.env` files. */
export const readConfig = (env: Env, readFile: ReadFile = () => null): Result<Config, Failure> => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const decoded = schema.safeParse(set);
  const { file, models, problems: inFile } = readConfigFile(set, readFile);
  const problems = [
    ...(decoded.success ? open(decoded.data) : decoded.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)),
    ...inFile,
  ];
  if (!decoded.success || problems.length > 0) return err(failure('config-invalid', { problems }, problems.join('; ')));
  const it = decoded.data;
  return ok({
    role: it.HEKTOR_ROLE,
    http: { host: it.HEKTOR_HOST, port: it.PORT },
    logLevel: it.LOG_LEVEL,
    redisUrl: it.REDIS_URL,
    encryptionKey: it.HEKTOR_ENCRYPTION_KEY ?? null,
    sandbox: {
      engine: it.DOCKER_HOST,
      image: it.HEKTOR_SANDBOX_IMAGE,
      pool: it.HEKTOR_SANDBOX_POOL,
      max: it.HEKTOR_SANDBOX_MAX,
      runs: it.HEKTOR_SANDBOX_RUNS,
      runtime: it.HEKTOR_SANDBOX_RUNTIME ?? null,
      lingerMs: it.HEKTOR_SANDBOX_LINGER_MS,
    },
    model: {
      apiKey: it.OPENAI_API_KEY,
      baseUrl: it.OPENAI_BASE_URL,
      name: it.HEKTOR_MODEL,
      practice: it.HEKTOR_PRACTICE === 'on',
      toolCalls: it.HEKTOR_TOOL_CALLS === 'auto',
      idleMs: it.HEKTOR_MODEL_IDLE_MS,
      contextTokens: it.HEKTOR_CONTEXT_TOKENS,
    },
    models,
    file,
    turnMs: it.HEKTOR_TURN_MS,
    runMs: it.HEKTOR_RUN_MS,
    concurrency: it.HEKTOR_CONCURRENCY,
    budgets: toBudgetLimits(it),
    rules: toRules(it),
    retentionDays: it.HEKTOR_RETENTION_DAYS ?? null,
    fetchAllow: it.HEKTOR_FETCH_ALLOW,
  });
};

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** What is wrong with settings that are right each by itself. */
const open = (it: z.output<typeof schema>): readonly string[] =>
  isLoopback(it.HEKTOR_HOST) || it.HEKTOR_WEB_TOKEN !== undefined
    ? []
    : ['HEKTOR_WEB_TOKEN: must be set where HEKTOR_HOST is not a loopback address, or anybody could use the web page'];

const readConfigFile = (env: Env, readFile: ReadFile) => {
  const named = env['HEKTOR_CONFIG'];
  const path = named ?? CONFIG_FILE;
  const content = readFile(path);
  const missing = named !== undefined && content === null ? [`HEKTOR_CONFIG: there is no file ${path}`] : [];
  const decoded = content === null ? { file: emptyConfigFile, problems: [] } : decodeConfigFile(content);
  const resolved = modelsOf(decoded.file, env);
  return {
    file: decoded.file,
    models: resolved.models,
    problems: [...missing, ...[...decoded.problems, ...resolved.problems].map((problem) => `${path}: ${problem}`)],
  };
};
