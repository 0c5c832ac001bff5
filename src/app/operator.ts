/** What the program does for an operator and then ends: printing what installs the bot, putting back what was given up. */
import { adapters as factories } from '../../adapters/index.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { err } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { createRedis } from '../infra/redis/connection.ts';
import { requeueDead } from '../infra/redis/inbox-tray.ts';
import type { AdapterFactory } from '../ports/adapter.ts';
import type { Log } from '../ports/log.ts';

type Env = { readonly [name: string]: string | undefined };

const invalid = (problem: string): Result<never, Failure> => err(failure('config-invalid', { problems: [problem] }, problem));

/** What to paste or open to install the bot on that platform. Needs no other settings to be right. */
export const installText = (name: string, env: Env, adapters: readonly AdapterFactory[] = factories): Result<string, Failure> => {
  const install = adapters.find((factory) => factory.name === name)?.install;
  if (install !== undefined) return install(env);
  const known = adapters.filter((factory) => factory.install !== undefined).map((factory) => factory.name);
  return invalid(`--install=${name}: there is nothing to install for that; it takes ${known.join(', ')}`);
};

/** Puts the deliveries that this adapter gave up back into its in-tray; resolves with how many. */
export const requeue = async (name: string, redisUrl: string, log: Log): Promise<Result<number, Failure>> => {
  const known = factories.map((factory) => factory.name);
  if (!known.includes(name)) return invalid(`--requeue=${name}: there is no such adapter; it takes ${known.join(', ')}`);
  await using redis = createRedis({ url: redisUrl, purpose: 'work', log });
  const ready = await redis.ready(15_000);
  return ready.ok ? await requeueDead(redis.client, name) : ready;
};
