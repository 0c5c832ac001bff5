/** Plugins that the operator brings: by path (`./my-plugin.ts`, from the folder of the configuration file) or by the name of a package. */
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { definePlugin, isDefined } from '../core/plugin.ts';
import type { AnyPlugin } from '../core/plugin.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { words } from '../core/trust.ts';

/** What a plugin is made with. One that is a package cannot import these from here, so it is handed them. */
const pluginKit = { definePlugin, words, z };

/** A module that does not come to its end within this time is a fault of the set-up. */
const LOAD_MS = 20_000;

/** All of them in the order of the list, or everything that is wrong with any. `folder` is what paths start from. */
export const loadPlugins = async (specs: readonly string[], folder: string): Promise<Result<readonly AnyPlugin[], Failure>> => {
  const loaded: AnyPlugin[] = [];
  const problems: string[] = [];
  for (const spec of specs) {
    const one = await loadPlugin(spec, folder);
    if ('problem' in one) problems.push(`plugins: ${spec}: ${one.problem}`);
    else loaded.push(one.plugin);
  }
  return problems.length === 0 ? ok(loaded) : err(failure('config-invalid', { problems }, problems.join('; ')));
};

type Loaded = { readonly plugin: AnyPlugin } | { readonly problem: string };

const loadPlugin = async (spec: string, folder: string): Promise<Loaded> => {
  try {
    const imported: unknown = await within(import(addressOf(spec, folder)));
    const exported: unknown = typeof imported === 'object' && imported !== null && 'plugin' in imported ? imported.plugin : undefined;
    if (exported === undefined) return { problem: 'it exports nothing called plugin' };
    const plugin: unknown = typeof exported === 'function' ? Reflect.apply(exported, undefined, [pluginKit]) : exported;
    return isDefined(plugin) ? { plugin } : { problem: 'what it exports as plugin was not made by definePlugin' };
  } catch (error) {
    return { problem: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
};

const addressOf = (spec: string, folder: string): string =>
  spec.startsWith('.') || isAbsolute(spec) ? pathToFileURL(resolve(folder, spec)).href : spec;

const within = async (loading: Promise<unknown>): Promise<unknown> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it did not load in time')), LOAD_MS);
  try {
    return await Promise.race([loading, promise]);
  } finally {
    clearTimeout(timer);
  }
};
