import { hash } from 'node:crypto';
import type { RedisClient } from '../connection.ts';

/** A Lua script as a value. `keys` is how many of its arguments are keys; all of them share one hash tag. */
export type Script = { readonly name: string; readonly keys: number; readonly lua: string; readonly sha: string };

export const defineScript = (name: string, keys: number, lua: string): Script => ({ name, keys, lua, sha: hash('sha1', lua, 'hex') });

/** Runs a script by its hash, and by its text where Redis does not know it (first use, or after a restart). Rejects as the client does. */
export const runScript = async (
  client: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> => {
  if (keys.length !== script.keys) throw new TypeError(`${script.name} takes ${script.keys} keys`);
  try {
    return await client.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return client.eval(script.lua, keys.length, ...keys, ...args);
  }
};
