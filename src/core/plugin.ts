/**
 * The plugin contract. A plugin declares its tools, and in `needs` the capabilities they may use;
 * what it did not declare it is not handed.
 *
 * A tool's `execute` may throw or hang: the loop bounds every call in time and size, and a failure of any kind
 * becomes a result that the model reads. Nothing a plugin does ends a turn.
 */
import type { z } from 'zod';
import type { Failure } from './failure.ts';
import type { Result } from './result.ts';
import type { Run } from './run.ts';
import type { PromptText } from './trust.ts';

/** What plugins may be given. Each is bound to the running turn: a plugin cannot reach another conversation. */
export type Capabilities = {
  /** Runs Python in the conversation's shared state; the run is numbered, recorded and shown by the loop. */
  readonly sandbox: { readonly run: (code: string) => Promise<Result<Run, Failure>> };
  /** Milliseconds since the epoch. */
  readonly clock: { readonly now: () => number };
};
export type Capability = keyof Capabilities;

export type ToolContext = {
  /** Stable over a retry of the same call: `turn:step:call`. Use it as an idempotency key outside. */
  readonly callKey: string;
  /** Aborted when the turn is stopped or the call's time is up. */
  readonly signal: AbortSignal;
  /** Shows one short line of progress to the thread. */
  readonly progress: (line: string) => void;
};

/**
 * What a tool returns: text for the model. `trusted` is false for words that somebody else wrote (a page, a file, another server);
 * those are fenced before the model reads them.
 */
export type ToolOutcome = { readonly text: string; readonly failed?: boolean; readonly trusted?: boolean; readonly run?: Run };

export type ToolDefinition<Context, Schema extends z.ZodType = z.ZodType> = {
  /** `^[a-zA-Z0-9_-]{1,64}$`, unique over all plugins. */
  readonly name: string;
  /** A prompt: says when to use the tool, with a right and a wrong example where that helps. At most 1,024 characters. */
  readonly description: PromptText;
  /** A zod object; its JSON Schema goes to the model, its output to `execute`. */
  readonly parameters: Schema;
  /** `write`: has effects outside of the conversation; never repaired, never run twice. */
  readonly effect: 'read' | 'write';
  /** May a call that was interrupted be run again? */
  readonly idempotent: boolean;
  /** May it run beside other calls of the same step? */
  readonly parallelSafe: boolean;
  readonly timeoutMs: number;
  /** Where the arguments are not JSON but bare text, the argument that takes it whole (`code`). */
  readonly bareArgument?: string;
  /** Other names that models are known to use for this tool. */
  readonly aliases?: readonly string[];
  /** One short line for the thread while the call runs. */
  readonly summary?: (args: z.output<Schema>) => string;
  readonly execute: (args: z.output<Schema>, context: Context) => Promise<ToolOutcome>;
};

/** A tool with its types erased: arguments are decoded with its own schema before `execute` sees them. */
export type AnyTool = ToolDefinition<ToolContext & Capabilities>;

export type Plugin = {
  readonly name: string;
  readonly description: string;
  readonly needs: readonly Capability[];
  readonly tools: readonly AnyTool[];
};

type PluginDefinition<Needs extends readonly Capability[]> = {
  readonly name: string;
  readonly description: string;
  readonly needs: Needs;
  readonly tools: (define: DefineTool<ToolContext & Pick<Capabilities, Needs[number]>>) => readonly AnyTool[];
};
type DefineTool<Context> = <Schema extends z.ZodType>(tool: ToolDefinition<Context, Schema>) => AnyTool;

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Checks a plugin and returns it as data. Throws a TypeError that names the fault: a wrong plugin must not start. */
export const definePlugin = <const Needs extends readonly Capability[]>(definition: PluginDefinition<Needs>): Plugin => {
  const tools = definition.tools(eraseTool);
  for (const tool of tools) {
    if (!NAME.test(tool.name)) throw new TypeError(`plugin ${definition.name}: not a legal tool name: ${tool.name}`);
    if (tool.description.length > 1024)
      throw new TypeError(`plugin ${definition.name}: the description of ${tool.name} is longer than 1,024 characters`);
    if (!(tool.timeoutMs > 0)) throw new TypeError(`plugin ${definition.name}: ${tool.name} needs a timeoutMs above 0`);
  }
  return { name: definition.name, description: definition.description, needs: definition.needs, tools };
};

// A tool's own argument type is only known to itself. Erasing it is safe because the loop calls `execute` with the output of the
// tool's own `parameters` and with at least the capabilities that its plugin declared.
const eraseTool = <Context, Schema extends z.ZodType>(tool: ToolDefinition<Context, Schema>): AnyTool => tool as unknown as AnyTool;
