/** A chat-completions server for tests of everything around the model: it answers each request by one function, and keeps what it was asked. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export type Asked = {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly body: Record<string, unknown>;
};

export type AnsweringServer = AsyncDisposable & {
  readonly baseUrl: string;
  readonly asked: readonly Asked[];
  /** What the model is sent as the last word of a person, for each request. */
  readonly questions: () => readonly string[];
  /** From now on: what is answered, and how long the answer takes to come. */
  readonly answer: (by: (asked: Asked, n: number) => string, afterMs?: number) => void;
};

const text = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content));

export const startAnsweringServer = async (): Promise<AnsweringServer> => {
  const asked: Asked[] = [];
  let by: (asked: Asked, n: number) => string = (_, n) => `Answer ${n}.`;
  let afterMs = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      if (request.method !== 'POST') return response.end('{"object":"list","data":[]}');
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
      const one: Asked = { messages: body['messages'] as Asked['messages'], body };
      asked.push(one);
      const words = by(one, asked.length);
      if (afterMs > 0) await sleep(afterMs);
      return stream(response, words);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    asked,
    questions: () => asked.map(({ messages }) => text(messages.findLast(({ role }) => role === 'user')?.content)),
    answer: (next, ms = 0) => {
      by = next;
      afterMs = ms;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const stream = (response: ServerResponse, words: string): void => {
  const base = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'answering' };
  const send = (fields: object): void => void response.write(`data: ${JSON.stringify({ ...base, ...fields })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ choices: [{ index: 0, delta: { role: 'assistant', content: words }, finish_reason: null }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
  response.end('data: [DONE]\n\n');
};
