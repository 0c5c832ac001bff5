/** One server, kept connected in the background: tried again with growing pauses, and never waited for by a conversation that does not use it. */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Capabilities, ToolOutcome } from '../../src/core/plugin.ts';
import { firstLine } from '../../src/core/text.ts';
import type { ListedTool } from './list-tools.ts';
import { toOutcome } from './result.ts';
import type { CallResult } from './result.ts';
import { isForgotten, isLost, isTimeout, openSession } from './session.ts';
import type { Session } from './session.ts';
import type { ServerSettings } from './settings.ts';

export type McpServer = AsyncDisposable & {
  readonly name: string;
  /** None while it is not connected. The same list until it changes. */
  readonly tools: () => readonly ListedTool[];
  /** Never rejects. Where the connection is down, waits a few seconds for it to come back. */
  readonly call: (tool: string, args: object, signal: AbortSignal) => Promise<ToolOutcome>;
  /** How the first attempt to connect ended: null where it is connected, else why not. */
  readonly firstTry: Promise<string | null>;
};

export type ServerOptions = {
  readonly settings: ServerSettings;
  readonly open: () => Transport;
  readonly log: Capabilities['log'];
  /** The pause before the next attempt, after so many failures in a row. */
  readonly pauseMs?: (failures: number) => number;
};

const doubling = (failures: number): number => Math.min(60_000, 1_000 * 2 ** Math.min(failures - 1, 10));
const BACK_MS = 5_000;
const STEADY_MS = 30_000;
/** So many calls in a row without any answer, and the connection is made anew. */
const MAX_SILENT = 3;
const NONE: readonly ListedTool[] = [];

export const createMcpServer = ({ settings, open, log, pauseMs = doubling }: ServerOptions): McpServer => {
  const { name, connectMs, callMs } = settings;
  const stop = new AbortController();
  let session: Session | null = null;
  let connected = Promise.withResolvers<void>();
  const firstTry = Promise.withResolvers<string | null>();
  let silent = 0;

  const keepConnected = async (): Promise<void> => {
    let failures = 0;
    while (!stop.signal.aborted) {
      try {
        const opened = await openSession({ transport: open(), connectMs, signal: stop.signal });
        const { malformed } = opened.listed();
        if (malformed > 0) log.warn({ server: name, malformed }, 'tools of an MCP server were left out: their descriptions are malformed');
        session = opened;
        silent = 0;
        connected.resolve();
        firstTry.resolve(null);
        // One that ends again and again is not started anew every second.
        const steady = setTimeout(() => {
          failures = 0;
        }, STEADY_MS).unref();
        if (stop.signal.aborted) await opened.close();
        await opened.ended;
        clearTimeout(steady);
        session = null;
        connected = Promise.withResolvers<void>();
        await opened.close();
        if (!stop.signal.aborted) log.warn({ server: name }, 'the connection to an MCP server ended; connecting again');
      } catch (error) {
        firstTry.resolve(wordsOf(error));
        if (!stop.signal.aborted)
          log.warn({ server: name, why: wordsOf(error), failures }, 'an MCP server cannot be reached; trying again');
      }
      failures += 1;
      await pause(pauseMs(failures), stop.signal);
    }
  };
  const kept = keepConnected();
  const end = async (): Promise<void> => {
    stop.abort();
    await session?.close();
    await kept;
  };

  const attempt = async (tool: string, args: object, signal: AbortSignal, again: boolean): Promise<ToolOutcome> => {
    if (session === null) await Promise.race([connected.promise, pause(BACK_MS, signal)]);
    const current = session;
    if (current === null) return away;
    try {
      const result = await current.call(tool, args, callMs, signal);
      silent = 0;
      return readOutcome(result);
    } catch (error) {
      if (signal.aborted) return { text: 'The call was stopped. Whether it had an effect is not known.', failed: true };
      silent = isTimeout(error) ? silent + 1 : 0;
      if (isLost(error) || silent >= MAX_SILENT) await current.close();
      // A server that has forgotten the session (it was started anew) did not run the call.
      if (isForgotten(error) && again) return attempt(tool, args, signal, false);
      return told(error);
    }
  };

  return {
    name,
    tools: () => session?.listed().tools ?? NONE,
    firstTry: firstTry.promise,
    call: (tool, args, signal) => attempt(tool, args, signal, true),
    [Symbol.asyncDispose]: end,
  };
};

/** What the server gave may be nested too deep to be written down. That is its own fault alone, and none of the connection. */
const readOutcome = (result: CallResult): ToolOutcome => {
  try {
    return toOutcome(result);
  } catch {
    return { text: 'The server gave back something that cannot be read. The call may have had an effect.', failed: true };
  }
};

const away: ToolOutcome = {
  text: 'The server of this tool cannot be reached at present. Nothing was run. Go on without it.',
  failed: true,
};

const told = (error: unknown): ToolOutcome => {
  if (isTimeout(error)) return { text: 'The server did not answer in time. Whether the call had an effect is not known.', failed: true };
  if (isLost(error))
    return { text: 'The connection to the server broke off during the call. Whether it had an effect is not known.', failed: true };
  return { text: `The server refused the call: ${wordsOf(error)}`, failed: true, trusted: false };
};

/** An error in one line. Addresses and what follows them go: an operator may have put a secret there. */
const wordsOf = (error: unknown): string => {
  const words = error instanceof Error ? error.message : String(error);
  const limit = error instanceof McpError ? 1_000 : 200;
  return firstLine(words.replace(/\bhttps?:\/\/\S+/g, '(address)'), limit);
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
