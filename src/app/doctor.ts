/**
 * `npm run doctor`: looks at everything Hektor stands on and says for each fault the exact fix. Ends with 1 where something would not work;
 * advice alone ends with 0.
 */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { createDriftWatch } from '../core/drift.ts';
import type { Pin } from '../core/drift.ts';
import { forOperator } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { advice, fault, good } from '../core/finding.ts';
import type { Finding } from '../core/finding.ts';
import { conversationIdOf } from '../core/ids.ts';
import { render } from '../core/prompt.ts';
import { definePlugin } from '../core/plugin.ts';
import { words } from '../core/trust.ts';
import { PROTOCOL } from '../infra/docker/driver-frame.ts';
import { inspectEngine } from '../infra/docker/inspect.ts';
import type { EngineReport } from '../infra/docker/inspect.ts';
import { createRedis } from '../infra/redis/connection.ts';
import type { RedisConnection } from '../infra/redis/connection.ts';
import { inspectRedis } from '../infra/redis/inspect.ts';
import { systemClock } from '../infra/system/clock.ts';
import { createMetrics } from '../infra/telemetry/metrics.ts';
import type { Log } from '../ports/log.ts';
import type { Model } from '../ports/model.ts';
import { hintPrompt } from '../prompts/index.ts';
import { toolSpecs, toolTable } from '../turn/tool-table.ts';
import { DEFAULT_CONTEXT } from './context-budget.ts';
import { chooseModels } from './choose-model.ts';
import type { Config } from './config.ts';
import { examineAdapters } from './doctor-adapters.ts';
import { problemsOf } from './read-plugins.ts';
import { startPlugins } from './start-plugins.ts';

type Env = { readonly [name: string]: string | undefined };

export const examine = async (config: Config, env: Env, log: Log): Promise<readonly Finding[]> => {
  await using redis = createRedis({ url: config.redisUrl, purpose: 'ingest', log });
  const ready = await redis.ready(5_000);
  const findings = await Promise.all([
    ready.ok ? examineRedis(redis) : [withoutRedis(env, ready.failure)],
    examineSandbox(config, env),
    examineAdapters({ env, encryptionKey: config.encryptionKey, client: redis.client, log }),
    examineModels(config, log),
    examinePlugins(config, env, log),
  ]);
  return findings.flat();
};

/** Plugins that the operator brings, and what plugins hold open. Without any there is nothing to say. */
const examinePlugins = async (config: Config, env: Env, log: Log): Promise<readonly Finding[]> => {
  const started = await startPlugins({ ...config, role: 'all' }, env, log);
  if (!started.ok) return problemsOf(started.failure).map((problem) => fault('Plugins', problem));
  await using plugins = started.value;
  const brought = config.file.plugins.map((spec) => good('Plugins', `${spec} is loaded`));
  return [...brought, ...(await plugins.inspect()).map(({ of, good: well, text }) => (well ? good : fault)(of, text))];
};

/** The findings as lines for a terminal. */
export const toLines = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ of, kind, text, fix }) => [
    `${{ good: '  ok   ', advice: '  hint ', fault: '  FAULT' }[kind]} ${of}: ${text}`,
    ...(fix === null ? [] : [`          what to do: ${fix}`]),
  ]);

/** Where `npm run try` keeps the data of the Redis that it starts for itself. */
const TRY_REDIS = '.hektor/redis';

const withoutRedis = (env: Env, why: Failure): Finding => {
  const start = 'Start redis-server with --appendonly yes --maxmemory-policy noeviction, or set REDIS_URL';
  const tried = env['REDIS_URL'] === undefined && existsSync(TRY_REDIS);
  return fault(
    'Redis',
    `no Redis answers (${why.detail})`,
    tried
      ? `${start}. The Redis of npm run try (${TRY_REDIS}) is its own and runs only while it does: threads there are gone on with by npm run try, and npm start does not see them`
      : start,
  );
};

const examineRedis = async (redis: RedisConnection): Promise<readonly Finding[]> => {
  const report = await inspectRedis(redis.client);
  if (!report.ok) return [fault('Redis', report.failure.detail)];
  const { version, appendOnly, evictionPolicy } = report.value;
  return [
    supported(version)
      ? good('Redis', `version ${version}`)
      : fault('Redis', `version ${version} is too old`, 'Install Redis 6.2 or later'),
    ...(appendOnly
      ? []
      : [advice('Redis', 'the append-only file is off, so a crash of Redis loses accepted messages', 'Start it with --appendonly yes')]),
    ...(evictionPolicy === 'noeviction'
      ? []
      : [fault('Redis', `maxmemory-policy is ${evictionPolicy}, so conversations may be thrown away`, 'Set maxmemory-policy noeviction')]),
  ];
};
const supported = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 2);
};

const withoutImage = (image: string, env: Env, { others }: EngineReport): Finding => {
  const [newest] = others;
  const known =
    env['HEKTOR_SANDBOX_IMAGE'] === undefined && newest !== undefined
      ? `Set HEKTOR_SANDBOX_IMAGE=${newest}, which is there already (npm run try or npm run images built it)`
      : 'Run npm run images, or set HEKTOR_SANDBOX_IMAGE';
  return fault('sandbox image', `${image} is not there`, known);
};

const withImage = (image: string, report: EngineReport): Finding =>
  report.protocol === String(PROTOCOL)
    ? good('sandbox image', `${image} (${report.image.slice(0, 19)})`)
    : fault(
        'sandbox image',
        `${image} is of another version than this program`,
        'Run npm run images, and build your own images on it anew',
      );

const examineSandbox = async (config: Config, env: Env): Promise<readonly Finding[]> => {
  const report = await inspectEngine(config.sandbox.engine, config.sandbox.image, systemClock);
  if (!report.reachable)
    return [
      fault(
        'Docker',
        `no engine answers (${report.detail}); chat works without one, and code does not run`,
        'Install and start Docker, or set DOCKER_HOST',
      ),
    ];
  const { runtime, image } = config.sandbox;
  return [
    good('Docker', `engine ${report.version}`),
    report.image === 'missing' ? withoutImage(image, env, report) : withImage(image, report),
    ...(report.seccomp ? [] : [fault('Docker', 'the engine runs without seccomp: sandboxes lack their outer filter')]),
    ...(runtime === null || report.runtimes.includes(runtime)
      ? []
      : [
          fault(
            'sandbox runtime',
            `HEKTOR_SANDBOX_RUNTIME is ${runtime}, and the engine knows ${report.runtimes.join(', ')}: install it and add it to the engine’s daemon.json`,
          ),
        ]),
    ...(runtime === 'runsc'
      ? [good('sandbox runtime', 'gVisor stands between code and kernel')]
      : [advice('sandbox runtime', 'for a stronger wall install gVisor and set HEKTOR_SANDBOX_RUNTIME=runsc')]),
    ...(report.rootless || report.userNamespaces
      ? [good('Docker', report.rootless ? 'the engine is rootless' : 'user namespaces are remapped')]
      : [
          advice(
            'Docker',
            'root in a container is root on the host: a rootless engine, or "userns-remap": "default" in daemon.json, removes that',
          ),
        ]),
  ];
};

/** A request that any model which can call tools answers with a call. */
const probe = definePlugin({
  name: 'probe',
  description: 'The doctor’s probe.',
  needs: [],
  tools: (define) => [
    define({
      name: 'report_ready',
      description: words`Reports that you are ready. Call it once, now, with ready set to true.`,
      parameters: z.object({ ready: z.boolean() }),
      effect: 'read',
      idempotent: true,
      parallelSafe: true,
      timeoutMs: 1_000,
      execute: () => Promise.resolve({ text: 'ok' }),
    }),
  ],
});

const examineModels = async (config: Config, log: Log): Promise<readonly Finding[]> => {
  await using chosen = await chooseModels({ config, clock: systemClock, log, metrics: createMetrics() });
  if (!chosen.configured)
    return [
      fault(
        'model',
        'none is set up',
        'Set OPENAI_API_KEY, or OPENAI_BASE_URL for any OpenAI-compatible server (npm run try has a practice model of its own)',
      ),
    ];
  await chosen.learnWindows();
  const findings = await Promise.all(
    chosen.all.map((model) => examineModel(model, config.models.find((one) => one.key === model.describe().key)?.pinned ?? null)),
  );
  return findings.flat();
};

const examineModel = async (model: Model, pinned: Pin | null): Promise<readonly Finding[]> => {
  const { name, practice } = model.describe();
  if (practice) return [advice('model', 'the built-in practice model answers; it does not think. Set OPENAI_API_KEY or OPENAI_BASE_URL')];
  const asked = await model.complete(
    {
      conversation: conversationIdOf({ platform: 'doctor', workspace: '-', channel: '-', thread: 'probe' }),
      system: render(hintPrompt, { hint: 'say-something' }),
      messages: [{ role: 'user', content: render(hintPrompt, { hint: 'say-something' }) }],
      tools: toolSpecs(toolTable([probe])),
      toolChoice: { name: 'report_ready' },
    },
    { text: () => {}, retrying: () => {}, spent: () => {} },
    AbortSignal.timeout(60_000),
  );
  if (!asked.ok) return [fault('model', `${name}: ${said(asked.failure)}`)];
  const called = asked.value.calls.some((call) => call.name === 'report_ready');
  return [
    good('model', `${name} answers as ${asked.value.model}`),
    contextFinding(model),
    ...(pinned === null || createDriftWatch(pinned)(asked.value) === null
      ? []
      : [
          advice(
            'model',
            `${pinned.model}${pinned.fingerprint === null ? '' : ` (${pinned.fingerprint})`} is pinned, and ${asked.value.model} (${asked.value.fingerprint ?? 'no fingerprint'}) answered: what stands behind ${name} has changed`,
          ),
        ]),
    called
      ? good('model', 'it calls tools')
      : advice(
          'model',
          `${name} did not make the call it was told to make: it will hardly run code by itself. Choose a model with function calls`,
        ),
  ];
};
/** The server has been asked, where neither a setting nor the public table told. */
const contextFinding = (model: Model): Finding => {
  const { name, contextTokens } = model.describe();
  const count = contextTokens.toLocaleString('en');
  return contextTokens === DEFAULT_CONTEXT
    ? advice(
        'model',
        `nobody says how much ${name} takes: requests are kept to ${count} tokens. Set contextTokens of the model, or HEKTOR_CONTEXT_TOKENS`,
      )
    : good('model', `requests to ${name} are kept to ${count} tokens`);
};
const said = (failure: Failure): string => `${forOperator(failure)}${failure.detail === '' ? '' : ` (${failure.detail})`}`;
