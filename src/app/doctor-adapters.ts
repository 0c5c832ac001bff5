/** The doctor's look at the platforms: their settings, what each adapter checks by itself, and what its in-tray gave up. */
import { adapters as factories } from '../../adapters/index.ts';
import { advice, fault } from '../core/finding.ts';
import type { Finding } from '../core/finding.ts';
import { describe } from '../infra/redis/attempt.ts';
import type { RedisClient } from '../infra/redis/connection.ts';
import { inspectInbox } from '../infra/redis/inbox-tray.ts';
import { sealsOf } from '../infra/redis/seal.ts';
import { createSecrets } from '../infra/redis/secrets.ts';
import { createSharedFacts } from '../infra/redis/shared-facts.ts';
import { systemClock } from '../infra/system/clock.ts';
import type { Adapter, AdapterFactory } from '../ports/adapter.ts';
import type { Log } from '../ports/log.ts';
import { problemsOf } from './read-plugins.ts';

type Env = { readonly [name: string]: string | undefined };

export type AdapterCheckDeps = {
  readonly env: Env;
  readonly encryptionKey: string | null;
  /** Fails at once while Redis is away. */
  readonly client: RedisClient;
  readonly log: Log;
  /** Those that there are, unless a test has its own. */
  readonly adapters?: readonly AdapterFactory[];
};

/** Platforms that are not set up are left out. */
export const examineAdapters = async (deps: AdapterCheckDeps): Promise<readonly Finding[]> => {
  const found = await Promise.all(
    (deps.adapters ?? factories).map(async (factory) => {
      const made = factory.create(deps.env);
      if (!made.ok) return problemsOf(made.failure).map((problem) => fault(factory.name, problem));
      return made.value === null ? [] : [...(await ownChecks(deps, made.value)), ...(await givenUp(deps, factory.name))];
    }),
  );
  return found.flat();
};

const ownChecks = async ({ client, encryptionKey, log }: AdapterCheckDeps, adapter: Adapter): Promise<readonly Finding[]> => {
  try {
    const secrets = createSecrets({ client, seal: sealsOf(encryptionKey).secrets, clock: systemClock });
    const shared = createSharedFacts({ client, adapter: adapter.name });
    return (await adapter.check?.({ log, clock: systemClock, secrets, shared })) ?? [];
  } catch (error) {
    return [fault(adapter.name, `its own checks failed, which is a bug of the adapter (${describe(error)})`)];
  }
};

const givenUp = async ({ client }: AdapterCheckDeps, name: string): Promise<readonly Finding[]> => {
  const report = await inspectInbox(client, name);
  if (!report.ok || report.value.dead === 0) return [];
  const { dead, reason } = report.value;
  const words = `${dead === 1 ? '1 delivery was' : `${dead} deliveries were`} given up (the newest: ${reason ?? 'unreadable'})`;
  return [advice(name, words, `Mend what the log says of it, then put them back: npm start -- --requeue=${name}`)];
};
