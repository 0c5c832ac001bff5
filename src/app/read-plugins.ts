import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import type { AnyPlugin, Plugin } from '../core/plugin.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';

/** Every plugin that needs no settings or has its own, in the order of the list; all problems of all of them at once. */
export const readPlugins = (
  listed: readonly AnyPlugin[],
  env: { readonly [name: string]: string | undefined },
): Result<readonly Plugin[], Failure> => {
  const read = listed.map((plugin) => ('configure' in plugin ? plugin.configure(env) : ok(plugin)));
  const problems = read.flatMap((one) =>
    one.ok ? [] : one.failure.code === 'config-invalid' ? one.failure.problems : [one.failure.detail],
  );
  if (problems.length > 0) return err(failure('config-invalid', { problems }, problems.join('; ')));
  return ok(read.flatMap((one) => (one.ok && one.value !== null ? [one.value] : [])));
};
