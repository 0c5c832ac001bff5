/**
 * Discord's REST API for one token: the one way of both halves to Discord.
 *
 * Limits are those that Discord's headers tell, kept by discord.js. A call waits for them as long as its `patienceMs` allows and is
 * `rate-limited` otherwise; a call that was limited is not made again before its time. What can be said twice without harm is tried three
 * times where Discord fails or cannot be reached; a POST is not, unless its caller says so (a `nonce` makes it safe). After a 401 nothing
 * more is asked with the token for five minutes, and 403 and 404 are never tried again here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DefaultRestOptions, RateLimitError, RequestMethod, REST } from 'discord.js';
import type { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import { failure } from '../../../src/core/failure.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { DiscordConfig } from '../config.ts';
import { limited, RestError, toFailure, tokenRefused } from './failure.ts';
import { createGuard } from './guard.ts';

/** A file that goes with a call. */
export type RestFile = { readonly name: string; readonly type: string; readonly bytes: Uint8Array };

export type RestCall = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Without version: `/channels/1/messages`. */
  readonly path: `/${string}`;
  readonly body?: object;
  readonly query?: { readonly [name: string]: string };
  readonly files?: readonly RestFile[];
  /** False for what an interaction's token opens. */
  readonly auth?: boolean;
  /** How long rates may hold it up, in milliseconds. */
  readonly patienceMs?: number;
  /** From the first byte sent to the last one received. */
  readonly timeoutMs?: number;
  /** It may be made again where nobody knows what came of it. By default all but POST may. */
  readonly repeat?: boolean;
};

export type Rest = {
  /** Makes a call and reads its answer. Never rejects. */
  readonly call: <T>(call: RestCall, reply: z.ZodType<T>) => Promise<Result<T, Failure>>;
  /** Whether Discord refuses the token at present. */
  readonly tokenRefused: () => boolean;
};

const restTimes = { timeoutMs: 15_000, uploadMs: 90_000, patienceMs: 20_000 } as const;
const ATTEMPTS = 3;

type Going = { readonly until: number; readonly timeoutMs: number; readonly auth: boolean; sent: boolean };

export const createRest = ({ token, apiUrl }: DiscordConfig, { clock, log }: { readonly clock: Clock; readonly log: Log }): Rest => {
  const guard = createGuard(clock.now);
  // What belongs to one call goes with it through the library's queues.
  const going = new AsyncLocalStorage<Going>();
  const rest = new REST({
    api: apiUrl,
    version: '10',
    retries: 0,
    timeout: restTimes.uploadMs,
    rejectOnRateLimit: ({ retryAfter }) => clock.now() + retryAfter > (going.getStore()?.until ?? 0),
    makeRequest: async (url, init) => {
      const now = going.getStore();
      if (now !== undefined) now.sent = true;
      const signals = [...(init.signal ? [init.signal] : []), AbortSignal.timeout(now?.timeoutMs ?? restTimes.timeoutMs)];
      const response = await DefaultRestOptions.makeRequest(url, { ...init, signal: AbortSignal.any(signals) });
      const shared = response.headers.get('x-ratelimit-scope') === 'shared';
      guard.answered({ status: response.status, auth: now?.auth ?? true, shared });
      return response;
    },
  });

  const once = async (call: RestCall, key: string): Promise<Result<unknown, Failure>> => {
    const { method, path, body, query, files = [], auth = true, patienceMs = restTimes.patienceMs } = call;
    const held = guard.held(key, auth);
    if (held.token) return err(tokenRefused());
    if (held.ms > patienceMs) return err(limited(held.ms, `${key}: held back`));
    if (held.ms > 0) await clock.sleep(held.ms);
    const timeoutMs = call.timeoutMs ?? (files.length > 0 ? restTimes.uploadMs : restTimes.timeoutMs);
    const store: Going = { until: clock.now() + patienceMs - held.ms, timeoutMs, auth, sent: false };
    try {
      // The library forgets a token that was refused.
      rest.setToken(token);
      const said = await going.run(store, () =>
        rest.request({
          method: methods[method],
          fullRoute: path,
          auth,
          ...(body === undefined ? {} : { body }),
          ...(query === undefined ? {} : { query: new URLSearchParams(query) }),
          ...(files.length === 0
            ? {}
            : { files: files.map(({ name, type, bytes }) => ({ name, contentType: type, data: Buffer.from(bytes) })) }),
        }),
      );
      return ok(said);
    } catch (error) {
      if (error instanceof RateLimitError) {
        guard.rest(key, error.retryAfter);
        log.debug({ call: key, waitMs: error.retryAfter, scope: error.scope }, 'a call was limited');
      }
      return err(toFailure(error, { route: key, auth, sent: store.sent }));
    }
  };

  return {
    tokenRefused: guard.tokenRefused,
    call: async (call, reply) => {
      const key = keyOf(call);
      const repeat = call.repeat ?? call.method !== 'POST';
      for (let attempt = 1; ; attempt += 1) {
        const said = await once(call, key);
        if (said.ok) return decoded(key, said.value, reply);
        if (said.failure.code !== 'delivery-unknown' || attempt === ATTEMPTS) return said;
        // What was never sent may be sent again, whatever it is.
        if (!repeat && !(said.failure.cause instanceof RestError && !said.failure.cause.sent)) return said;
        await clock.sleep(attempt * 400 + Math.random() * 400);
      }
    },
  };
};

const methods: { readonly [M in RestCall['method']]: RequestMethod } = {
  GET: RequestMethod.Get,
  POST: RequestMethod.Post,
  PUT: RequestMethod.Put,
  PATCH: RequestMethod.Patch,
  DELETE: RequestMethod.Delete,
};

/**
 * A call's name for limits and logs: its method and path, with the ids that its limit goes by and without the others. Renaming has a limit of
 * its own. An interaction's token is not in it.
 */
const keyOf = ({ method, path, body }: Pick<RestCall, 'method' | 'path' | 'body'>): string => {
  const route = path
    .replace(/^\/interactions\/[^/]+\/[^/]+/, '/interactions/:id/:token')
    .replace(/^\/webhooks\/(\d+)\/[^/]+/, '/webhooks/$1/:token')
    .replace(/(?<=^\/\w+\/[^/]+\/.*)\d{5,}/g, ':id')
    .replace(/\/reactions\/.*/, '/reactions/:reaction');
  const renames = method === 'PATCH' && /^\/channels\/\d+$/.test(path) && body !== undefined && ('name' in body || 'topic' in body);
  return `${method} ${route}${renames ? ' (name)' : ''}`;
};

/** Discord said yes: the effect is there, even where what it said besides cannot be read. */
const decoded = <T>(key: string, said: unknown, reply: z.ZodType<T>): Result<T, Failure> => {
  const read = reply.safeParse(said);
  if (read.success) return ok(read.data);
  const detail = `${key}: an answer of an unexpected form (${read.error.issues[0]?.path.join('.') ?? ''})`;
  return err(failure('delivery-unknown', {}, detail, new RestError(detail, { status: 200, code: 0, sent: true })));
};
