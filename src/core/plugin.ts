/**
 * The plugin contract. A plugin declares its tools, and in `needs` the capabilities they may use;
 * what it did not declare it is not handed.
 *
 * A tool's `execute` may throw or hang: the loop bounds every call in time and size, and a failure of any kind
 * becomes a result that the model reads. Nothing a plugin does ends a turn.
 */
import type { z } from 'zod';
import type { Failure } from './failure.ts';
import { failure } from './failure.ts';
import type { Fetched, FetchRequest } from './fetch.ts';
import { pluginFault, toolFault } from './plugin-check.ts';
import { err, ok } from './result.ts';
import type { Result } from './result.ts';
import type { Run } from './run.ts';
import type { JsonSchema } from './tool.ts';
import type { PromptText } from './trust.ts';

/** What plugins may be given. Each is bound to the running turn: a plugin cannot reach another conversation. */
export type Capabilities = {
  /** Runs Python in the conversation's shared state; the run is numbered, recorded and shown by the loop. */
  readonly sandbox: { readonly run: (code: string) => Promise<Result<Run, Failure>> };
  /** Milliseconds since the epoch. */
  readonly clock: { readonly now: () => number };
  /**
   * GET over HTTP: public addresses, and the plugin's own `services`. Once the conversation holds text from outside, only addresses that
   * a person gave or a search returned (`taint.ts`), and the services. Never rejects.
   */
  readonly fetch: { readonly get: (request: FetchRequest, signal: AbortSignal) => Promise<Result<Fetched, Failure>> };
  /** The whole of a result that was cut or taken out of the context, by the name it is kept as. Null where nothing has that name. */
  readonly kept: { readonly read: (name: string) => Promise<Result<KeptText | null, Failure>> };
  /** The operator's log: for what only the operator can mend. Never what people wrote, and no secret. */
  readonly log: { readonly warn: (fields: { readonly [field: string]: string | number }, message: string) => void };
};
/** `outside`: words of somebody outside are in it. */
export type KeptText = { readonly text: string; readonly outside: boolean };
export type Capability = keyof Capabilities;
export const capabilityNames: readonly Capability[] = ['sandbox', 'clock', 'fetch', 'kept', 'log'];

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
 * those are fenced before the model reads them, and taint the conversation. `advice` is the tool's own word on what can be done next,
 * outside of that fence. `links` are addresses that the tool found by itself (a search's results), never ones it read in somebody's text:
 * they may be fetched later on.
 */
export type ToolOutcome = {
  readonly text: string;
  readonly failed?: boolean;
  readonly trusted?: boolean;
  readonly advice?: PromptText;
  readonly links?: readonly string[];
  readonly run?: Run;
  /** Files for the thread: at most 8, of 8 MB together; what is beyond is left out, and the model told. Pictures are also shown to a model that takes them. */
  readonly files?: readonly ToolFile[];
};
export type ToolFile = { readonly name: string; readonly type: string; readonly bytes: Uint8Array };

export type ToolDefinition<Context, Schema extends z.ZodType = z.ZodType> = {
  /** `^[a-zA-Z0-9_-]{1,64}$`, unique over all plugins. */
  readonly name: string;
  /** A prompt: says when to use the tool, with a right and a wrong example where that helps. At most 1,024 characters. */
  readonly description: PromptText;
  /** A zod object; its JSON Schema goes to the model, its output to `execute`. */
  readonly parameters: Schema;
  /** What the model is told of the parameters, where that is not made from `parameters`: JSON Schema with an object at the root. */
  readonly schema?: JsonSchema;
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
export type AnyTool = ToolDefinition<ToolContext & Capabilities> & { readonly of: PluginFacts };

/** What the loop must know of the plugin behind a tool. */
export type PluginFacts = {
  readonly name: string;
  readonly needs: readonly Capability[];
  /** URLs of servers that the operator set for this plugin; it may fetch from their origins wherever they are. */
  readonly services: readonly string[];
};

export type Plugin = PluginFacts & { readonly description: string; readonly tools: readonly AnyTool[] };

/** A plugin that reads settings: `configure` makes it ready. */
export type ConfigurablePlugin = {
  readonly name: string;
  readonly description: string;
  readonly needs: readonly Capability[];
  /** The names of its settings. */
  readonly settings: readonly string[];
  /**
   * The plugin with these settings (values set to nothing count as not set). Null where none of the settings it cannot do without is set:
   * it is not set up, and its tools are not offered. A `config-invalid` failure where some are set and others are missing or wrong.
   */
  readonly configure: (env: { readonly [name: string]: string | undefined }) => Result<Plugin | null, Failure>;
};

/** What stands in a list of plugins. */
export type AnyPlugin = Plugin | ConfigurablePlugin;

type Tools<Needs extends readonly Capability[]> = DefineTool<ToolContext & Pick<Capabilities, Needs[number]>>;
type DefineTool<Context> = <Schema extends z.ZodType>(tool: ToolDefinition<Context, Schema>) => AnyTool;

type PluginDefinition<Needs extends readonly Capability[]> = {
  readonly name: string;
  readonly description: string;
  readonly needs: Needs;
  readonly tools: (define: Tools<Needs>) => readonly AnyTool[];
};
type ConfigurableDefinition<Needs extends readonly Capability[], Settings extends z.ZodObject> = {
  readonly name: string;
  readonly description: string;
  readonly needs: Needs;
  /** A zod object whose keys are names of environment variables. */
  readonly settings: Settings;
  readonly services?: (settings: z.output<Settings>) => readonly string[];
  readonly tools: (define: Tools<Needs>, settings: z.output<Settings>) => readonly AnyTool[];
};

const SETTING = /^[A-Z][A-Z0-9_]*$/;

/**
 * Checks a plugin and returns it as data. Throws a TypeError that names the fault: a wrong plugin must not start.
 * With `settings` it comes back as one that still has to be configured.
 */
export function definePlugin<const Needs extends readonly Capability[], Settings extends z.ZodObject>(
  definition: ConfigurableDefinition<Needs, Settings>,
): ConfigurablePlugin;
export function definePlugin<const Needs extends readonly Capability[]>(definition: PluginDefinition<Needs>): Plugin;
export function definePlugin<const Needs extends readonly Capability[], Settings extends z.ZodObject>(
  definition: PluginDefinition<Needs> | ConfigurableDefinition<Needs, Settings>,
): AnyPlugin {
  const fault = pluginFault(definition, capabilityNames);
  if (fault !== null) throw new TypeError(fault);
  const plugin =
    'settings' in definition
      ? configurable(definition)
      : toPlugin({ name: definition.name, needs: definition.needs, services: [] }, definition.description, definition.tools);
  defined.add(plugin);
  return plugin;
}

const defined = new WeakSet<object>();
/** Whether `definePlugin` made it, and so checked it. */
export const isDefined = (value: unknown): value is AnyPlugin => typeof value === 'object' && value !== null && defined.has(value);

const configurable = <const Needs extends readonly Capability[], Settings extends z.ZodObject>(
  definition: ConfigurableDefinition<Needs, Settings>,
): ConfigurablePlugin => {
  const { name, description, needs, settings } = definition;
  const names = Object.keys(settings.shape);
  const odd = names.find((one) => !SETTING.test(one));
  if (odd !== undefined) throw new TypeError(`plugin ${name}: settings are environment variables, which ${odd} cannot be`);
  const required = names.filter((one) => lacks(settings, one));
  return {
    name,
    description,
    needs,
    settings: names,
    configure: (env) => {
      const given = Object.fromEntries(names.flatMap((one) => ((env[one] ?? '').trim() === '' ? [] : [[one, env[one]]])));
      if (required.length > 0 && !required.some((one) => one in given)) return ok(null);
      const decoded = settings.safeParse(given);
      if (!decoded.success) {
        const problems = decoded.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
        return err(failure('config-invalid', { problems }, problems.join('; ')));
      }
      const facts = { name, needs, services: definition.services?.(decoded.data) ?? [] };
      return ok(toPlugin(facts, description, (define: Tools<Needs>) => definition.tools(define, decoded.data)));
    },
  };
};

const lacks = (settings: z.ZodObject, name: string): boolean =>
  settings.safeParse({}).error?.issues.some((issue) => issue.path[0] === name) ?? false;

const toPlugin = <Context>(
  of: PluginFacts,
  description: string,
  makeTools: (define: DefineTool<Context>) => readonly AnyTool[],
): Plugin => {
  const tools = makeTools(eraseTool(of));
  for (const tool of tools) {
    const fault = toolFault(tool);
    if (fault !== null) throw new TypeError(`plugin ${of.name}: ${fault}`);
  }
  return { ...of, description, tools };
};

// A tool's own argument type is only known to itself. Erasing it is safe because the loop calls `execute` with the output of the
// tool's own `parameters` and with the capabilities that its plugin declared.
const eraseTool =
  (of: PluginFacts) =>
  <Context, Schema extends z.ZodType>(tool: ToolDefinition<Context, Schema>): AnyTool =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    ({ ...tool, of }) as unknown as AnyTool;
