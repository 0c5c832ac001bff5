/** The page itself, what it needs to know of the server, and the log-in. Its files hold no secrets and need none. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { InboundDeps } from '../../../src/ports/adapter.ts';
import type { WebConfig } from '../config.ts';
import { bodies, decodeBody } from '../decode.ts';
import { httpLimits } from '../limits.ts';
import type { Asset } from './assets.ts';
import { SESSION_COOKIE, isToken, makeSession } from './guard.ts';
import { sendError, sendFailure } from './reply.ts';
import { BOT_NAME } from './thread-routes.ts';
import { failure } from '../../../src/core/failure.ts';

export const addPageRoutes = (app: FastifyInstance, deps: InboundDeps, config: WebConfig, assets: ReadonlyMap<string, Asset>): void => {
  const { gateway, clock } = deps;

  for (const [path, asset] of assets) {
    const paths = path === '/' ? ['/', '/t/:id'] : [path];
    for (const url of paths) {
      app.get(url, async (request, reply) => {
        void reply.headers({ 'content-type': asset.type, etag: asset.etag, 'cache-control': 'no-cache' });
        return request.headers['if-none-match'] === asset.etag ? reply.code(304).send() : reply.send(asset.body);
      });
    }
  }
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/page/icon.svg'));

  app.get('/api/info', async () => ({
    name: BOT_NAME,
    model: gateway.model(),
    limits: gateway.limits,
    commands: gateway.commands,
    login: config.token !== null,
  }));

  let attempts = 0;
  let minute = 0;
  app.post('/api/session', async (request, reply) => {
    const body = decodeBody(bodies.login, request.body);
    if (!body.ok) return sendFailure(reply, body.failure);
    if (config.token === null) return reply.code(204).send();
    const now = clock.now();
    if (Math.floor(now / 60_000) !== minute) [minute, attempts] = [Math.floor(now / 60_000), 0];
    attempts += 1;
    if (attempts > httpLimits.loginsPerMinute) {
      return sendFailure(reply, failure('rate-limited', { waitSeconds: 60 - Math.floor((now / 1000) % 60) }));
    }
    if (!isToken(body.value.token.trim(), config.token)) {
      return sendError(reply, 401, { code: 'token-wrong', message: 'That is not the token.' });
    }
    attempts -= 1;
    return reply
      .header('set-cookie', cookie(makeSession(config.token, now + httpLimits.sessionMs), httpLimits.sessionMs / 1000, isSecure(request)))
      .code(204)
      .send();
  });
  app.delete('/api/session', async (request, reply) =>
    reply
      .header('set-cookie', cookie('', 0, isSecure(request)))
      .code(204)
      .send(),
  );
};

const cookie = (value: string, maxAge: number, secure: boolean): string =>
  `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

/** A forged header can only make the cookie stricter. */
const isSecure = (request: FastifyRequest): boolean => request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https';
