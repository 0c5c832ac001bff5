/** What the tests of the model client share: a model on a scripted server, sample tools, and a clock that does not wait. */
import { z } from 'zod';
import type { Spending } from '../../../src/core/cost.ts';
import { conversationIdOf } from '../../../src/core/ids.ts';
import { definePlugin } from '../../../src/core/plugin.ts';
import { definePrompt, render } from '../../../src/core/prompt.ts';
import type { RenderedPrompt } from '../../../src/core/prompt.ts';
import { quote, untrusted, words } from '../../../src/core/trust.ts';
import { createOpenAiModel } from '../../../src/infra/openai/model.ts';
import type { OpenAiModelOptions } from '../../../src/infra/openai/model.ts';
import { createMetrics } from '../../../src/infra/telemetry/metrics.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Model, ModelRequest } from '../../../src/ports/model.ts';
import { callGarbledPrompt } from '../../../src/prompts/index.ts';
import { toolSpecs, toolTable } from '../../../src/turn/tool-table.ts';
import { createTestLog } from '../../support/test-log.ts';

const asked = definePrompt<{ readonly text: string }>({
  id: 'test-words',
  version: 1,
  words: ({ text }) => quote('request', untrusted(text)),
});
export const prompt = (text: string): RenderedPrompt => render(asked, { text });

const done = { text: 'done' };
const shared = { effect: 'read', idempotent: true, parallelSafe: true, timeoutMs: 1_000, execute: () => Promise.resolve(done) } as const;

/** The tools that the catalogue's cases call, and one with effects outside. */
export const samplePlugin = definePlugin({
  name: 'samples',
  description: 'Tools for tests.',
  needs: [],
  tools: (define) => [
    define({
      ...shared,
      name: 'web_search',
      description: words`Searches.`,
      parameters: z.object({ query: z.string(), count: z.number().int().optional() }),
    }),
    define({
      ...shared,
      name: 'run_python',
      description: words`Runs Python.`,
      parameters: z.object({ code: z.string().min(1), timeout: z.number().optional() }),
      bareArgument: 'code',
      aliases: ['python', 'python_interpreter', 'code_interpreter', 'ipython'],
    }),
    define({ ...shared, name: 'set_todos', description: words`Sets the list.`, parameters: z.object({ todos: z.array(z.string()) }) }),
    define({
      ...shared,
      name: 'read',
      description: words`Reads files.`,
      parameters: z.object({
        path: z.string().optional(),
        paths: z.array(z.string()).optional(),
        all: z.boolean().optional(),
        n: z.number().optional(),
      }),
    }),
    define({ ...shared, name: 'now', description: words`Tells the time.`, parameters: z.object({}) }),
    define({
      ...shared,
      name: 'mail__send_mail',
      description: words`Sends mail.`,
      effect: 'write',
      parameters: z.object({ to: z.string(), copies: z.number().optional() }),
    }),
  ],
});
export const tools = toolTable([samplePlugin]);

/** Time stands still; a sleep is noted and over at once. */
export const createStillClock = (): Clock & { readonly slept: readonly number[] } => {
  const slept: number[] = [];
  return { now: () => 0, newId: () => 'mmmmmmmmmmmmmmmmmmmmmm', slept, sleep: (ms) => (slept.push(ms), Promise.resolve()) };
};

export const openModel = (baseUrl: string, more: Partial<OpenAiModelOptions> = {}) => {
  const clock = createStillClock();
  const { log, lines } = createTestLog();
  const metrics = createMetrics();
  const model = createOpenAiModel({
    name: 'm',
    baseUrl,
    apiKey: 'sk-test-0123456789abcdef',
    idleMs: 60_000,
    firstByteMs: 60_000,
    garbledCall: (generation) => render(callGarbledPrompt, { generation }),
    clock,
    log,
    metrics,
    ...more,
  });
  return { model, clock, lines, metrics };
};

export const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  conversation: conversationIdOf({ platform: 'web', workspace: 'w', channel: 'c', thread: 't' }),
  system: prompt('Be brief.'),
  messages: [{ role: 'user', content: prompt('question') }],
  tools: toolSpecs(tools),
  toolChoice: 'auto',
  ...more,
});

/** Asks, and keeps what the listener was told. */
export const ask = async (model: Model, more: Partial<ModelRequest> = {}, signal: AbortSignal = new AbortController().signal) => {
  const texts: string[] = [];
  const spent: Spending[] = [];
  const retries: { readonly code: string; readonly waitMs: number }[] = [];
  const result = await model.complete(
    request(more),
    {
      text: (soFar) => void texts.push(soFar),
      retrying: (failure, waitMs) => void retries.push({ code: failure.code, waitMs }),
      spent: (one) => void spent.push(one),
    },
    signal,
  );
  return { result, texts, retries, spent };
};
