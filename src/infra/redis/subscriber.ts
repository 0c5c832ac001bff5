import { ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Failure } from '../../core/failure.ts';
import { attempt } from './attempt.ts';
import type { RedisConnection } from './connection.ts';

/**
 * Pub/sub for a whole process over one connection (purpose `subscribe`): many listeners, each channel subscribed once.
 *
 * Contract: once `listen` has resolved, every message that is published is told to the listener. Where that could not be kept, the
 * connection having been lost, `onGap` is called: when it is lost, and when it is back. What listeners are told are hints; what counts
 * is stored under a key and is read again after a gap.
 */
export type Subscriber = AsyncDisposable & {
  readonly listen: (channel: string, listener: Listener) => Promise<Result<AsyncDisposable, Failure>>;
};
export type Listener = { readonly onMessage: (message: string) => void; readonly onGap: () => void };

type Channel = { readonly listeners: Set<Listener>; subscribed: Promise<Result<unknown, Failure>> };

export const createSubscriber = (connection: RedisConnection): Subscriber => {
  const { client } = connection;
  const channels = new Map<string, Channel>();
  const tellGap = (): void => {
    for (const { listeners } of channels.values()) for (const listener of listeners) listener.onGap();
  };

  const onMessage = (channel: string, message: string): void => {
    for (const listener of channels.get(channel)?.listeners ?? []) listener.onMessage(message);
  };
  // The client subscribes again by itself, but says "ready" before Redis has done so. Asking once more gives the moment from which nothing is missed.
  const onReady = (): void => {
    if (channels.size === 0) return;
    void attempt(() => client.subscribe(...channels.keys())).then(tellGap);
  };
  client.on('message', onMessage);
  client.on('ready', onReady);
  client.on('close', tellGap);

  return {
    listen: async (name, listener) => {
      let channel = channels.get(name);
      if (channel === undefined) {
        channel = { listeners: new Set(), subscribed: attempt(() => client.subscribe(name)) };
        channels.set(name, channel);
      }
      const { listeners } = channel;
      listeners.add(listener);
      const leave = (): void => {
        listeners.delete(listener);
        if (listeners.size > 0 || channels.get(name)?.listeners !== listeners) return;
        channels.delete(name);
        // Sent in order on the one connection, so a later `listen` subscribes after it. Nobody needs the answer, and it may be long in coming.
        void attempt(() => client.unsubscribe(name));
      };
      const subscribed = await channel.subscribed;
      if (!subscribed.ok) {
        leave();
        return subscribed;
      }
      return ok({ [Symbol.asyncDispose]: () => Promise.resolve(leave()) });
    },
    [Symbol.asyncDispose]: async () => {
      client.off('message', onMessage);
      client.off('ready', onReady);
      client.off('close', tellGap);
      channels.clear();
      await connection[Symbol.asyncDispose]();
    },
  };
};
