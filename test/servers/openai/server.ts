/**
 * A chat-completions server that plays a script, down to the bytes and the socket. Every request is recorded and held against the
 * strictest reading of the protocol (`problems`).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkChatRequest } from '../../../src/infra/practice/conformance.ts';
import { toChunks } from './to-chunks.ts';

export type SseItem =
  | { readonly raw: unknown }
  | { readonly line: string }
  | { readonly delta: unknown; readonly finish_reason: string | null; readonly usage?: unknown };

export type Step =
  /** A whole completion; cut into pieces where a stream was asked for, unless `whole`. */
  | { readonly json: unknown; readonly whole?: boolean }
  | { readonly sse: readonly SseItem[]; readonly end?: 'done' | 'close' | 'reset' | 'hang' }
  | {
      readonly http: {
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>> | undefined;
        readonly body?: unknown;
        readonly text?: string | undefined;
      };
    }
  /** Before any answer: the connection is reset, stays silent, or carries something that is not HTTP. */
  | { readonly socket: 'reset' | 'silence' | 'garbage' };

export type Recorded = {
  readonly body: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  readonly problems: readonly string[];
  /** The client's end of the connection. */
  readonly port: number | undefined;
};

export type ScriptedServer = AsyncDisposable & {
  readonly baseUrl: string;
  readonly requests: readonly Recorded[];
  /** Puts steps at the end of the script. A request beyond the script is answered with 501 and recorded as a problem. */
  readonly play: (...steps: readonly Step[]) => void;
  /** Resolves when the client has closed the connection of the running step. */
  readonly closed: () => number;
};

/** `pages`: what is answered to other requests, by method and path; 404 without. */
export const startScriptedServer = async (pages: { readonly [request: string]: unknown } = {}): Promise<ScriptedServer> => {
  const script: Step[] = [];
  const requests: Recorded[] = [];
  let closed = 0;
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) closed += 1;
    });
    // What a server knows of its models is asked beside the script.
    if (!(request.url ?? '').includes('/chat/completions')) {
      request.resume();
      const page = pages[`${request.method} ${request.url}`];
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(page ?? { error: { message: 'not found' } }));
      return;
    }
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
      const checked = checkChatRequest(body);
      const step = script.shift();
      const problems = [...(checked.ok ? [] : checked.problems), ...(step === undefined ? ['the script has no further step'] : [])];
      requests.push({ body, headers: request.headers, path: request.url ?? '', problems, port: request.socket.remotePort });
      perform(
        step ?? { http: { status: 501, body: { error: { message: 'the script is at its end' } } } },
        body['stream'] === true,
        response,
      );
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    play: (...steps) => void script.push(...steps),
    closed: () => closed,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const perform = (step: Step, streamed: boolean, response: ServerResponse): void => {
  if ('socket' in step) {
    const { socket } = response;
    if (step.socket === 'reset') socket?.resetAndDestroy();
    if (step.socket === 'garbage') socket?.end('\u0000\u0001 this is not HTTP \r\n\r\n');
    return;
  }
  if ('http' in step) {
    const { status, headers, body, text } = step.http;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(text ?? JSON.stringify(body));
    return;
  }
  if ('json' in step && (!streamed || step.whole === true)) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(step.json));
    return;
  }
  const sse: Extract<Step, { sse: unknown }> = 'json' in step ? { sse: toChunks(step.json).map((raw) => ({ raw })) } : step;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const item of sse.sse) response.write(lineOf(item));
  if (sse.end === 'hang') return;
  if (sse.end === 'reset') setTimeout(() => response.socket?.resetAndDestroy(), 50);
  else response.end(sse.end === 'close' ? '' : 'data: [DONE]\n\n');
};

const lineOf = (item: SseItem): string => {
  if ('line' in item) return item.line;
  if ('raw' in item) return `data: ${JSON.stringify(item.raw)}\n\n`;
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...item }] })}\n\n`;
};
