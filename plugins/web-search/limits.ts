/** What Brave says about its limits. Pure. */
import { z } from 'zod';
import type { Fetched } from '../../src/core/fetch.ts';

/** `rate`: too many requests within a short window; `quota`: the plan's requests (or its money) are used up. */
export type Limit = { readonly kind: 'rate' | 'quota'; readonly seconds: number };

const errorSchema = z.object({
  error: z.object({
    code: z.string().nullish(),
    meta: z.object({ quota_limit: z.number().nullish(), quota_current: z.number().nullish() }).nullish(),
  }),
});

/** A window longer than this is a quota. */
const SHORT = 120;

/** The limit that refused a request; undefined where it was refused for something else. */
export const limitOf = (answer: Fetched): Limit | undefined => {
  if (answer.status === 402) return { kind: 'quota', seconds: 24 * 3600 };
  if (answer.status !== 429) return undefined;
  const remaining = numbers(answer, 'x-ratelimit-remaining');
  const reset = numbers(answer, 'x-ratelimit-reset');
  const used = reset.filter((_, index) => remaining[index] === 0);
  const retryAfter = Number(answer.headers.get('retry-after') ?? Number.NaN);
  // Windows stand in the headers from short to long; the longest that is used up decides.
  const seconds = Math.max(1, Math.ceil(used.length > 0 ? Math.max(...used) : Number.isFinite(retryAfter) ? retryAfter : (reset[0] ?? 1)));
  if (quotaInBody(answer)) return { kind: 'quota', seconds: Math.max(seconds, ...reset) };
  return { kind: seconds > SHORT ? 'quota' : 'rate', seconds };
};

/** `1, 1419704` -> both numbers. */
const numbers = (answer: Fetched, header: string): readonly number[] =>
  (answer.headers.get(header) ?? '')
    .split(',')
    .map((part) => Number.parseFloat(part))
    .filter((number) => Number.isFinite(number) && number >= 0);

const quotaInBody = (answer: Fetched): boolean => {
  try {
    const body = errorSchema.safeParse(JSON.parse(new TextDecoder().decode(answer.body)));
    if (!body.success) return false;
    const { code, meta } = body.data.error;
    if (/quota/i.test(code ?? '')) return true;
    const { quota_limit: limit, quota_current: current } = meta ?? {};
    return typeof limit === 'number' && typeof current === 'number' && limit > 0 && current >= limit;
  } catch {
    return false;
  }
};
