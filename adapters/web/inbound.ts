/** The gateway's half: the HTTP API and the page, as handlers for the process's one server. */
import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failure } from '../../src/core/failure.ts';
import type { Inbound, InboundDeps } from '../../src/ports/adapter.ts';
import type { WebConfig } from './config.ts';
import { loadAssets } from './http/assets.ts';
import type { Caller } from './http/guard.ts';
import { refuseForeign, refuseStranger } from './http/guard.ts';
import { createKnownThreads } from './http/known-threads.ts';
import { addPageRoutes } from './http/page-routes.ts';
import { drain, sendError, sendFailure } from './http/reply.ts';
import { addThreadRoutes } from './http/thread-routes.ts';
import { httpLimits } from './limits.ts';

const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;

const OPEN_TO_STRANGERS = new Set(['POST /api/session', 'DELETE /api/session']);

export const createInbound = async (deps: InboundDeps, config: WebConfig): Promise<Inbound> => {
  const closing = new AbortController();
  const app = Fastify({ bodyLimit: httpLimits.bodyBytes, routerOptions: { maxParamLength: 2_000 } });
  // A file over the limit is told by readUpload, in its own words.
  await app.register(multipart, { throwFileSizeLimit: false });
  addGuards(app, deps, config);
  addErrorAnswers(app, deps);
  addThreadRoutes(app, deps, createKnownThreads(deps.gateway), closing.signal);
  addPageRoutes(app, deps, config, await loadAssets());
  await app.ready();

  const handle: Inbound['mounts'][number]['handle'] = (request, response) => app.routing(request, response);
  return {
    mounts: [
      { prefix: '/api', handle },
      { prefix: '/', handle },
    ],
    problems: () => [],
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await app.close();
    },
  };
};

const addGuards = (app: FastifyInstance, { clock }: InboundDeps, config: WebConfig): void => {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(SECURITY_HEADERS);
    const caller = toCaller(request);
    const path = request.url.split('?', 1)[0] ?? '';
    const guarded = path.startsWith('/api/') && !OPEN_TO_STRANGERS.has(`${request.method} ${path}`);
    const refusal = refuseForeign(caller, config) ?? (guarded ? refuseStranger(caller, config, clock.now()) : null);
    if (guarded) void reply.header('cache-control', 'no-store');
    if (refusal === null) return undefined;
    drain(request);
    if (refusal.why === 'foreign') return sendError(reply, 403, { code: 'foreign', message: refusal.message });
    return sendError(reply.header('www-authenticate', 'Bearer'), 401, {
      code: 'login-needed',
      message: 'This needs the token: send it as "Authorization: Bearer …", or log in on the page.',
    });
  });
};

const toCaller = (request: FastifyRequest): Caller => ({
  method: request.method,
  host: request.headers.host ?? '',
  origin: request.headers.origin,
  fetchSite: first(request.headers['sec-fetch-site']),
  authorization: request.headers.authorization,
  cookie: request.headers.cookie,
  remoteAddress: request.socket.remoteAddress ?? '',
});
const first = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header);

const addErrorAnswers = (app: FastifyInstance, { gateway, log }: InboundDeps): void => {
  app.setNotFoundHandler((_request, reply) => sendError(reply, 404, { code: 'not-found', message: 'There is nothing at this address.' }));
  app.setErrorHandler((error: unknown, request, reply) => {
    const { code, status } = describe(error);
    drain(request);
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      const length = Number(request.headers['content-length'] ?? httpLimits.bodyBytes);
      return sendFailure(reply, failure('message-too-long', { length, limit: gateway.limits.textChars }));
    }
    if (status >= 400 && status < 500) {
      return sendFailure(reply, failure('request-malformed', { what: whatOf(code) }));
    }
    log.error({ error, route: request.routeOptions.url }, 'a web request failed');
    return sendError(reply, 500, { code: 'internal', message: 'That went wrong on our side. The operator has the details.' });
  });
};

const describe = (error: unknown): { readonly code: string; readonly status: number } => ({
  code: error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '',
  status: error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500,
});

const whatOf = (code: string): string => {
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'the body must be JSON or a multipart form';
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return 'the body is not JSON';
    default:
      return 'it cannot be read';
  }
};
