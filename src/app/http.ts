/** The process's one HTTP server: liveness, readiness and metrics of its own; everything else is mounted by adapters. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { HttpMount } from '../ports/adapter.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';

/** Ready only where `problems` is empty; `parts` says for each part whether it works, and why not. */
export type Readiness = {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, { readonly ok: boolean; readonly reason: string }>>;
};

export type HttpDeps = {
  readonly host: string;
  readonly port: number;
  readonly mounts: readonly HttpMount[];
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
  readonly log: Log;
};
export type HttpServer = AsyncDisposable & { readonly port: number };

/** Listens, or says why it cannot: a taken port is a failure with the fix in it, not a stack trace. */
export const startHttp = async (deps: HttpDeps): Promise<Result<HttpServer, Failure>> => {
  // The longest prefix wins, so that `/` can serve a page beside `/api`.
  const mounts = deps.mounts.toSorted((a, b) => b.prefix.length - a.prefix.length);
  const server = createServer((request, response) => {
    void handle(deps, mounts, request, response).catch((cause: unknown) => {
      deps.log.error({ error: cause instanceof Error ? cause.stack : String(cause) }, 'an HTTP request failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  const listening = await new Promise<Result<void, Failure>>((resolve) => {
    server.once('error', (cause: NodeJS.ErrnoException) => resolve(err(cannotListen(deps, cause))));
    server.listen(deps.port, deps.host, () => resolve(ok(undefined)));
  });
  if (!listening.ok) return listening;
  return ok({
    port: portOf(server.address()),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  });
};

const portOf = (address: AddressInfo | string | null): number => (typeof address === 'object' && address !== null ? address.port : 0);

const cannotListen = (deps: HttpDeps, cause: NodeJS.ErrnoException): Failure => {
  const problem =
    cause.code === 'EADDRINUSE'
      ? `PORT: ${deps.port} is taken by another program; end it or set PORT to another number`
      : `HEKTOR_HOST, PORT: cannot listen on ${deps.host}:${deps.port} (${cause.code ?? cause.message})`;
  return failure('config-invalid', { problems: [problem] }, problem, cause);
};

const handle = async (deps: HttpDeps, mounts: readonly HttpMount[], request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (path === '/healthz') return send(response, 200, 'application/json', '{"ok":true}');
  if (path === '/readyz') {
    const readiness = await deps.readiness();
    return send(response, readiness.ready ? 200 : 503, 'application/json', JSON.stringify(readiness));
  }
  if (path === '/metrics') return send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await deps.metrics.text());
  const mount = mounts.find(({ prefix }) => prefix === '/' || path === prefix || path.startsWith(`${prefix}/`));
  if (mount === undefined)
    return send(response, 404, 'application/json', '{"error":{"code":"not-found","message":"There is nothing here."}}');
  mount.handle(request, response);
};

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  response.end(body);
};
