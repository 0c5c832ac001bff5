/** Plugins that hold something open, and whose tools come and go while the process runs. */
import type { Failure } from './failure.ts';
import type { Capabilities, Plugin } from './plugin.ts';
import type { Result } from './result.ts';

/** The most tools a model server takes in one request (MH4). */
export const MAX_TOOLS = 128;

export type LivePlugin = {
  readonly name: string;
  readonly description: string;
  /** The section of `hektor.config.json` that sets it up. */
  readonly section: string;
  /**
   * Reads its section and whatever the section names in the environment; opens nothing yet. Null where it is not set up. A `config-invalid`
   * failure names every problem, and no secret.
   */
  readonly configure: (
    section: unknown,
    env: { readonly [name: string]: string | undefined },
  ) => Result<((host: PluginHost) => Promise<OpenPlugin>) | null, Failure>;
};

/** What a live plugin is handed when it is opened. */
export type PluginHost = {
  readonly log: Capabilities['log'];
  /** The names of all tools that are always there: its own must differ, and together they must not exceed `MAX_TOOLS`. */
  readonly otherTools: ReadonlySet<string>;
};

/**
 * Opening loads what it needs and waits for nobody: what takes long goes on in the background. `tools` gives those that can be used now, and the same list until it
 * changes. Disposing ends everything that was opened.
 */
export type OpenPlugin = Plugin &
  AsyncDisposable & {
    /** For `npm run doctor`: waits until everything has been tried once, and says how it went, in words for the operator. Never rejects. */
    readonly inspect: () => Promise<readonly Inspected[]>;
  };

export type Inspected = { readonly of: string; readonly good: boolean; readonly text: string };
