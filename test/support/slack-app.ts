/** The whole program against the stand-in for Slack, over either transport, with a model that a test steers. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { startAnsweringServer } from '../servers/openai/answering.ts';
import type { AnsweringServer } from '../servers/openai/answering.ts';
import { startSlackServer } from '../servers/slack/server.ts';
import type { SlackServer } from '../servers/slack/server.ts';
import { startApp } from './app.ts';
import type { App } from './app.ts';
import { startRedis } from './redis.ts';
import type { TestRedis } from './redis.ts';

export type Transport = 'socket' | 'http';
type Message = Awaited<ReturnType<SlackServer['control']['messages']>>[number];

export type SlackApp = AsyncDisposable & {
  readonly slack: SlackServer;
  readonly control: SlackServer['control'];
  readonly model: AnsweringServer;
  readonly redis: TestRedis;
  readonly apps: () => readonly App[];
  /** Starts one more process of the program, or the first anew. */
  readonly start: (env?: Readonly<Record<string, string>>) => Promise<App>;
  /** The bot's finished messages in a thread, oldest first. */
  readonly answers: (channel: string, thread: string) => Promise<readonly Message[]>;
  /** Waits until the thread holds so many of the bot's messages, and gives the last. */
  readonly answered: (channel: string, thread: string, count?: number) => Promise<Message>;
  /** Waits until everything that was delivered is acknowledged and worked off, and no turn waits: what has not happened by then does not happen. */
  readonly settled: () => Promise<void>;
};

export type SlackAppOptions = { readonly transport?: Transport; readonly env?: Readonly<Record<string, string>>; readonly start?: boolean };

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
};

export const startSlackApp = async ({ transport = 'socket', env = {}, start = true }: SlackAppOptions = {}): Promise<SlackApp> => {
  await using stack = new AsyncDisposableStack();
  const redis = stack.use(await startRedis());
  const slack = stack.use(await startSlackServer());
  const model = stack.use(await startAnsweringServer());
  const { control } = slack;
  const apps: App[] = [];
  const owner = { of: stack };
  const begin: SlackApp['start'] = async (more = {}) => {
    const port = await freePort();
    const app = await startApp({
      redisUrl: redis.url,
      env: {
        PORT: String(port),
        HEKTOR_SANDBOX_POOL: '0',
        OPENAI_BASE_URL: model.baseUrl,
        HEKTOR_MODEL: 'answering',
        SLACK_API_URL: slack.apiUrl,
        SLACK_BOT_TOKEN: slack.botToken,
        ...(transport === 'socket' ? { SLACK_APP_TOKEN: slack.appToken } : { SLACK_SIGNING_SECRET: slack.signingSecret }),
        ...env,
        ...more,
      },
    });
    apps.push(app);
    // After the move further processes belong to what was moved: ended before Redis and Slack, as the first is.
    owner.of.use(app);
    if (transport === 'http') await control.app({ transport: 'http', requestUrl: `${app.url}/slack/events` });
    else
      await control.until(
        async () =>
          (await control.connections()) >= apps.filter(({ process }) => process.exitCode === null && process.signalCode === null).length,
        'a socket',
      );
    return app;
  };
  const answers: SlackApp['answers'] = async (channel, thread) =>
    (await control.messages({ channel, thread })).filter((one) => one.fromBot && one.stream !== 'streaming' && one.ts !== thread);
  if (start) await begin();
  const all = stack.move();
  owner.of = all;
  return {
    slack,
    control,
    model,
    redis,
    apps: () => apps,
    start: begin,
    answers,
    answered: (channel, thread, count = 1) =>
      control.until(
        async () => {
          const found = await answers(channel, thread);
          return found.length >= count && found.at(-1);
        },
        `${count} answers in ${thread}`,
        60_000,
      ),
    settled: async () => {
      const look = redis.look();
      const quiet = async (): Promise<boolean> => {
        const sent = await control.sent();
        const waiting = (await look.exists('{i:slack}:queue')) + (await look.zcard('{hektor}:pending'));
        return sent.every((one) => one.acked || one.over) && waiting === 0;
      };
      await control.until(
        async () => (await quiet()) && (await new Promise((done) => setTimeout(done, 300)), await quiet()),
        'quiet',
        30_000,
      );
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
};
