/**
 * How a model is spoken to: with function calls, or by the GEPL text protocol where it has none. What differs is in here; the loop is the
 * same for both.
 */
import type { ContextItem } from '../core/context-item.ts';
import { callAsGepl, geplWords, readGepl } from '../core/gepl.ts';
import { render } from '../core/prompt.ts';
import type { RenderedPrompt } from '../core/prompt.ts';
import type { RawCall, ToolSpec } from '../core/tool.ts';
import type { Hint } from '../core/turn-state.ts';
import type { ModelMessage } from '../ports/model.ts';
import { initialPrompt } from '../prompts/index.ts';
import { toMessages } from './messages.ts';
import type { Pictures } from './pictures.ts';
import type { ToolTable } from './tool-table.ts';
import { toolSpecs } from './tool-table.ts';

export type Dialect = {
  readonly system: RenderedPrompt;
  readonly tools: readonly ToolSpec[];
  readonly messages: (items: readonly ContextItem[], hint: Hint, pictures?: Pictures) => readonly ModelMessage[];
  /** What people may see of a text that is still coming. */
  readonly shown: (soFar: string) => string;
  readonly read: (reply: { readonly text: string; readonly calls: readonly RawCall[] }) => {
    readonly text: string;
    readonly calls: readonly RawCall[];
  };
};

/** `functions`: the model takes tools. Without a Python tool there is nothing that the text protocol could run. */
export const dialectOf = (functions: boolean, table: ToolTable, persona = ''): Dialect => {
  const code = table.has('python');
  return functions || !code ? functionCalls(table, code, persona) : textProtocol(persona);
};

const functionCalls = (table: ToolTable, code: boolean, persona: string): Dialect => ({
  system: render(initialPrompt, { code, gepl: false, persona }),
  tools: toolSpecs(table),
  messages: toMessages,
  shown: (soFar) => soFar,
  read: (reply) => reply,
});

const textProtocol = (persona: string): Dialect => ({
  system: render(initialPrompt, { code: true, gepl: true, persona }),
  tools: [],
  messages: (items, hint, pictures) => toMessages(items, hint, pictures).map(asText),
  shown: geplWords,
  read: ({ text }) => {
    const reply = readGepl(text);
    switch (reply.kind) {
      case 'code':
        return {
          text: reply.description,
          calls: [{ id: 'gepl', name: 'python', arguments: JSON.stringify({ code: reply.code }), passBack: null }],
        };
      case 'refusal':
        return { text: reply.reason === '' ? 'I cannot write code for this.' : `I cannot write code for this: ${reply.reason}`, calls: [] };
      case 'words':
        return { text: reply.text, calls: [] };
      default:
        return reply satisfies never;
    }
  },
});

/** The model's own calls in its own form, results as the user's words: a server without tools refuses both roles' other fields. */
const asText = (message: ModelMessage): ModelMessage => {
  if (message.role === 'tool') return { role: 'user', content: message.content };
  if (message.role !== 'assistant' || message.calls.length === 0) return message;
  const written = message.calls.map((call) => callAsGepl(call, message.text));
  return { role: 'assistant', text: written.join('\n'), calls: [], passBack: null };
};
