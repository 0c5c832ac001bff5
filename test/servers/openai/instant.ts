/**
 * A model server that answers at once, as a process of its own, so that what it costs is not counted as anybody else's:
 * `node instant.ts` prints its port. Its answers say when the request had arrived and when the last of the text left, on the clock that all
 * processes of a machine share. `GET /seen` tells how many requests came, and when the first and the last did.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const WORDS = 'I have looked at it and this is what I would say about it in a few words. ';
const now = (): number => performance.timeOrigin + performance.now();
const seen = { requests: 0, first: 0, last: 0 };

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'instant', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'instant', choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } })}\n\n`;
const words = WORDS.match(/\S+ /g)!
  .map((word) => chunk({ content: word }))
  .join('');

const answer = (response: ServerResponse, arrived: number): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', content: '' }) + words);
  response.end(`${chunk({ content: `arrived=${arrived} sent=${now()}` })}${chunk({}, 'stop')}${usage}data: [DONE]\n\n`);
};

const server = createServer((request, response) => {
  const arrived = now();
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/seen' ? seen : { object: 'list', data: [{ id: 'instant', object: 'model' }] }));
    if (request.url === '/seen') Object.assign(seen, { requests: 0, first: 0, last: 0 });
    return;
  }
  seen.requests += 1;
  seen.first ||= arrived;
  seen.last = arrived;
  request.resume().on('end', () => answer(response, arrived));
}).listen(0, '127.0.0.1');
server.keepAliveTimeout = 60_000;
await once(server, 'listening');
process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
process.on('disconnect', () => process.exit(0));
