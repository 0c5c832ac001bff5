/**
 * The model port over any OpenAI-compatible server. The SDK carries the bytes; when to retry, what to leave out, and what counts as an
 * answer are decided here and in the pure files beside it.
 */
import OpenAI, { AzureOpenAI } from 'openai';
import type { Usage } from '../../core/conversation.ts';
import { addUsage } from '../../core/cost.ts';
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import type { RenderedPrompt } from '../../core/prompt.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import { untrusted } from '../../core/trust.ts';
import type { Untrusted } from '../../core/trust.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Model, ModelDescription, ModelListener, ModelReply, ModelRequest } from '../../ports/model.ts';
import { attempt } from './attempt.ts';
import type { Attempt } from './attempt.ts';
import { RETRY, reactTo, waitBefore } from './fault.ts';
import type { Reaction } from './fault.ts';
import { hostOf, profileOf } from './profile.ts';
import type { ServerProfile } from './profile.ts';
import { toBody } from './to-body.ts';
import type { Sampling } from './to-body.ts';
import { costOf, toFinish, toReply, usageOf } from './to-reply.ts';

export type OpenAiModelOptions = {
  readonly name: string;
  /** The name it is set up under; its own name where it is the only one. */
  readonly key?: string;
  readonly baseUrl: string;
  /** Azure's older addresses, with an API version and the deployment in the path. Its newer `/openai/v1` is an ordinary server. */
  readonly azure?: { readonly apiVersion: string };
  readonly sampling?: Sampling;
  readonly images?: boolean;
  /** Tokens that a request may hold; a function where that is learned later on. */
  readonly contextTokens?: number | (() => number);
  readonly apiKey: string | undefined;
  /** Overrides of what is known about the server by its address. */
  readonly profile?: Partial<ServerProfile>;
  /** Silence within a reply after which it is given up. Above 300 s Node's own limit comes first. */
  readonly idleMs: number;
  /** Silence before the first byte of a reply. */
  readonly firstByteMs?: number;
  /** What the model reads where the server could not read its call; `generation` is what it had written. */
  readonly garbledCall: (generation: Untrusted) => RenderedPrompt;
  readonly practice?: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
};

export const createOpenAiModel = (options: OpenAiModelOptions): Model => {
  const { name, baseUrl, log, clock, metrics } = options;
  const client = clientFor(options);
  const secrets = secretsIn(options.apiKey, baseUrl);
  const host = hostOf(baseUrl);
  const server = withoutCredentials(baseUrl);
  let profile = profileOf(baseUrl, options.profile);
  let bareEnd = false;
  let properEnd = false;

  /** Decides about one attempt: the reply, or why there is none and what to do. */
  const judge = (tried: Exclude<Attempt, { end: 'aborted' }>, bareEnds: number, own: ServerProfile): Reaction | Accepted => {
    const facts = { model: name, silentMs: options.idleMs };
    if (tried.end === 'fault') return reactTo(tried.fault, own, facts);
    const finish = toFinish(tried);
    if (finish === 'faulty')
      return { do: 'retry', waitMs: null, failure: failure('model-overloaded', {}, `finish_reason ${tried.draft.finish ?? ''}`) };
    if (tried.ended === 'reason') {
      properEnd = true;
      return { do: 'accept', finish };
    }
    // Without a reason to stop, text that was closed by `[DONE]` is whole; calls may lack their end (ME8).
    if (tried.draft.calls.length === 0 && (tried.ended === 'done' || bareEnd)) return { do: 'accept', finish };
    if (tried.draft.calls.length === 0 && bareEnds > 0 && !properEnd) {
      // Twice in a row, and never otherwise: this server ends its streams so.
      bareEnd = true;
      return { do: 'accept', finish };
    }
    return { do: 'retry', waitMs: null, failure: failure('model-broken-stream', {}, 'the stream ended without a reason to stop') };
  };

  const complete = async (request: ModelRequest, listener: ModelListener, signal: AbortSignal): Promise<Result<ModelReply, Failure>> => {
    let spent: Usage | null = null;
    let waited = 0;
    let silences = 0;
    let bareEnds = 0;
    const corrections: string[] = [];
    let own = profile;
    for (let tries = 1; ;) {
      const target = { host, model: name, profile: own, sampling: options.sampling ?? {} };
      const body = toBody(request, target, corrections);
      const tried = await attempt({
        client,
        body,
        idleMs: options.idleMs,
        firstByteMs: options.firstByteMs ?? Math.max(FIRST_BYTE_MS, options.idleMs),
        onText: listener.text,
        signal,
        secrets,
      });
      // Failed and aborted attempts cost money, too.
      const usage = usageOf(tried.draft, body, tried.end === 'reply');
      if (usage !== null)
        listener.spent({ model: name, answered: tried.draft.model || name, server, usage, costMicros: costOf(tried.draft) });
      if (tried.end === 'aborted') return err(failure('interrupted', {}));
      const verdict = judge(tried, bareEnds, own);
      metrics.count('hektor_model_requests_total', { model: name, outcome: verdict.do === 'accept' ? 'ok' : verdict.failure.code });
      spent = addUsage(spent, usage);
      if (verdict.do === 'accept') return ok(toReply(tried.draft, { target, request, usage: spent, finish: verdict.finish }));
      const { failure: why } = verdict;
      log.warn({ model: name, host, attempt: tries, reaction: verdict.do, code: why.code, detail: why.detail }, 'a model request failed');
      if (verdict.do === 'give-up') return err(why);
      if (verdict.do === 'degrade') {
        own = verdict.profile;
        if (!verdict.once) profile = own;
        continue;
      }
      if (verdict.do === 'feedback') {
        if (corrections.length >= RETRY.feedbacks) return err(why);
        corrections.push(options.garbledCall(untrusted(verdict.generation)).text);
        listener.retrying(why, 0);
        continue;
      }
      if (why.code === 'model-silent') silences += 1;
      if (tried.end === 'reply' && tried.ended === 'closed') bareEnds += 1;
      const wait = silences >= RETRY.silentAttempts ? undefined : waitBefore(tries, waited, verdict.waitMs, jitter(clock));
      if (wait === undefined) return err(why);
      waited += wait;
      tries += 1;
      listener.retrying(why, wait);
      await clock.sleep(wait, signal);
    }
  };

  const describe = (): ModelDescription => ({
    name,
    key: options.key ?? name,
    server,
    practice: options.practice ?? false,
    toolCalls: profile.tools,
    images: (options.images ?? false) && profile.images,
    contextTokens: typeof options.contextTokens === 'function' ? options.contextTokens() : (options.contextTokens ?? CONTEXT_TOKENS),
  });
  return { describe, complete };
};

/** Local servers want no key, but the SDK insists on one. All that it would read from the environment is set here. */
const clientFor = ({ name, baseUrl, apiKey = 'none', azure }: OpenAiModelOptions): OpenAI => {
  const common = { apiKey, organization: null, project: null, maxRetries: 0, timeout: LONGEST_MS, logLevel: 'off' } as const;
  return azure === undefined
    ? new OpenAI({ ...common, baseURL: baseUrl })
    : new AzureOpenAI({ ...common, baseURL: `${baseUrl.replace(/\/+$/, '')}/openai`, apiVersion: azure.apiVersion, deployment: name });
};

/** Where nobody says how much a model takes. */
const CONTEXT_TOKENS = 32_000;

type Accepted = { readonly do: 'accept'; readonly finish: ModelReply['finish'] };

const FIRST_BYTE_MS = 120_000;
/** The SDK's own timer must never come first; it takes no infinity. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

const secretsIn = (apiKey: string | undefined, baseUrl: string): readonly string[] => {
  const password = URL.canParse(baseUrl) ? new URL(baseUrl).password : '';
  return [apiKey ?? '', password].filter((secret) => secret !== '');
};

const withoutCredentials = (address: string): string => {
  if (!URL.canParse(address)) return '';
  const { origin, pathname } = new URL(address);
  return origin + pathname;
};

/** A number between 0 and 1 from the clock's randomness. */
const jitter = (clock: Clock): number => {
  const id = clock.newId();
  return ((id.charCodeAt(0) * 31 + id.charCodeAt(1)) % 101) / 100;
};
