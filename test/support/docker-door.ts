/** A door to the machine's Docker engine that a test can shut: a socket of its own that passes everything on. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

export type DockerDoor = AsyncDisposable & {
  /** For DOCKER_HOST. */
  readonly host: string;
  readonly open: () => Promise<void>;
  /** As when dockerd ends: no new connections, the present ones broken off. */
  readonly shut: () => Promise<void>;
};

export const createDockerDoor = (): DockerDoor => {
  const path = join(tmpdir(), `hektor-door-${randomUUID()}.sock`);
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  const pass = (from: Socket): void => {
    const to = connectToEngine();
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        from.destroy();
        to.destroy();
      });
    }
    from.pipe(to);
    to.pipe(from);
  };
  const shut = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    server = undefined;
    await closed;
    rmSync(path, { force: true });
  };
  return {
    host: `unix://${path}`,
    open: async () => {
      server = createServer({ allowHalfOpen: true }, pass).listen(path);
      await once(server, 'listening');
    },
    shut,
    [Symbol.asyncDispose]: shut,
  };
};

const connectToEngine = (): Socket => {
  const host = process.env['DOCKER_HOST'] ?? '';
  if (!host.startsWith('tcp://')) return connect({ path: host.replace('unix://', '') || '/var/run/docker.sock', allowHalfOpen: true });
  const { hostname, port } = new URL(host);
  return connect({ host: hostname, port: Number(port || 2375), allowHalfOpen: true });
};
