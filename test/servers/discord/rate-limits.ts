/** Buckets of requests as Discord keeps them, the headers that tell of them, and the ban for too many refusals. */
import { createHash } from 'node:crypto';
import { RestFault } from './rest-fault.ts';
import type { World } from './world.ts';

export type Bucket = { readonly key: string; readonly limit: number; readonly windowMs: number };

export type Limits = {
  /** Counts a request in; refuses with 429 where its bucket is full. Answers the headers that go with the reply. */
  readonly take: (bucket: Bucket, exempt: boolean) => Readonly<Record<string, string>>;
  readonly reset: () => void;
};

const tooMany = (seconds: number, scope: 'user' | 'shared' | 'global', headers: Readonly<Record<string, string>> = {}): RestFault =>
  new RestFault(
    429,
    0,
    'You are being rate limited.',
    { retry_after: seconds, global: scope === 'global' },
    {
      'retry-after': String(Math.ceil(seconds)),
      'x-ratelimit-scope': scope,
      ...(scope === 'global' ? { 'x-ratelimit-global': 'true' } : {}),
      ...headers,
    },
  );

export const createLimits = (world: World): Limits => {
  const used = new Map<string, { count: number; until: number }>();
  const all: number[] = [];
  return {
    take: ({ key, limit, windowMs }, exempt) => {
      const now = world.clock.now();
      if (!exempt) {
        while ((all[0] ?? now) <= now - 1000) all.shift();
        if (all.length >= world.settings.globalPerSecond) throw tooMany(((all[0] ?? now) + 1000 - now) / 1000, 'global');
        all.push(now);
      }
      const found = used.get(key);
      const window = found === undefined || found.until <= now ? { count: 0, until: now + windowMs } : found;
      used.set(key, window);
      const full = window.count >= limit;
      if (!full) window.count += 1;
      const resetAfter = (window.until - now) / 1000;
      const [route = key] = key.split(' ');
      const headers = {
        'x-ratelimit-bucket': createHash('md5').update(route).digest('hex'),
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(limit - window.count),
        'x-ratelimit-reset': ((now + resetAfter * 1000) / 1000).toFixed(3),
        'x-ratelimit-reset-after': resetAfter.toFixed(3),
      };
      if (full) throw tooMany(resetAfter, 'user', headers);
      return headers;
    },
    reset: () => {
      used.clear();
      all.length = 0;
    },
  };
};

export { tooMany };

/** Requests of this address that were refused in the last ten minutes. */
export const invalidRequests = (world: World): number => {
  const now = world.clock.now();
  while ((world.invalid[0] ?? now) <= now - 600_000) world.invalid.shift();
  return world.invalid.length;
};
