/** What the workers of one installation know of each other: its id, and which of them are alive. One Redis is one installation. */
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { installationKey, workerKey } from './keys.ts';

export type Installation = AsyncDisposable & {
  /** Twelve characters, the same for every process on this Redis. */
  readonly id: string;
  /** This process, unique. */
  readonly workerId: string;
  /** Whether that worker gave a sign of life within the last half minute. While Redis is away everybody counts as alive. */
  readonly isAlive: (workerId: string) => Promise<boolean>;
};

const BEAT_MS = 5_000;
const ALIVE_S = 30;

/** Joins the installation and gives signs of life until it is disposed. While Redis is away the id of a first start is this process's own. */
export const joinInstallation = async (deps: {
  readonly client: RedisClient;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<Installation> => {
  const { client, clock, log } = deps;
  const leaving = new AbortController();
  const workerId = clock.newId();
  const own = clock.newId().slice(0, 12);
  const known = await attempt(async () => {
    await client.setnx(installationKey, own);
    return client.get(installationKey);
  });
  const beat = async (): Promise<void> => {
    const beaten = await attempt(() => client.set(workerKey(workerId), '1', 'EX', ALIVE_S));
    if (!beaten.ok) log.debug({ failure: beaten.failure }, 'no sign of life could be given');
  };
  const beatOn = async (): Promise<void> => {
    while (!leaving.signal.aborted) {
      await clock.sleep(BEAT_MS, leaving.signal);
      if (!leaving.signal.aborted) await beat();
    }
  };
  await beat();
  const beating = beatOn();
  return {
    id: (known.ok ? known.value : null) ?? own,
    workerId,
    isAlive: async (other) => {
      const there = await attempt(() => client.exists(workerKey(other)));
      return !there.ok || there.value === 1;
    },
    [Symbol.asyncDispose]: async () => {
      leaving.abort();
      await beating;
      await attempt(() => client.del(workerKey(workerId)));
    },
  };
};
