/** A finished draft -> the port's reply. Pure. */
import type { Usage } from '../../core/conversation.ts';
import { toMicros } from '../../core/cost.ts';
import type { ModelReply, ModelRequest } from '../../ports/model.ts';
import type { Draft } from './accumulate.ts';
import type { Attempt } from './attempt.ts';
import { isFaultyFinish } from './fault.ts';
import { toPassBack } from './pass-back.ts';
import type { Body, Target } from './to-body.ts';

type Finish = ModelReply['finish'] | 'faulty';

/** Why the model ended. Calls decide, not the reason that came with them (MD1); but what was cut off or filtered is not run. */
export const toFinish = (tried: Extract<Attempt, { end: 'reply' }>): Finish => {
  const { draft } = tried;
  const { finish } = draft;
  if (isFaultyFinish(finish)) return 'faulty';
  if (finish === 'content_filter' || /^(safety|prohibited_content|blocklist|recitation)$/i.test(finish ?? '')) return 'filtered';
  if (finish === 'length' || /^(max_tokens|max_output_tokens|model_length)$/i.test(finish ?? '')) return 'length';
  if (draft.full && finish === null)
    return draft.calls.length > 0 && draft.calls.every((call) => isObjectText(call.arguments)) ? 'tool-calls' : 'length';
  return draft.calls.length > 0 ? 'tool-calls' : 'stop';
};

type ReplyFacts = {
  readonly target: Target;
  readonly request: ModelRequest;
  readonly usage: Usage | null;
  readonly finish: ModelReply['finish'];
};

export const toReply = (draft: Draft, { target, request, usage, finish }: ReplyFacts): ModelReply => {
  // Calls that nobody asked for are not calls (MD7); of a filtered reply nothing is kept (MD9).
  const wanted = request.tools.length > 0 && request.toolChoice !== 'none' && target.profile.tools && finish !== 'filtered';
  const calls = wanted ? draft.calls : [];
  return {
    text: draft.text.toWellFormed(),
    reasoning: draft.thoughts.toWellFormed(),
    calls: calls.map((call) => ({ ...call, name: call.name.toWellFormed(), arguments: call.arguments.toWellFormed() })),
    finish: finish === 'tool-calls' && calls.length === 0 ? 'stop' : finish,
    model: draft.model === '' ? target.model : draft.model,
    fingerprint: draft.fingerprint,
    usage,
    passBack: calls.length === 0 ? null : toPassBack(draft, target),
  };
};

const isObjectText = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
};

/** What the attempt used: as reported; else, for a reply, estimated at three bytes a token; else nothing is known. */
export const usageOf = (draft: Draft, body: Body, replied: boolean): Usage | null => {
  const { usage } = draft;
  if (usage !== null)
    return {
      input: usage.prompt_tokens,
      cachedInput: Math.min(usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0, usage.prompt_tokens),
      output: usage.completion_tokens,
      reasoning: Math.min(usage.completion_tokens_details?.reasoning_tokens ?? 0, usage.completion_tokens),
      estimated: false,
    };
  if (!replied && !draft.started) return null;
  const said = draft.text + draft.thoughts + draft.calls.map((call) => call.name + call.arguments).join('');
  return {
    input: tokens(JSON.stringify(body.messages, withoutPictures) + JSON.stringify(body.tools ?? '')),
    cachedInput: 0,
    output: tokens(said),
    reasoning: tokens(draft.thoughts),
    estimated: true,
  };
};
// A picture's bytes are no words; what it costs differs by server, and is some hundreds of tokens.
const withoutPictures = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('data:image/') ? ' '.repeat(2_000) : value;

const tokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3);

/** What the server itself said that the attempt cost (OpenRouter does, in dollars); in micro-dollars. */
export const costOf = ({ usage }: Draft): number | null => {
  const cost = usage?.cost ?? null;
  return cost === null ? null : toMicros(cost);
};
