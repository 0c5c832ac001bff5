import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import type { LivePlugin, OpenPlugin, PluginHost } from '../core/live-plugin.ts';
import type { AnyPlugin, Plugin } from '../core/plugin.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { toolSpecs, toolTable } from '../turn/tool-table.ts';

type Env = { readonly [name: string]: string | undefined };

/** Every plugin that needs no settings or has its own, in the order of the list; all problems of all of them at once. */
export const readPlugins = (listed: readonly AnyPlugin[], env: Env): Result<readonly Plugin[], Failure> => {
  const read = listed.map((plugin) => ready(plugin, env));
  const plugins = read.flatMap((one) => (one.ok && one.value !== null ? [one.value] : []));
  const problems = read.flatMap((one) => (one.ok ? [] : problemsOf(one.failure)));
  return problems.length > 0 ? invalid(problems) : together(plugins);
};

const ready = (plugin: AnyPlugin, env: Env): Result<Plugin | null, Failure> => {
  try {
    return 'configure' in plugin ? plugin.configure(env) : ok(plugin);
  } catch (error) {
    return invalid([error instanceof Error ? error.message : `plugin ${plugin.name}: ${String(error)}`]);
  }
};

/** Whether a model can be told of them: names are unique, there are not too many (MH4), and each has a schema. Better said now than in a turn. */
const together = (plugins: readonly Plugin[]): Result<readonly Plugin[], Failure> => {
  try {
    toolSpecs(toolTable(plugins));
    return ok(plugins);
  } catch (error) {
    return invalid([`plugins: ${error instanceof Error ? error.message : String(error)}`]);
  }
};

/** Live plugins, each read from its section of the file: what opens them, or all problems of all of them at once. */
export const readLivePlugins = (
  listed: readonly LivePlugin[],
  sections: { readonly [name: string]: unknown },
  env: Env,
): Result<readonly ((host: PluginHost) => Promise<OpenPlugin>)[], Failure> => {
  const read = listed.map((plugin) => plugin.configure(sections[plugin.section], env));
  const problems = read.flatMap((one) => (one.ok ? [] : problemsOf(one.failure)));
  return problems.length > 0 ? invalid(problems) : ok(read.flatMap((one) => (one.ok && one.value !== null ? [one.value] : [])));
};

export const problemsOf = (why: Failure): readonly string[] => (why.code === 'config-invalid' ? why.problems : [why.detail]);

const invalid = (problems: readonly string[]) => err(failure('config-invalid', { problems }, problems.join('; ')));
