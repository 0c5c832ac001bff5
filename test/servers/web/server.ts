/** A web site on loopback, for tests of fetching: a page for each path, and a record of who asked for what. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

export type Page =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Without one there is no content type. */
      readonly type?: string;
      readonly body?: string | Uint8Array;
    }
  /** Anything else that a server can do. */
  | ((response: ServerResponse) => void);

export type WebSite = AsyncDisposable & {
  /** `127.0.0.1:port` */
  readonly host: string;
  readonly url: (path: string) => string;
  /** What was asked for, with the query. */
  readonly asked: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
};

export const startWebSite = async (pages: (url: (path: string) => string) => Readonly<Record<string, Page>>): Promise<WebSite> => {
  const asked: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push({ path, headers: request.headers });
    const page = new Map(Object.entries(pages(url))).get(path.replace(/\?.*$/, '')) ?? {
      status: 404,
      type: 'text/plain',
      body: 'no such page',
    };
    if (typeof page === 'function') return page(response);
    response.writeHead(page.status ?? 200, { ...(page.type === undefined ? {} : { 'content-type': page.type }), ...page.headers });
    response.end(page.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  const host = `127.0.0.1:${address.port}`;
  const url = (path: string): string => `http://${host}${path}`;
  return {
    host,
    url,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

/** A redirect. */
export const to = (location: string, status = 302): Page => ({ status, headers: { location } });
