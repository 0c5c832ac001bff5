/** How often a method may be called: per method, workspace and, for posting, channel. */
import { ApiFault } from './fault.ts';

export type Limits = {
  /** Refuses with 429 and Retry-After where `key` was used `count` times within `windowMs`. */
  readonly take: (key: string, count: number, windowMs: number) => void;
  /** Another limit than Slack's for one method: calls per minute. */
  readonly override: Map<string, number>;
  readonly reset: () => void;
};

export const rateLimited = (seconds: number): ApiFault =>
  new ApiFault('ratelimited', {}, 429, { 'retry-after': String(Math.max(1, Math.ceil(seconds))) });

export const createLimits = (now: () => number): Limits => {
  const used = new Map<string, number[]>();
  const override = new Map<string, number>();
  return {
    override,
    take: (key, count, windowMs) => {
      const at = now();
      const recent = (used.get(key) ?? []).filter((time) => time > at - windowMs);
      used.set(key, recent);
      if (recent.length >= count) throw rateLimited(((recent[recent.length - count] ?? at) + windowMs - at) / 1000);
      recent.push(at);
    },
    reset: () => {
      used.clear();
      override.clear();
    },
  };
};
