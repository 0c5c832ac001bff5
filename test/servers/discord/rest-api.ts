/** `/api/v10/…`: finds the route, who asks, its limits and faults, carries it out and keeps a record of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from './json.ts';
import type { Call } from './model.ts';
import { createLimits, invalidRequests, tooMany } from './rate-limits.ts';
import type { Limits } from './rate-limits.ts';
import { readBody } from './request.ts';
import type { Body, Parts } from './request.ts';
import { refused, RestFault } from './rest-fault.ts';
import { takeFault } from './injected.ts';
import { findRoute } from './route-table.ts';

export type HttpCall = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
};
export type HttpReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The connection breaks instead of an answer. */
  readonly lost: boolean;
};

/** More than this is refused before anything is looked at. */
const REQUEST_BYTES = 25 * 1024 * 1024;

const noted = (text: string): string => (text.length > 20_000 ? `${text.slice(0, 20_000)}…` : text);

export const createRestApi = (parts: Parts): ((call: HttpCall) => Promise<HttpReply>) & { readonly limits: Limits } => {
  const { world } = parts;
  const limits = createLimits(world);

  const answer = async ({ method, url, headers, body: bytes }: HttpCall): Promise<HttpReply> => {
    const path = url.pathname.replace(/^\/api(\/v\d+)?/, '');
    const version = /^\/api\/v(\d+)/.exec(url.pathname)?.[1];
    const contentType = headers['content-type'] ?? '';
    const found = findRoute(method, path);
    const at = world.clock.now();
    let read: Body = { value: {}, files: [] };
    let status = 200;
    let extraHeaders: Readonly<Record<string, string>> = {};
    let reply: unknown;
    let lost = false;
    let shared = false;
    try {
      read = await readBody(bytes, contentType);
      const fault = takeFault(world.faults, method, path);
      if (fault?.delayMs !== undefined) await sleep(fault.delayMs);
      if (invalidRequests(world) >= world.settings.invalidRequests)
        throw new RestFault(
          429,
          1015,
          'You are being blocked from accessing our API temporarily due to exceeding our rate limits frequently.',
          {},
          {
            'retry-after': '600',
          },
        );
      if (fault?.retryAfter !== undefined) throw tooMany(fault.retryAfter, fault.scope ?? 'user');
      if (fault?.code !== undefined) {
        const { status: usual, message } = refused(fault.code);
        throw new RestFault(fault.status ?? usual, fault.code, message, fault.extra ?? {});
      }
      if (fault?.status !== undefined) throw new RestFault(fault.status, 0, `${fault.status}: as asked`, fault.extra ?? {});
      if (fault?.drop === 'request') lost = true;
      else {
        if (found === null || (version !== undefined && version !== '10')) throw new RestFault(404, 0, '404: Not Found');
        const { route, params } = found;
        const token = /^Bot (.+)$/.exec(headers['authorization'] ?? '')?.[1];
        if (route.auth && token !== world.app.token) throw new RestFault(401, 0, '401: Unauthorized');
        if (bytes.length > REQUEST_BYTES) throw refused(40005);
        if (world.settings.rateLimits) {
          const major = route.major.map((name) => params[name] ?? '').join(' ');
          const bucket = { key: `${route.bucket ?? `${method}${route.path}`} ${major}`, limit: route.limit, windowMs: route.windowMs };
          extraHeaders = limits.take(bucket, !route.auth);
        }
        reply = await route.run({
          ...parts,
          params,
          query: url.searchParams,
          body: isObject(read.value) ? read.value : {},
          list: Array.isArray(read.value) ? read.value : [],
          files: read.files,
        });
        status = reply === undefined ? 204 : (route.status ?? 200);
        lost = fault?.drop === 'reply';
      }
    } catch (error) {
      if (!(error instanceof RestFault)) throw error;
      status = error.status;
      reply = { message: error.message, ...(status === 429 && error.code === 0 ? {} : { code: error.code }), ...error.extra };
      extraHeaders = { ...extraHeaders, ...error.headers };
      shared = error.headers['x-ratelimit-scope'] === 'shared';
    }
    if ([401, 403, 429].includes(status) && !shared) world.invalid.push(at);
    const recorded: Call = {
      n: world.calls.length + 1,
      at,
      method,
      path,
      route: found?.route.path ?? path,
      query: Object.fromEntries(url.searchParams),
      body: isObject(read.value) ? read.value : { list: read.value },
      files: read.files.map(({ field, name, type, bytes }) => ({ field, name, type, size: bytes.length })),
      raw: contentType.includes('multipart/') ? `(${bytes.length} bytes of multipart)` : noted(bytes.toString('utf8')),
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) => (value === undefined || name === 'authorization' ? [] : [[name, value]])),
      ),
      status,
      reply,
      delivered: !lost,
    };
    world.calls.push(recorded);
    world.changed();
    return {
      status,
      headers: { ...(status === 204 ? {} : { 'content-type': 'application/json' }), ...extraHeaders },
      body: status === 204 ? '' : JSON.stringify(reply ?? null),
      lost,
    };
  };
  return Object.assign(answer, { limits });
};
