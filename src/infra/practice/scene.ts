/** What the practice model sees of a request: the last person's words, freed from the prompts around them, and what happened since. Pure. */
import type { ChatMessage, ChatRequest } from './conformance.ts';

export type OfferedTool = {
  readonly name: string;
  /** The arguments that must be given, and those that take text. */
  readonly required: readonly string[];
  readonly texts: readonly string[];
};

export type Scene = {
  /** What the person asked last, as they wrote it. */
  readonly asked: string;
  /** What people asked before, oldest first. */
  readonly before: readonly string[];
  /** Code that ran in this conversation, oldest first: the model's and people's. */
  readonly ran: readonly string[];
  /** Results of the calls made for the last question, in order. */
  readonly results: readonly string[];
  /** Names of the tools that were called for it. */
  readonly called: readonly string[];
  readonly tools: readonly OfferedTool[];
  readonly choice: 'auto' | 'none' | 'required' | { readonly name: string };
};

export const toScene = (request: ChatRequest): Scene => {
  const { messages } = request;
  const asking = messages.findLastIndex((message) => message.role === 'user' && REQUEST.test(textOf(message)));
  // Without the fences of a request prompt the last user message counts whole: other clients speak plainly.
  const at = asking === -1 ? messages.findLastIndex((message) => message.role === 'user') : asking;
  const last = messages[at];
  const since = messages.slice(at + 1);
  return {
    asked: last === undefined ? '' : requestIn(textOf(last)),
    before: messages
      .slice(0, Math.max(at, 0))
      .flatMap((message) => (message.role === 'user' && REQUEST.test(textOf(message)) ? [requestIn(textOf(message))] : [])),
    ran: messages.flatMap(codeIn),
    results: since.flatMap((message) => (message.role === 'tool' ? [unwrapped(textOf(message))] : [])),
    called: since.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.function.name) : [])),
    tools: (request.tools ?? []).map((tool) => toOffered(tool.function.name, tool.function.parameters)),
    choice: typeof request.tool_choice === 'object' ? { name: request.tool_choice.function.name } : (request.tool_choice ?? 'auto'),
  };
};

const REQUEST = /<request>\n([\s\S]*?)\n<\/request>/;
const requestIn = (text: string): string => (REQUEST.exec(text)?.[1] ?? text).trim();

const textOf = (message: ChatMessage): string => {
  if (typeof message.content === 'string') return message.content;
  if (!Array.isArray(message.content)) return '';
  return message.content.map((part) => ('text' in part && typeof part['text'] === 'string' ? part['text'] : '')).join('\n');
};

const codeIn = (message: ChatMessage): string[] => {
  if (message.role === 'user') {
    const code = /<code>\n([\s\S]*?)\n<\/code>/.exec(textOf(message))?.[1];
    return code === undefined ? [] : [code];
  }
  if (message.role !== 'assistant') return [];
  return (message.tool_calls ?? []).flatMap((call) => {
    const args: unknown = JSON.parse(call.function.arguments);
    return typeof args === 'object' && args !== null && 'code' in args && typeof args.code === 'string' ? [args.code] : [];
  });
};

/** The parts of a result that a person would want to see: what the prompts fenced, without the words around it. */
const unwrapped = (text: string): string => {
  const outer = /^<(result|outside)>\n([\s\S]*)\n<\/\1>\s*$/.exec(text.trim());
  if (outer !== null) return unwrapped(outer[2] ?? '');
  const parts = [...text.matchAll(/<(output|value|error|problem)>\n([\s\S]*?)\n<\/\1>/g)].map((match) => match[2] ?? '');
  const lines = /^Run \d+: your code/.test(text)
    ? text.split('\n').filter((line) => /^(A picture|File sent|Not kept|Note:)/.test(line))
    : [];
  if (parts.length + lines.length > 0) return [...parts, ...lines].join('\n').trim();
  return (/^It [^\n]*$/m.exec(lines.length === 0 && text.startsWith('Run ') ? text : '')?.[0] ?? text).trim();
};

const toOffered = (
  name: string,
  parameters: { readonly properties?: Record<string, unknown> | undefined; readonly [key: string]: unknown } | undefined,
): OfferedTool => {
  const properties = Object.entries(parameters?.properties ?? {});
  const required = Array.isArray(parameters?.['required']) ? parameters['required'].filter((key) => typeof key === 'string') : [];
  const texts = properties.flatMap(([key, schema]) =>
    typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'string' ? [key] : [],
  );
  return { name, required, texts };
};
