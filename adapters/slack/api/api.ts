/** One call of the Web API at its pace, its answer decoded. The one way of this adapter's sending half to Slack. */
import { WebAPIHTTPError, WebAPIRequestError } from '@slack/web-api';
import { z } from 'zod';
import { failure } from '../../../src/core/failure.ts';
import type { Failure } from '../../../src/core/failure.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { attempt, slackError } from './client.ts';
import type { Clients } from './client.ts';
import type { PacedMethod, Pacer } from './pace.ts';

/** Where a thread is. `thread`: its root's `ts`; '' for the channel itself. */
export type Place = { readonly workspace: string; readonly channel: string; readonly thread: string };

/**
 * How long a call may be held up by rates, ours and Slack's. A preview has none: it is made now or not at all. An answer waits; longer than
 * this, and it is better tried again by a later pass.
 */
export const patience = { preview: 0, short: 4_000, answer: 75_000 } as const;

export type Api = {
  /**
   * Makes the call once its turn has come, and again after a 429 while `patienceMs` lasts. Failures: `rate-limited` (not made, or made in
   * vain), `delivery-refused` (`refusal` says by which word), `delivery-unknown` (nobody knows what came of it), or what the client said.
   */
  readonly call: <T>(
    method: PacedMethod,
    place: Place,
    args: Readonly<Record<string, unknown>>,
    reply: z.ZodType<T>,
    patienceMs: number,
  ) => Promise<Result<T, Failure>>;
};

/** What Slack said no with (`msg_too_long`); `http_404` for an answer that is not of the Web API; null where it did not say no. */
export const refusal = (why: Failure): string | null => {
  if (why.code !== 'delivery-refused') return null;
  return slackError(why) ?? (why.cause instanceof WebAPIHTTPError ? `http_${why.cause.statusCode}` : 'refused');
};

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** Whether the call may have had its effect although it failed. */
export const isUnknown = (why: Failure): boolean => {
  if (why.code !== 'delivery-unknown') return false;
  return !(why.cause instanceof WebAPIRequestError && codesOf(why.cause.original).some((code) => NEVER_SENT.has(code)));
};

const codesOf = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [...own, ...codesOf(error.cause)];
};

const READS: ReadonlySet<PacedMethod> = new Set(['conversations.replies', 'conversations.history', 'files.info']);

export const createApi = ({ clients, pacer, clock }: { readonly clients: Clients; readonly pacer: Pacer; readonly clock: Clock }): Api => ({
  call: async (method, place, args, reply, patienceMs) => {
    const client = await clients.of(place.workspace);
    if (!client.ok) return client;
    const web = READS.has(method) ? client.value.read : client.value.web;
    const end = clock.now() + patienceMs;
    for (;;) {
      const wait = await pacer.turn(method, place.workspace, place.channel, Math.max(0, end - clock.now()));
      if (wait > 0) return err(failure('rate-limited', { waitSeconds: Math.ceil(wait / 1000) }, `${method}: our own pace`));
      const made = guarded(() => attempt(() => web.apiCall(method, { ...args })));
      const said = patienceMs === patience.preview && QUICK.has(method) ? await soon(made, clock, method) : await made;
      if (said.ok) return decoded(method, said.value, reply);
      if (said.failure.code !== 'rate-limited') return said;
      const rest = said.failure.waitSeconds * 1000;
      pacer.rest(method, place.workspace, place.channel, rest);
      if (clock.now() + rest > end) return said;
    }
  },
});

/** Changes to what is shown live: when Slack takes its time over one, the answer does not wait for it. */
const QUICK: ReadonlySet<PacedMethod> = new Set(['chat.appendStream', 'chat.update']);
const QUICK_MS = 4_000;
const soon = async <T>(made: Promise<Result<T, Failure>>, clock: Clock, method: string): Promise<Result<T, Failure>> => {
  const done = new AbortController();
  const late = clock.sleep(QUICK_MS, done.signal).then(() => err(failure('delivery-unknown', {}, `${method}: no answer yet`)));
  try {
    return await Promise.race([made, late]);
  } finally {
    done.abort();
  }
};

/** The SDK throws plain errors too (a 429 without a time to wait, for one). None of them may end a worker. */
const guarded = async <T>(call: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> => {
  try {
    return await call();
  } catch (error) {
    return err(failure('delivery-unknown', {}, error instanceof Error ? error.message : 'an unknown error', error));
  }
};

/** Slack said ok: the effect is there, even where what it said besides cannot be read. */
const decoded = <T>(method: string, said: unknown, reply: z.ZodType<T>): Result<T, Failure> => {
  const read = reply.safeParse(said);
  return read.success ? ok(read.data) : err(failure('delivery-unknown', {}, `${method}: an answer of an unexpected form`));
};

/** The answers that this adapter reads. */
export const replies = {
  done: z.unknown(),
  message: z.object({ ts: z.string() }),
  uploadUrl: z.object({ upload_url: z.string(), file_id: z.string() }),
  channel: z.object({ channel: z.object({ id: z.string() }) }),
} as const;
