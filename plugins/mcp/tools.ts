/** A server's tools -> tools of ours. */
import type { AnyTool, PluginFacts, ToolContext } from '../../src/core/plugin.ts';
import { quote, quoteInline, untrusted, words } from '../../src/core/trust.ts';
import { checkOf, flattenSchema } from './schema.ts';
import type { ListedTool } from './list-tools.ts';
import type { McpServer } from './server.ts';

const MAX_DESCRIPTION = 1_024;
/** Long enough that the server's own time limit is always the one that ends a call. */
const MARGIN_MS = 10_000;

/** Null where the tool's schema is none of an object. */
export const toTool = (server: McpServer, listed: ListedTool, name: string, callMs: number, of: PluginFacts): AnyTool | null => {
  const schema = flattenSchema(listed.inputSchema);
  if (schema === null) return null;
  const { readOnlyHint = false, idempotentHint = false } = listed.annotations;
  return {
    of,
    name,
    description: descriptionOf(server.name, listed),
    parameters: checkOf(schema),
    schema,
    // What a server does not call harmless is not taken for harmless.
    effect: readOnlyHint ? 'read' : 'write',
    idempotent: readOnlyHint || idempotentHint,
    parallelSafe: readOnlyHint,
    timeoutMs: callMs + MARGIN_MS,
    execute: (args: unknown, { signal }: ToolContext) =>
      server.call(listed.name, typeof args === 'object' && args !== null ? args : {}, signal),
  };
};

/** The server's words stand in a fence: a description is the first place where a hostile server would give the model orders. */
const descriptionOf = (server: string, { name, description }: ListedTool): AnyTool['description'] => {
  const intro = words`The tool ${quoteInline(untrusted(name), 64)} of the server ${quoteInline(untrusted(server), 64)}, which describes it so:\n`;
  const around = quote('description', untrusted('')).length;
  // What defuses a fence makes the text longer, so it is cut until it fits.
  for (let room = MAX_DESCRIPTION - intro.length - around; ; room = Math.floor(room * 0.9)) {
    const text = words`${intro}${quote('description', untrusted(cutEnd(description.trim(), room)))}`;
    if (text.length <= MAX_DESCRIPTION || room < 10) return text;
  }
};

const cutEnd = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, Math.max(0, max - 1)).toWellFormed()}…`;
