/** A chat-completions server whose answers come in pieces, with pauses, calls and all: for tests of what people see while a turn runs. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Words, milliseconds of silence, or a call that ends the reply. */
export type Pace = string | number | { readonly call: string; readonly args: object };
export type PacedServer = AsyncDisposable & {
  readonly baseUrl: string;
  /** How many replies were asked for. */
  readonly asked: () => number;
  /** What is answered from now on; `question` is what a person said last, `results` how many results of calls came after it. */
  readonly answer: (by: (question: string, results: number) => readonly Pace[]) => void;
};

type Wire = { readonly messages: readonly { readonly role: string; readonly content: unknown }[] };

export const startPacedServer = async (): Promise<PacedServer> => {
  let by: Parameters<PacedServer['answer']>[0] = () => ['Hello.'];
  let asked = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      if (request.method !== 'POST') return response.end('{"object":"list","data":[]}');
      asked += 1;
      const { messages } = JSON.parse(Buffer.concat(parts).toString('utf8')) as Wire;
      const last = messages.findLastIndex(({ role }) => role === 'user');
      const question = JSON.stringify(messages[last]?.content ?? '');
      return play(response, by(question, messages.slice(last + 1).filter(({ role }) => role === 'tool').length));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    asked: () => asked,
    answer: (next) => void (by = next),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const play = async (response: ServerResponse, paces: readonly Pace[]): Promise<void> => {
  const send = (fields: object): void =>
    void response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'paced', ...fields })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let finish = 'stop';
  for (const pace of paces) {
    if (response.destroyed) return;
    if (typeof pace === 'number') await sleep(pace);
    else if (typeof pace === 'string') send({ choices: [{ index: 0, delta: { content: pace }, finish_reason: null }] });
    else {
      finish = 'tool_calls';
      const call = { index: 0, id: 'call_1', type: 'function', function: { name: pace.call, arguments: JSON.stringify(pace.args) } };
      send({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] });
    }
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
  send({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
  response.end('data: [DONE]\n\n');
};
