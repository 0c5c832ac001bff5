/** The HTTP server that a stand-in is: on the loopback interface only, and what every one of them does with requests. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

export const json = (response: ServerResponse, value: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value ?? null));

export type Loopback = {
  readonly baseUrl: string;
  /** Breaks what is open and resolves when the port is free. */
  readonly close: () => Promise<void>;
};

/** Listens at `port` (0: any that is free). A handler that throws is a fault of the stand-in called `name`: it is printed and answered with 500. */
export const listenOnLoopback = async (
  name: string,
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<Loopback> => {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(`the ${name} stand-in failed:`, error);
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  server.on('upgrade', upgrade);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
