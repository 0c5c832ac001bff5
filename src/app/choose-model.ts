/**
 * Which model answers: the configured one; else an Ollama on this machine; else, where it is allowed, the practice model;
 * else a model that says that none is set up, so that code still runs.
 */
import { z } from 'zod';
import { failure } from '../core/failure.ts';
import { err } from '../core/result.ts';
import { render } from '../core/prompt.ts';
import { createOpenAiModel } from '../infra/openai/model.ts';
import { startPracticeModel } from '../infra/practice/server.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Model } from '../ports/model.ts';
import { callGarbledPrompt } from '../prompts/index.ts';
import type { Config } from './config.ts';

type ModelDeps = { readonly config: Config['model']; readonly clock: Clock; readonly log: Log; readonly metrics: Metrics };
export type ChosenModel = AsyncDisposable & { readonly model: Model; readonly configured: boolean };

const OPENAI = 'https://api.openai.com/v1';
const OLLAMA = 'http://127.0.0.1:11434';
const PRACTICE = 'hektor-practice';

export const chooseModel = async (deps: ModelDeps): Promise<ChosenModel> => {
  const { config } = deps;
  if (config.apiKey !== undefined || config.baseUrl !== undefined) {
    return chosen(openAi(deps, config.name ?? 'gpt-4o-mini', config.baseUrl ?? OPENAI, config.apiKey));
  }
  const local = await ollamaModel(config.name);
  if (local !== undefined) {
    deps.log.info({ model: local }, 'no model is configured; using the Ollama on this machine');
    return chosen(openAi(deps, local, `${OLLAMA}/v1`, undefined));
  }
  if (config.practice) {
    const server = await startPracticeModel({ port: 0, host: '127.0.0.1', wordDelayMs: 25 });
    deps.log.info({}, 'no model is configured; the built-in practice model answers (it does not think)');
    return {
      ...chosen(openAi(deps, PRACTICE, `http://127.0.0.1:${server.port}/v1`, undefined, true)),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }
  deps.log.warn({}, 'no model is configured: set OPENAI_API_KEY or OPENAI_BASE_URL');
  return { model: noModel, configured: false, [Symbol.asyncDispose]: () => Promise.resolve() };
};

const chosen = (model: Model): ChosenModel => ({ model, configured: true, [Symbol.asyncDispose]: () => Promise.resolve() });

const openAi = (
  { config, clock, log, metrics }: ModelDeps,
  name: string,
  baseUrl: string,
  apiKey: string | undefined,
  practice = false,
): Model =>
  createOpenAiModel({
    name,
    baseUrl,
    apiKey,
    practice,
    profile: config.toolCalls ? {} : { tools: false },
    idleMs: config.idleMs,
    garbledCall: (generation) => render(callGarbledPrompt, { generation }),
    clock,
    log,
    metrics,
  });

const noModel: Model = {
  describe: () => ({ name: 'none', practice: false, toolCalls: false }),
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
