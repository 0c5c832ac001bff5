import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { lockKey, secretsKey } from './keys.ts';
import { runScript } from './scripts/script.ts';
import { prolongScript, unlockScript } from './scripts/small.ts';
import type { TextSeal } from './seal.ts';

const SCOPE = 'installations';
const LOCK_MS = 30_000;
const SIGN_MS = 10_000;
const LOOK_MS = 100;

export type SecretsDeps = {
  readonly client: RedisClient;
  /** Null: the installation has no key. */
  readonly seal: TextSeal | null;
  readonly clock: Clock;
  /** How long a lock outlives its holder, and how long one is waited for. */
  readonly lockMs?: number;
};

/** Secrets in Redis, in one hash. */
export const createSecrets = ({ client, seal, clock, lockMs = LOCK_MS }: SecretsDeps): Secrets => ({
  get: async (name) => {
    if (seal === null) return err(noKey());
    const reply = await attempt(() => client.hget(secretsKey, name));
    if (!reply.ok || reply.value === null) return reply;
    const value = seal.open(SCOPE, name, reply.value);
    return value === null ? err(otherKey(name)) : ok(value);
  },
  put: async (name, value) => {
    if (seal === null) return err(noKey());
    const reply = await attempt(() => client.hset(secretsKey, name, seal.close(SCOPE, name, value)));
    return reply.ok ? ok(undefined) : reply;
  },
  remove: async (name) => {
    const reply = await attempt(() => client.hdel(secretsKey, name));
    return reply.ok ? ok(undefined) : reply;
  },
  list: async (prefix) => {
    const reply = await attempt(() => client.hkeys(secretsKey));
    return reply.ok ? ok(reply.value.filter((name) => name.startsWith(prefix)).toSorted()) : reply;
  },
  withLock: async (name, work) => {
    const key = lockKey(name);
    const token = clock.newId();
    const locked = await lock(client, clock, key, token, lockMs);
    if (!locked.ok) return locked;
    const leaving = new AbortController();
    const keeping = keep(client, clock, key, token, lockMs, leaving.signal);
    try {
      return ok(await work());
    } finally {
      leaving.abort();
      await keeping;
      // A lock that cannot be given back now ends by itself.
      await attempt(() => runScript(client, unlockScript, [key], [token]));
    }
  },
});

/** Waits for the lock as long as it lives without a sign of its holder. */
const lock = async (client: RedisClient, clock: Clock, key: string, token: string, lockMs: number): Promise<Result<void, Failure>> => {
  // A little longer than that, or who begins to wait just as the holder dies would miss it.
  const end = clock.now() + lockMs + 10 * LOOK_MS;
  for (;;) {
    // The second question is for a command that was sent again after a lost answer: then the lock is ours already.
    const reply = await attempt(
      async () => (await client.set(key, token, 'PX', lockMs, 'NX')) === 'OK' || (await client.get(key)) === token,
    );
    if (!reply.ok) return reply;
    if (reply.value) return ok(undefined);
    if (clock.now() >= end) return err(failure('store-busy', {}, key));
    await clock.sleep(LOOK_MS);
  }
};

/** Gives signs of life for the lock until the signal aborts. */
const keep = async (client: RedisClient, clock: Clock, key: string, token: string, lockMs: number, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await clock.sleep(Math.min(SIGN_MS, lockMs / 3), signal);
    if (!signal.aborted) await attempt(() => runScript(client, prolongScript, [key], [token, lockMs]));
  }
};

const invalid = (problem: string): Failure => failure('config-invalid', { problems: [problem] }, problem);
const noKey = (): Failure =>
  invalid('HEKTOR_ENCRYPTION_KEY: must be set (32 characters or more), for tokens of installations are never stored unsealed');
const otherKey = (name: string): Failure =>
  invalid(`HEKTOR_ENCRYPTION_KEY: is not the one under which ${name} was stored; set the former one again, or install the bot anew`);
