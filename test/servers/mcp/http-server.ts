/** A stand-in MCP server over streamable HTTP on loopback. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createStandIn } from './tools.ts';

export type HttpStandIn = AsyncDisposable & {
  readonly url: string;
  /** Headers of every request, in order. */
  readonly seen: readonly IncomingMessage['headers'][];
  /** Forgets every session, as a server that was started anew. */
  readonly forget: () => void;
  /** Takes every token back that was granted. */
  readonly revoke: () => void;
  /** Bodies of the requests for tokens. */
  readonly grants: readonly string[];
};

export type HttpStandInOptions = {
  /** Bearer token that every request must carry. */
  readonly token?: string;
  /** Answers with plain JSON instead of events. */
  readonly json?: boolean;
  /** Takes requests and never answers. */
  readonly silent?: boolean;
  /** Grants tokens to a client with these credentials, and takes no others; `issuer`: says that somebody else grants them. */
  readonly oauth?: { readonly clientId: string; readonly clientSecret: string; readonly issuer?: string };
};

export const startHttpStandIn = async ({ token, json = false, silent = false, oauth }: HttpStandInOptions = {}): Promise<HttpStandIn> => {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen: IncomingMessage['headers'][] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.push(request.headers);
    if (silent) return;
    if (oauth !== undefined && (await authorise(request, response, oauth))) return;
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end();
      return;
    }
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (typeof id === 'string' && known === undefined) {
      response.writeHead(404).end();
      return;
    }
    await (known ?? (await openSession())).handleRequest(request, response);
  };
  const grants: string[] = [];
  const granted = new Set<string>();
  /** True where the request is answered with this. */
  const authorise = async (request: IncomingMessage, response: ServerResponse, client: NonNullable<typeof oauth>): Promise<boolean> => {
    const root = `http://${request.headers.host}`;
    const send = (status: number, body: object): true => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return true;
    };
    if (request.url?.startsWith('/.well-known/oauth-protected-resource') === true)
      return send(200, { resource: `${root}/mcp`, authorization_servers: [client.issuer ?? root] });
    if (request.url?.startsWith('/.well-known/') === true)
      return send(200, {
        issuer: root,
        token_endpoint: `${root}/token`,
        authorization_endpoint: `${root}/authorize`,
        response_types_supported: ['code'],
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      });
    if (request.url === '/token') {
      let body = '';
      for await (const part of request) body += String(part);
      grants.push(body);
      const expected = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`;
      if (request.headers.authorization !== expected) return send(401, { error: 'invalid_client' });
      const access = randomUUID();
      granted.add(access);
      return send(200, { access_token: access, token_type: 'Bearer', expires_in: 3_600 });
    }
    if (granted.has((request.headers.authorization ?? '').replace('Bearer ', ''))) return false;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${root}/.well-known/oauth-protected-resource/mcp"` }).end();
    return true;
  };
  const openSession = async (): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: json,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
      },
    });
    await createStandIn().server.connect(transport);
    return transport;
  };
  const http = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    seen,
    forget: () => sessions.clear(),
    revoke: () => granted.clear(),
    grants,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
};
