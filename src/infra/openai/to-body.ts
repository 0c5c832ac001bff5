/** ModelRequest -> the body of a chat completion. Pure and deterministic: equal requests give equal bytes, so that servers can cache their prefix. */
import { createHash } from 'node:crypto';
import type OpenAI from 'openai';
import type { ToolCall } from '../../core/conversation.ts';
import type { ModelImage, ModelMessage, ModelRequest } from '../../ports/model.ts';
import { callExtrasOf, messageExtrasOf } from './pass-back.ts';
import type { ServerProfile } from './profile.ts';

export type Body = OpenAI.Chat.Completions.ChatCompletionCreateParams;
type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
/** How the model is to write: only what is set is sent. */
export type Sampling = {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: 'none' | 'minimal' | 'low' | 'medium' | 'high';
};
export type Target = { readonly host: string; readonly model: string; readonly profile: ServerProfile; readonly sampling?: Sampling };

/** OpenAI takes no more; tools beyond it would fail every request. */
const MAX_TOOLS = 128;

/** The body. `more` are texts that are put at the end as the user's (a correction after a garbled call). */
export const toBody = (request: ModelRequest, target: Target, more: readonly string[] = []): Body => {
  const { profile, model } = target;
  const tools = toolsOf(request, profile);
  return {
    model,
    messages: messagesOf(request, target, more),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length === 0 || !profile.toolChoice || request.toolChoice === 'auto' ? {} : { tool_choice: choiceOf(request.toolChoice) }),
    ...samplingOf(target),
    ...(profile.promptCacheKey ? { prompt_cache_key: digest(request.conversation, 32) } : {}),
    ...(profile.stream ? { stream: true, ...(profile.streamUsage ? { stream_options: { include_usage: true } } : {}) } : { stream: false }),
  };
};

const samplingOf = ({ profile, sampling = {} }: Target): Partial<Body> => {
  const { temperature, topP, maxOutputTokens, reasoningEffort } = sampling;
  return {
    ...(temperature === undefined || !profile.temperature ? {} : { temperature }),
    ...(topP === undefined || !profile.temperature ? {} : { top_p: topP }),
    ...(maxOutputTokens === undefined ? {} : { [profile.maxTokensField]: maxOutputTokens }),
    ...(reasoningEffort === undefined || !profile.reasoningEffort ? {} : { reasoning_effort: reasoningEffort }),
  };
};

const messagesOf = (request: ModelRequest, target: Target, more: readonly string[]): Message[] => {
  const { profile } = target;
  const idOf = wireIds(profile);
  const system: Message = { role: profile.systemRole, content: wellFormed(request.system.text) };
  const rest = request.messages.flatMap((message): Message[] => {
    switch (message.role) {
      case 'user':
        return [userOf(message.content.text, message.images ?? [], profile)];
      case 'assistant':
        return assistantOf(message, target, idOf);
      case 'tool':
        return [toolOf(message.call, message.content.text, profile, idOf)];
      default:
        return message satisfies never;
    }
  });
  const all: Message[] = [system, ...rest, ...more.map((text): Message => ({ role: 'user', content: wellFormed(text) }))];
  return profile.alternate ? joined(all) : all;
};

/** A server that turned out to take no pictures is told in words that there are some. */
const userOf = (text: string, images: readonly ModelImage[], profile: ServerProfile): Message => {
  if (images.length === 0) return { role: 'user', content: wellFormed(text) };
  if (!profile.images)
    return { role: 'user', content: `${wellFormed(text)}\n(The pictures cannot be shown to you: never guess what is in them.)` };
  return {
    role: 'user',
    content: [
      { type: 'text', text: wellFormed(text) },
      ...images.map(({ type, base64 }) => ({ type: 'image_url' as const, image_url: { url: `data:${type};base64,${base64}` } })),
    ],
  };
};

const assistantOf = (
  message: Extract<ModelMessage, { role: 'assistant' }>,
  target: Target,
  idOf: (call: ToolCall) => string,
): Message[] => {
  const text = wellFormed(message.text);
  if (message.calls.length === 0) return text.trim() === '' ? [] : [{ role: 'assistant', content: text }];
  return [
    {
      role: 'assistant',
      content: text === '' && target.profile.contentNull ? null : text,
      tool_calls: message.calls.map((call, place) => ({
        id: idOf(call),
        type: 'function' as const,
        function: { name: wireName(call.name), arguments: objectText(call.arguments) },
        ...callExtrasOf(message.passBack, call.id, place, target),
      })),
      ...messageExtrasOf(message.passBack, target),
    },
  ];
};

const toolOf = (call: ToolCall, text: string, profile: ServerProfile, idOf: (call: ToolCall) => string): Message => ({
  role: 'tool',
  tool_call_id: idOf(call),
  ...(profile.resultName ? { name: wireName(call.name) } : {}),
  content: wellFormed(text) === '' ? '(no output)' : wellFormed(text),
});

const toolsOf = (request: ModelRequest, profile: ServerProfile): OpenAI.Chat.Completions.ChatCompletionTool[] => {
  if (!profile.tools) return [];
  return request.tools.slice(0, MAX_TOOLS).map((tool) => {
    const { properties } = tool.parameters;
    const empty = typeof properties !== 'object' || properties === null || Object.keys(properties).length === 0;
    return {
      type: 'function',
      function: {
        name: wireName(tool.name),
        description: wellFormed(tool.description.text),
        ...(empty && !profile.emptyParameters ? {} : { parameters: tool.parameters }),
      },
    };
  });
};

const choiceOf = (choice: ModelRequest['toolChoice']): OpenAI.Chat.Completions.ChatCompletionToolChoiceOption =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: wireName(choice.name) } };

/** A name that every server takes: a bad one in the history would fail each later request (MH2). */
const wireName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';

/** Arguments in the history are always the text of an object. */
const objectText = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? wellFormed(text) : '{}';
  } catch {
    return '{}';
  }
};

/**
 * Ids for the wire: ours are made of turn, step and place, which is more than some servers take. A digest of ours is the same in every
 * later request; should two ever meet in one request, the later one is digested again.
 */
const wireIds = (profile: ServerProfile): ((call: ToolCall) => string) => {
  const given = new Map<string, string>();
  const used = new Set<string>();
  const [prefix, length] = profile.callIds === 'nine' ? ['', 9] : ['call_', 24];
  return (call) => {
    const known = given.get(call.id);
    if (known !== undefined) return known;
    let id = prefix + digest(call.id, length);
    for (let n = 1; used.has(id); n += 1) id = prefix + digest(`${call.id}#${n}`, length);
    used.add(id);
    given.set(call.id, id);
    return id;
  };
};

const digest = (text: string, length: number): string => createHash('sha256').update(text).digest('hex').slice(0, length);

const joined = (messages: readonly Message[]): Message[] => {
  const out: Message[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last?.role === 'user' && message.role === 'user')
      out.splice(-1, 1, { role: 'user', content: joinedContent(last.content, message.content) });
    else out.push(message);
  }
  return out;
};

const wellFormed = (text: string): string => text.toWellFormed();

type Content = Extract<Message, { role: 'user' }>['content'];
const joinedContent = (a: Content, b: Content): Content =>
  typeof a === 'string' && typeof b === 'string' ? `${a}\n\n${b}` : [...partsOf(a), ...partsOf(b)];
const partsOf = (content: Content) => (typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content);
