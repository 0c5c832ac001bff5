/** One connection to a server, from the handshake to its end. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { listTools } from './list-tools.ts';
import type { Listed } from './list-tools.ts';
import { callResultSchema } from './result.ts';
import type { CallResult } from './result.ts';

export type Session = {
  /** The tools as they were last listed; a new list replaces this one whole. */
  readonly listed: () => Listed;
  /** Rejects as the SDK does; whether the connection is lost with it is for `isLost`. */
  readonly call: (tool: string, args: object, timeout: number, signal: AbortSignal) => Promise<CallResult>;
  /** Resolves when the connection has ended, from whichever side. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
};

export type SessionOptions = { readonly transport: Transport; readonly connectMs: number; readonly signal: AbortSignal };

/** How long after a notice of a changed list it is read again; further notices meanwhile are one. */
const RELIST_MS = 200;

/** Rejects where the server is not ready within `connectMs`, with everything that was opened closed again. */
export const openSession = async ({ transport, connectMs, signal }: SessionOptions): Promise<Session> => {
  // Only its `request` is used: `listTools` and `callTool` would compile the schemas that a server sends, and fail as a whole for one bad tool.
  const client = new Client({ name: 'hektor', version: '1' });
  const ended = Promise.withResolvers<void>();
  Object.assign(client, { onclose: () => ended.resolve() });
  const close = async (): Promise<void> => {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    ended.resolve();
  };
  try {
    let listed = await within(connectMs, signal, async () => {
      await client.connect(transport, { timeout: connectMs });
      return listTools(client, connectMs);
    });
    watchList(client, async () => {
      listed = await listTools(client, connectMs);
    });
    return {
      listed: () => listed,
      call: (name, args, timeout, stop) =>
        client.request({ method: 'tools/call', params: { name, arguments: { ...args } } }, callResultSchema, { timeout, signal: stop }),
      ended: ended.promise,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Reads the list again after each notice, never twice at once. A list that cannot be read leaves the old one standing. */
const watchList = (client: Client, read: () => Promise<void>): void => {
  let reading = false;
  let again = false;
  const run = async (): Promise<void> => {
    again = true;
    if (reading) return;
    reading = true;
    while (again) {
      await new Promise((resolve) => setTimeout(resolve, RELIST_MS).unref());
      again = false;
      await read().catch(() => {});
    }
    reading = false;
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, run);
};

/** Rejects at the time limit and when the signal aborts, whatever the work does. */
const within = async <T>(ms: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  const limit = AbortSignal.any([AbortSignal.timeout(ms), signal]);
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new Error(signal.aborted ? 'stopped' : `no answer within ${Math.round(ms / 1000)} s`));
  limit.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    limit.removeEventListener('abort', stop);
  }
};

/** Whether the connection is of no more use after this error. One that the server itself answered with says nothing against it. */
export const isLost = (error: unknown): boolean => {
  if (error instanceof McpError) return error.code === CLOSED;
  return error instanceof StreamableHTTPError ? isForgotten(error) : true;
};

/** The server does not know the session any more (it was started anew, say), and so has not run the call. */
export const isForgotten = (error: unknown): boolean => error instanceof StreamableHTTPError && error.code === 404;

export const isTimeout = (error: unknown): boolean => error instanceof McpError && error.code === TIMEOUT;
const CLOSED: number = ErrorCode.ConnectionClosed;
const TIMEOUT: number = ErrorCode.RequestTimeout;
