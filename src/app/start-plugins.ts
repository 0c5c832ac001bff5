/** All plugins of a process: the built-in ones, those the operator brings, and those that hold something open. */
import { dirname, resolve } from 'node:path';
import { livePlugins, plugins as builtIn } from '../../plugins/index.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import type { Inspected } from '../core/live-plugin.ts';
import type { Plugin } from '../core/plugin.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { Log } from '../ports/log.ts';
import { CONFIG_FILE } from './config.ts';
import type { Config } from './config.ts';
import { loadPlugins } from './load-plugins.ts';
import { problemsOf, readLivePlugins, readPlugins } from './read-plugins.ts';

type Env = { readonly [name: string]: string | undefined };

export type StartedPlugins = AsyncDisposable & {
  readonly plugins: readonly Plugin[];
  /** For `npm run doctor`: how everything that plugins hold open is doing. */
  readonly inspect: () => Promise<readonly Inspected[]>;
};

/** All problems of all plugins at once. A gateway runs no tools, so there nothing is opened. */
export const startPlugins = async (config: Config, env: Env, log: Log): Promise<Result<StartedPlugins, Failure>> => {
  const path = (env['HEKTOR_CONFIG'] ?? '').trim();
  const brought = await loadPlugins(config.file.plugins, dirname(resolve(path === '' ? CONFIG_FILE : path)));
  const fixed = readPlugins([...builtIn, ...(brought.ok ? brought.value : [])], env);
  const live = readLivePlugins(livePlugins, { mcpServers: config.file.mcpServers }, env);
  if (!brought.ok || !fixed.ok || !live.ok) {
    const problems = [brought, fixed, live].flatMap((one) => (one.ok ? [] : problemsOf(one.failure)));
    return err(failure('config-invalid', { problems }, problems.join('; ')));
  }
  const otherTools = new Set(fixed.value.flatMap((plugin) => plugin.tools.map((tool) => tool.name)));
  const opened = config.role === 'gateway' ? [] : await Promise.all(live.value.map((open) => open({ log, otherTools })));
  return ok({
    plugins: [...fixed.value, ...opened],
    inspect: async () => (await Promise.all(opened.map((plugin) => plugin.inspect()))).flat(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((plugin) => plugin[Symbol.asyncDispose]()));
    },
  });
};
