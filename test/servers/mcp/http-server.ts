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
};

export type HttpStandInOptions = {
  /** Bearer token that every request must carry. */
  readonly token?: string;
  /** Answers with plain JSON instead of events. */
  readonly json?: boolean;
  /** Takes requests and never answers. */
  readonly silent?: boolean;
};

export const startHttpStandIn = async ({ token, json = false, silent = false }: HttpStandInOptions = {}): Promise<HttpStandIn> => {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen: IncomingMessage['headers'][] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.push(request.headers);
    if (silent) return;
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
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
};
