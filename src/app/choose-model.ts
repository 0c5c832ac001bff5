/**
 * Which models there are: the configured ones; else an Ollama on this machine; else, where it is allowed, the practice model;
 * else a model that says that none is set up, so that code still runs.
 */
import { z } from 'zod';
import { failure } from '../core/failure.ts';
import { err } from '../core/result.ts';
import { render } from '../core/prompt.ts';
import { createOpenAiModel } from '../infra/openai/model.ts';
import { createLearnedWindow } from '../infra/openai/window.ts';
import { startPracticeModel } from '../infra/practice/server.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Model, ModelRequest, Models } from '../ports/model.ts';
import { callGarbledPrompt } from '../prompts/index.ts';
import type { Config } from './config.ts';
import { budgetOf, DEFAULT_CONTEXT, publicWindow } from './context-budget.ts';
import { createModelRouter } from './model-router.ts';
import { PLAIN } from './model-settings.ts';
import type { ModelSettings } from './model-settings.ts';

type ModelDeps = {
  readonly config: Pick<Config, 'model' | 'models' | 'file'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
};
/** `all`: every model that is set up, for whoever examines them. `configured` false: there is none, and the one model says so. */
export type ChosenModels = AsyncDisposable & {
  readonly models: Models;
  readonly all: readonly Model[];
  readonly configured: boolean;
  /** Asks the servers now how much their models take, where nobody here knows. */
  readonly learnWindows: () => Promise<void>;
};

const OPENAI = 'https://api.openai.com/v1';
const OLLAMA = 'http://127.0.0.1:11434';
const PRACTICE = 'hektor-practice';

/** The models of the config file, and the one of the environment settings; where there is neither, whatever else is found. */
export const chooseModels = async (deps: ModelDeps): Promise<ChosenModels> => {
  const { models } = deps.config;
  const plain = plainModel(deps.config);
  const wanted = plain === null || models.some((one) => one.key === PLAIN) ? models : [...models, plain];
  if (wanted.length > 0) return routed(deps, wanted);
  return findModel(deps);
};

/** The model that the environment sets up; null where it sets up none. */
const plainModel = ({ model }: ModelDeps['config']): ModelSettings | null =>
  model.apiKey === undefined && model.baseUrl === undefined
    ? null
    : settingsFor(model, model.name ?? 'gpt-4o-mini', model.baseUrl ?? OPENAI, model.apiKey);

const settingsFor = (model: Config['model'], name: string, baseUrl: string, apiKey: string | undefined): ModelSettings => ({
  key: PLAIN,
  baseUrl,
  apiKey,
  model: name,
  azure: null,
  profile: model.toolCalls ? {} : { tools: false },
  sampling: {},
  images: false,
  window: null,
  pinned: null,
});

/** No model is set up: an Ollama on this machine, the practice model where it is allowed, or none. */
const findModel = async (deps: ModelDeps): Promise<ChosenModels> => {
  const { config, log } = deps;
  const local = await ollamaModel(config.model.name);
  if (local !== undefined) {
    log.info({ model: local }, 'no model is configured; using the Ollama on this machine');
    return routed(deps, [settingsFor(config.model, local, `${OLLAMA}/v1`, undefined)]);
  }
  if (config.model.practice) {
    const server = await startPracticeModel({ port: 0, host: '127.0.0.1', wordDelayMs: 25 });
    log.info({}, 'no model is configured; the built-in practice model answers (it does not think)');
    return {
      ...routed(deps, [settingsFor(config.model, PRACTICE, `http://127.0.0.1:${server.port}/v1`, undefined)]),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }
  log.warn({}, 'no model is configured: set OPENAI_API_KEY or OPENAI_BASE_URL');
  const models = createModelRouter({
    ...deps,
    models: [{ model: noModel, pinned: null }],
    plan: { default: PLAIN, fallback: [], channels: [] },
    summary: null,
  });
  return { models, all: [], learnWindows: () => Promise.resolve(), configured: false, [Symbol.asyncDispose]: () => Promise.resolve() };
};

const routed = (deps: ModelDeps, settings: readonly ModelSettings[]): ChosenModels => {
  const { file } = deps.config;
  const opened = settings.map((one) => ({ ...open(deps, one), pinned: one.pinned }));
  const models = createModelRouter({
    ...deps,
    models: opened,
    plan: { default: file.default ?? settings[0]?.key ?? PLAIN, fallback: file.fallback, channels: file.channels },
    summary: file.summary ?? null,
  });
  return {
    models,
    all: opened.map(({ model }) => model),
    learnWindows: async () => {
      await Promise.all(opened.flatMap(({ learn }) => (learn === null ? [] : [learn()])));
    },
    configured: true,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};

const open = (deps: ModelDeps, settings: ModelSettings): Opened => {
  const { config, clock } = deps;
  const known = tokensFor(settings, config.model.contextTokens);
  if (known !== null || settings.model === PRACTICE) return { model: openWith(deps, settings, known ?? DEFAULT_CONTEXT), learn: null };
  const window = createLearnedWindow(settings, clock.now);
  const model = openWith(deps, settings, () => {
    const told = window.tokens();
    return told === null ? DEFAULT_CONTEXT : budgetOf(told, settings.sampling.maxOutputTokens);
  });
  return {
    model: {
      describe: model.describe,
      complete: (request, listener, signal) => {
        // The server is asked once a thread is long enough for the answer to matter: the next request is made by it.
        if (lengthOf(request) > LONG_CHARS) void window.learn();
        return model.complete(request, listener, signal);
      },
    },
    learn: window.learn,
  };
};

/** `learn`: asks the server how much the model takes, where nobody here knows. */
type Opened = { readonly model: Model; readonly learn: (() => Promise<void>) | null };

/** The smallest windows in use hold about so much beside the prompt and the tools. */
const LONG_CHARS = 6_000;
const lengthOf = ({ messages }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + (message.role === 'assistant' ? message.text : message.content.text).length, 0);

const openWith = ({ config, clock, log, metrics }: ModelDeps, settings: ModelSettings, contextTokens: number | (() => number)): Model => {
  const { key, model, baseUrl, apiKey, azure, profile, sampling, images } = settings;
  return createOpenAiModel({
    name: model,
    key,
    baseUrl,
    apiKey,
    ...(azure === null ? {} : { azure }),
    profile,
    sampling,
    images,
    contextTokens,
    practice: model === PRACTICE,
    idleMs: config.model.idleMs,
    garbledCall: (generation) => render(callGarbledPrompt, { generation }),
    clock,
    log,
    metrics,
  });
};

/** What a request may hold: by the entry's window; else as set for all; else by the public table; null: nobody here knows. */
const tokensFor = (settings: ModelSettings, forAll: number | undefined): number | null => {
  const { window, model, baseUrl, sampling } = settings;
  if (window !== null) return budgetOf(window, sampling.maxOutputTokens);
  if (forAll !== undefined) return forAll;
  const known = publicWindow(model, baseUrl);
  return known === null ? null : budgetOf(known, sampling.maxOutputTokens);
};

const noModel: Model = {
  describe: () => ({
    name: 'none',
    key: PLAIN,
    server: '',
    practice: false,
    toolCalls: false,
    images: false,
    contextTokens: DEFAULT_CONTEXT,
  }),
  complete: () => Promise.resolve(err(failure('model-missing', {}))),
};

const tagsSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

/** The wanted model of a local Ollama, or its first one; undefined where there is no Ollama or it has no model. */
const ollamaModel = async (wanted: string | undefined): Promise<string | undefined> => {
  try {
    const response = await fetch(`${OLLAMA}/api/tags`, { signal: AbortSignal.timeout(500) });
    const tags = tagsSchema.safeParse(await response.json());
    const names = tags.success ? tags.data.models.map((model) => model.name) : [];
    return wanted === undefined ? names[0] : names.find((name) => name === wanted || name.startsWith(`${wanted}:`));
  } catch {
    return undefined; // nothing listens there, which is the usual case
  }
};
