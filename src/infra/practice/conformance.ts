/**
 * Whether a chat-completion request is one that the strictest servers take: the practice model answers 400 otherwise, and the tests
 * hold every request that the project makes against it. Pure.
 */
import { z } from 'zod';

const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'does not match ^[a-zA-Z0-9_-]{1,64}$');
const text = z.string().refine((value) => value.isWellFormed(), 'holds a lone surrogate');
const parts = z.array(z.looseObject({ type: z.enum(['text', 'image_url']) })).min(1);

const callSchema = z.looseObject({
  id: z.string().min(1).max(64),
  type: z.literal('function'),
  function: z.looseObject({ name, arguments: text.refine(isObjectText, 'is not the text of a JSON object') }),
});

const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content: text.min(1) }),
  z.looseObject({ role: z.literal('user'), content: z.union([text.min(1), parts]) }),
  z.looseObject({ role: z.literal('assistant'), content: text.nullish(), tool_calls: z.array(callSchema).min(1).max(128).optional() }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string().min(1).max(64), content: z.union([text.min(1), parts]) }),
]);
export type ChatMessage = z.infer<typeof messageSchema>;

const toolSchema = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name,
    description: text.max(1024).optional(),
    parameters: z.looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()).optional() }).optional(),
  }),
});

const requestSchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  tools: z.array(toolSchema).min(1).max(128).optional(),
  tool_choice: z
    .union([z.enum(['auto', 'none', 'required']), z.looseObject({ type: z.literal('function'), function: z.looseObject({ name }) })])
    .optional(),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
});
export type ChatRequest = z.infer<typeof requestSchema>;

export type Conformance =
  | { readonly ok: true; readonly request: ChatRequest }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The request, or everything that is wrong with it. */
export const checkChatRequest = (body: unknown): Conformance => {
  const decoded = requestSchema.safeParse(body);
  if (!decoded.success) return { ok: false, problems: decoded.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) };
  const request = decoded.data;
  const problems = [...pairing(request.messages), ...tooling(request)];
  return problems.length === 0 ? { ok: true, request } : { ok: false, problems };
};

/** Every call is answered once, right after the message that made it, and nothing else is answered. */
const pairing = (messages: readonly ChatMessage[]): readonly string[] => {
  const problems: string[] = [];
  const seen = new Set<string>();
  let open = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        problems.push(`messages.${index}: messages with role 'tool' must be a response to a preceding message with 'tool_calls'`);
      return;
    }
    problems.push(...unanswered(open, index));
    open = new Set();
    if (message.role === 'system' && index > 0) problems.push(`messages.${index}: a system message may only be the first`);
    if (message.role !== 'assistant') return;
    const calls = message.tool_calls ?? [];
    if (calls.length === 0 && (message.content ?? '') === '')
      problems.push(`messages.${index}: an assistant message without content and calls`);
    for (const call of calls) {
      if (seen.has(call.id)) problems.push(`messages.${index}: the tool call id ${call.id} is used twice`);
      seen.add(call.id);
      open.add(call.id);
    }
  });
  return [...problems, ...unanswered(open, messages.length)];
};

const unanswered = (open: ReadonlySet<string>, index: number): readonly string[] =>
  open.size === 0
    ? []
    : [
        `messages.${index}: an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'; missing: ${[...open].join(', ')}`,
      ];

const tooling = (request: ChatRequest): readonly string[] => {
  const names = (request.tools ?? []).map((tool) => tool.function.name);
  const problems = names.filter((one, index) => names.indexOf(one) !== index).map((one) => `tools: two are called ${one}`);
  const { tool_choice: choice } = request;
  if (choice !== undefined && names.length === 0) problems.push('tool_choice: only allowed when tools are given');
  if (typeof choice === 'object' && !names.includes(choice.function.name))
    problems.push(`tool_choice: there is no tool ${choice.function.name}`);
  return problems;
};

function isObjectText(value: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}
