/**
 * How often each method of Slack's Web API may be called. Every process keeps to these rates by itself; what it cannot know (other
 * processes, other limits) Slack tells it by 429, and then the method rests for as long as Slack says.
 */
import type { Clock } from '../../../src/ports/clock.ts';

/**
 * `perMinute` calls and a burst on top of it, so that a minute never sees more than both together; Slack counts by workspace, and
 * for posts by channel too.
 */
type Rate = { readonly perMinute: number; readonly burst: number; readonly by: 'channel' | 'workspace' };

const rates = {
  'chat.postMessage': { perMinute: 60, burst: 2, by: 'channel' },
  'chat.postEphemeral': { perMinute: 80, burst: 10, by: 'workspace' },
  'chat.update': { perMinute: 40, burst: 10, by: 'workspace' },
  'chat.delete': { perMinute: 40, burst: 10, by: 'workspace' },
  'chat.startStream': { perMinute: 14, burst: 6, by: 'workspace' },
  'chat.appendStream': { perMinute: 90, burst: 10, by: 'workspace' },
  'chat.stopStream': { perMinute: 14, burst: 6, by: 'workspace' },
  'agents.sessions.setStatus': { perMinute: 40, burst: 10, by: 'workspace' },
  'assistant.threads.setStatus': { perMinute: 40, burst: 10, by: 'workspace' },
  'conversations.replies': { perMinute: 40, burst: 10, by: 'workspace' },
  'conversations.history': { perMinute: 40, burst: 10, by: 'workspace' },
  'conversations.open': { perMinute: 40, burst: 10, by: 'workspace' },
  'files.getUploadURLExternal': { perMinute: 80, burst: 20, by: 'workspace' },
  'files.completeUploadExternal': { perMinute: 80, burst: 20, by: 'workspace' },
  'files.info': { perMinute: 80, burst: 20, by: 'workspace' },
} as const satisfies Readonly<Record<string, Rate>>;
export type PacedMethod = keyof typeof rates;

type Bucket = { tokens: number; at: number; restUntil: number };

export type Pacer = {
  /**
   * Resolves with 0 once the call may be made, having waited `patienceMs` at most; otherwise at once with the milliseconds after which it may
   * be tried again. A call without patience leaves the last ones of a burst to those that have some: a preview never delays an answer.
   */
  readonly turn: (method: PacedMethod, workspace: string, channel: string, patienceMs: number) => Promise<number>;
  /** Slack limited the method: it rests. */
  readonly rest: (method: PacedMethod, workspace: string, channel: string, ms: number) => void;
};

/** What stays of a burst for calls that can wait. */
const RESERVE = 2;
/** Buckets that are kept; one that is full again says nothing. */
const REMEMBERED = 5_000;

export const createPacer = (clock: Clock): Pacer => {
  const buckets = new Map<string, Bucket>();

  const bucketOf = (method: PacedMethod, workspace: string, channel: string): Bucket => {
    const rate: Rate = rates[method];
    const key = `${method} ${workspace} ${rate.by === 'channel' ? channel : ''}`;
    const known = buckets.get(key);
    const now = clock.now();
    if (known === undefined) {
      const fresh = { tokens: rate.burst, at: now, restUntil: 0 };
      buckets.set(key, fresh);
      if (buckets.size > REMEMBERED) forgetFull(buckets, now);
      return fresh;
    }
    known.tokens = Math.min(rate.burst, known.tokens + ((now - known.at) * rate.perMinute) / 60_000);
    known.at = now;
    return known;
  };

  return {
    turn: async (method, workspace, channel, patienceMs) => {
      const rate: Rate = rates[method];
      const bucket = bucketOf(method, workspace, channel);
      const kept = patienceMs === 0 ? Math.min(RESERVE, rate.burst - 1) : 0;
      const missing = 1 + kept - bucket.tokens;
      const wait = Math.max(0, bucket.restUntil - clock.now(), missing <= 1e-6 ? 0 : Math.ceil((missing * 60_000) / rate.perMinute));
      if (wait > patienceMs) return wait;
      // Taken before the wait, so that those who come meanwhile stand behind.
      bucket.tokens -= 1;
      if (wait > 0) await clock.sleep(wait);
      return 0;
    },
    rest: (method, workspace, channel, ms) => {
      const bucket = bucketOf(method, workspace, channel);
      bucket.restUntil = Math.max(bucket.restUntil, clock.now() + ms);
    },
  };
};

const forgetFull = (buckets: Map<string, Bucket>, now: number): void => {
  for (const [key, bucket] of buckets) if (bucket.restUntil < now && now - bucket.at > 120_000) buckets.delete(key);
};
