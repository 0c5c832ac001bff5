/** What the stand-in's own tests share: a server, and the real client against it. */
import { LogLevel, WebClient } from '@slack/web-api';
import type { WebClientOptions } from '@slack/web-api';
import { startSlackServer } from './server.ts';
import type { SlackServer } from './server.ts';

export const silent = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};

export type Stand = AsyncDisposable & {
  readonly server: SlackServer;
  readonly control: SlackServer['control'];
  readonly web: WebClient;
  /** A client with another token or other options. */
  readonly client: (token: string, options?: WebClientOptions) => WebClient;
  /** The error of a refused call, with what came beside it. */
  readonly refusal: (call: Promise<unknown>) => Promise<Record<string, unknown>>;
  /** A message of Alice's, to answer in its thread. */
  readonly root: (channel?: string) => Promise<string>;
};

export const createStand = async (): Promise<Stand> => {
  const server = await startSlackServer();
  const client: Stand['client'] = (token, options = {}) =>
    new WebClient(token, {
      slackApiUrl: server.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: silent,
      ...options,
    });
  return {
    server,
    control: server.control,
    web: client(server.botToken),
    client,
    refusal: async (call) => {
      try {
        await call;
      } catch (error) {
        return (error as { data?: Record<string, unknown> }).data ?? { name: (error as Error).constructor.name, ...(error as object) };
      }
      throw new Error('the call was not refused');
    },
    root: async (channel = 'C01GEN') => (await server.control.say({ user: 'U01ALICE', channel, text: 'a question' })).ts,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
