/** Socket Mode: connections, envelopes, acknowledgements. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import { isObject } from './args.ts';
import type { Answer, Transport } from './deliver.ts';
import { ApiFault } from './fault.ts';
import type { World } from './world.ts';

type Connection = { readonly n: number; readonly socket: WebSocket; leaving: boolean };

export type SocketMode = Transport & {
  /** `apps.connections.open`: an address that can be used once, soon. */
  readonly open: () => string;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly connections: () => readonly { readonly n: number }[];
  /** Says `disconnect` for a reason to one connection, or to all. */
  readonly disconnect: (reason: string, connection?: number) => void;
  /** Breaks connections without a word. */
  readonly drop: (connection?: number) => void;
  /** Sends any frame to every connection, for what no well-behaved server sends. */
  readonly sendRaw: (frame: string) => void;
  readonly close: () => void;
};

const MOST = 10;

const textOf = (data: RawData): string =>
  (Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)).toString('utf8');

export const createSocketMode = (world: World): SocketMode => {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const connections = new Map<number, Connection>();
  const waiting = new Map<string, (answer: Answer) => void>();
  let count = 0;
  let turn = 0;

  const received = (data: RawData): void => {
    let frame: unknown;
    try {
      frame = JSON.parse(textOf(data));
    } catch {
      return; // Slack takes no notice of what it cannot read
    }
    if (!isObject(frame) || typeof frame['envelope_id'] !== 'string') return;
    waiting.get(frame['envelope_id'])?.({ outcome: 'acked', response: frame['payload'] ?? null });
  };

  const join = (socket: WebSocket): void => {
    count += 1;
    const connection: Connection = { n: count, socket, leaving: false };
    if (world.app.linkDisabled || connections.size >= MOST) {
      socket.send(
        JSON.stringify({
          type: 'disconnect',
          reason: world.app.linkDisabled ? 'link_disabled' : 'too_many_websockets',
          debug_info: { host: 'stand-in' },
        }),
      );
      socket.close();
      return;
    }
    connections.set(connection.n, connection);
    socket.on('message', received);
    socket.on('error', () => socket.terminate());
    const pings = setInterval(() => {
      if (world.settings.pings) socket.ping(`Ping from stand-in ${Date.now()}`);
    }, 5000);
    socket.on('close', () => {
      clearInterval(pings);
      connections.delete(connection.n);
      world.changed();
    });
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: connections.size,
        debug_info: { host: 'stand-in', build_number: 1, approximate_connection_time: 18_060 },
        connection_info: { app_id: world.app.id },
      }),
    );
    world.changed();
  };

  const chosen = (n: number | undefined): readonly Connection[] =>
    n === undefined ? [...connections.values()] : [...connections.values()].filter((one) => one.n === n);

  return {
    attempt: (sent, attempt) => {
      const able = [...connections.values()].filter((one) => !one.leaving && one.socket.readyState === one.socket.OPEN);
      turn += 1;
      const connection = able[turn % Math.max(1, able.length)];
      if (connection === undefined) return Promise.resolve({ outcome: 'no-connection', response: null });
      const repeated = world.settings.repeatEnvelopeIds ? sent.attempts[0]?.envelope : null;
      const envelope = repeated ?? randomUUID();
      Object.assign(attempt, { envelope, connection: connection.n });
      const { promise, resolve } = Promise.withResolvers<Answer>();
      const stop = setTimeout(() => resolve({ outcome: 'timeout', response: null }), world.settings.ackTimeoutMs);
      waiting.set(envelope, resolve);
      connection.socket.send(
        JSON.stringify({
          envelope_id: envelope,
          payload: sent.payload,
          type: sent.kind,
          accepts_response_payload: sent.kind !== 'events_api',
          ...(sent.kind === 'events_api'
            ? {
                retry_attempt: typeof repeated === 'string' ? 0 : attempt.retry,
                retry_reason: typeof repeated === 'string' ? '' : attempt.reason,
              }
            : {}),
        }),
      );
      return promise.finally(() => {
        clearTimeout(stop);
        waiting.delete(envelope);
      });
    },
    open: () => {
      if (world.app.linkDisabled) throw new ApiFault('link_disabled');
      const ticket = randomUUID();
      tickets.add(ticket);
      return `${world.baseUrl.replace(/^http/, 'ws')}/link/?ticket=${ticket}&app_id=${world.app.id}`;
    },
    upgrade: (request, socket, head) => {
      const ticket = new URL(request.url ?? '', 'http://stand-in').searchParams.get('ticket') ?? '';
      if (!tickets.delete(ticket)) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, join);
    },
    connections: () => [...connections.values()].map(({ n }) => ({ n })),
    disconnect: (reason, n) => {
      for (const connection of chosen(n)) {
        connection.leaving = true;
        connection.socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'stand-in' } }));
        // A warning leaves about ten seconds; whoever stays longer is cut off.
        if (reason !== 'warning') connection.socket.close();
        else setTimeout(() => connection.socket.close(), 10_000).unref();
      }
    },
    drop: (n) => {
      for (const { socket } of chosen(n)) socket.terminate();
    },
    sendRaw: (frame) => {
      for (const { socket } of connections.values()) socket.send(frame);
    },
    close: () => {
      for (const { socket } of connections.values()) socket.terminate();
      server.close();
    },
  };
};
