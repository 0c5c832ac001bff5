import { z } from 'zod';
import { ok } from '../../core/result.ts';
import type { SharedFacts } from '../../ports/shared-facts.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { factKey } from './keys.ts';
import { runScript } from './scripts/script.ts';
import { claimFactScript } from './scripts/small.ts';

/** Facts in Redis, one key each, in the name space of one adapter. */
export const createSharedFacts = ({ client, adapter }: { readonly client: RedisClient; readonly adapter: string }): SharedFacts => ({
  get: (name) => attempt(() => client.get(factKey(adapter, name))),
  set: async (name, value, ttlMs) => {
    const key = factKey(adapter, name);
    const reply = await attempt(() => (ttlMs === null ? client.set(key, value) : client.set(key, value, 'PX', lifetime(ttlMs))));
    return reply.ok ? ok(undefined) : reply;
  },
  claim: async (name, value, ttlMs) => {
    const args = [value, ttlMs === null ? 0 : lifetime(ttlMs)];
    const reply = await attempt(() => runScript(client, claimFactScript, [factKey(adapter, name)], args));
    return reply.ok ? ok(z.string().parse(reply.value)) : reply;
  },
  remove: async (name) => {
    const reply = await attempt(() => client.unlink(factKey(adapter, name)));
    return reply.ok ? ok(undefined) : reply;
  },
});

/** Redis takes whole milliseconds, one or more. */
const lifetime = (ttlMs: number): number => Math.max(1, Math.round(ttlMs));
