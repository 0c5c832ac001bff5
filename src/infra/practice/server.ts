/**
 * The built-in practice model: an OpenAI-compatible server on this machine for trying the program without a model. It goes through the
 * same wire as a real one, and is as strict as the strictest: a request that another server would refuse is refused here as well.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkChatRequest } from './conformance.ts';
import type { ChatRequest } from './conformance.ts';
import { replyTo } from './reply.ts';
import type { PracticeReply } from './reply.ts';
import { toScene } from './scene.ts';
import { toCompletion, toPieces } from './wire.ts';

export type PracticeOptions = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly wordDelayMs: number;
  /** Between the pieces of a reply that takes its time; one second but in tests. */
  readonly tickMs?: number;
};
export type PracticeServer = AsyncDisposable & { readonly port: number };

const MODEL = 'hektor-practice';
const MAX_BODY = 32 << 20;

/** Listens and resolves with the port. Disposing ends open replies at once. */
export const startPracticeModel = async (options: PracticeOptions): Promise<PracticeServer> => {
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => response.destroy());
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the practice model listens on no port');
  return {
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const answer = async (request: IncomingMessage, response: ServerResponse, options: PracticeOptions): Promise<void> => {
  const path = new URL(request.url ?? '/', 'http://practice').pathname;
  if (request.method === 'GET' && path === '/v1/models')
    return sendJson(response, 200, { object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: 'hektor' }] });
  if (request.method !== 'POST' || path !== '/v1/chat/completions')
    return sendError(response, 404, `there is no ${request.method ?? ''} ${path} here`);
  const body = await readJson(request);
  if (body === undefined) return sendError(response, 400, 'the body is not JSON, or too large');
  const checked = checkChatRequest(body);
  if (!checked.ok) return sendError(response, 400, checked.problems.join('; '));
  await reply(response, checked.request, options);
};

const reply = async (response: ServerResponse, request: ChatRequest, options: PracticeOptions): Promise<void> => {
  const said = replyTo(toScene(request));
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const usage = usageOf(request, said);
  try {
    if (request.stream !== true) {
      if (said.kind === 'say-slowly') await sleep((said.pieces.length - 1) * (options.tickMs ?? 1_000), undefined, { signal: gone.signal });
      return sendJson(response, 200, toCompletion(MODEL, said, usage));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const delay = said.kind === 'say-slowly' ? (options.tickMs ?? 1_000) : options.wordDelayMs;
    for (const piece of toPieces(MODEL, said, request.stream_options?.include_usage === true ? usage : null)) {
      if (delay > 0 && piece.words) await sleep(delay, undefined, { signal: gone.signal });
      if (!response.write(`data: ${JSON.stringify(piece.chunk)}\n\n`)) await once(response, 'drain', { signal: gone.signal });
    }
    response.end('data: [DONE]\n\n');
  } catch (error) {
    // The client has gone: nobody is there to be told.
    if (!gone.signal.aborted) throw error;
  }
};

const usageOf = (
  request: ChatRequest,
  said: PracticeReply,
): { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number } => {
  const prompt_tokens = Math.ceil(JSON.stringify(request.messages).length / 4);
  const completion_tokens = Math.ceil(JSON.stringify(said).length / 4);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
};

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) return undefined;
    size += part.length;
    if (size > MAX_BODY) return undefined;
    parts.push(part);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    return body;
  } catch {
    return undefined;
  }
};

const sendError = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, status, { error: { message, type: 'invalid_request_error', param: null, code: null } });

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
