/** A door to a TCP server that can be made slow: what passes in either direction waits so long. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

export type SlowDoor = AsyncDisposable & {
  readonly port: number;
  /** Milliseconds that everything waits from now on, in order. */
  readonly delay: (ms: number) => void;
};

const passOn = async (before: Promise<void>, until: number, write: () => unknown): Promise<void> => {
  await before;
  const wait = until - performance.now();
  if (wait > 0) await new Promise((done) => setTimeout(done, wait));
  write();
};

export const openSlowDoor = async (target: { readonly host: string; readonly port: number }): Promise<SlowDoor> => {
  let ms = 0;
  const open = new Set<Socket>();
  const pass = (from: Socket, to: Socket): void => {
    let before = Promise.resolve();
    from.on('data', (bytes) => {
      const until = performance.now() + ms;
      before = passOn(before, until, () => to.write(bytes));
    });
    from.on('close', () => void before.then(() => to.destroy()));
    from.on('error', () => {});
  };
  const server = createServer((near) => {
    const far = connect(target.port, target.host);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
    }
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return {
    port: address.port,
    delay: (next) => {
      ms = next;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
