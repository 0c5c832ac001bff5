/** The whole program against the stand-in for Discord, with a model that a test steers. */
import { startAnsweringServer } from '../servers/openai/answering.ts';
import type { AnsweringServer } from '../servers/openai/answering.ts';
import { startDiscordServer } from '../servers/discord/server.ts';
import type { DiscordServer } from '../servers/discord/server.ts';
import { startApp } from './app.ts';
import type { App } from './app.ts';
import { freePort } from './slack-app.ts';
import { startRedis } from './redis.ts';
import type { TestRedis } from './redis.ts';

type Message = Awaited<ReturnType<DiscordServer['control']['messages']>>[number];

export type DiscordApp = AsyncDisposable & {
  readonly discord: DiscordServer;
  readonly control: DiscordServer['control'];
  readonly model: AnsweringServer;
  readonly redis: TestRedis;
  readonly apps: () => readonly App[];
  /** Starts one more process of the program, or the first anew. */
  readonly start: (env?: Readonly<Record<string, string>>) => Promise<App>;
  /** The bot's messages in a channel or thread, oldest first; none where there is no such thread (yet). */
  readonly answers: (channel: string) => Promise<readonly Message[]>;
  /** Waits for a message of the bot's with this in it. */
  readonly said: (channel: string, text: string | RegExp) => Promise<Message>;
  /** Waits until everything is worked off and no turn waits: what has not happened by then does not happen. */
  readonly settled: () => Promise<void>;
};

export type DiscordAppOptions = { readonly env?: Readonly<Record<string, string>>; readonly start?: boolean };

export const startDiscordApp = async ({ env = {}, start = true }: DiscordAppOptions = {}): Promise<DiscordApp> => {
  await using stack = new AsyncDisposableStack();
  const redis = stack.use(await startRedis());
  const discord = stack.use(await startDiscordServer());
  const model = stack.use(await startAnsweringServer());
  const { control } = discord;
  const apps: App[] = [];
  stack.defer(async () => {
    await Promise.all(apps.map((app) => app[Symbol.asyncDispose]()));
  });
  const begin: DiscordApp['start'] = async (more = {}) => {
    const before = await control.connections();
    const app = await startApp({
      redisUrl: redis.url,
      env: {
        PORT: String(await freePort()),
        HEKTOR_SANDBOX_POOL: '0',
        OPENAI_BASE_URL: model.baseUrl,
        HEKTOR_MODEL: 'answering',
        DISCORD_API_URL: discord.apiUrl,
        DISCORD_TOKEN: discord.token,
        DISCORD_CDN_HOSTS: discord.cdnHost,
        ...env,
        ...more,
      },
    });
    apps.push(app);
    if ((more['HEKTOR_ROLE'] ?? env['HEKTOR_ROLE']) !== 'worker') {
      await control.until(
        async () => (await control.sessions()).filter((one) => one.connected).length > before,
        'a session of the gateway',
      );
    }
    return app;
  };
  const answers: DiscordApp['answers'] = async (channel) => {
    try {
      return (await control.messages({ channel })).filter((one) => one.author === discord.applicationId);
    } catch {
      return [];
    }
  };
  if (start) await begin();
  const owned = stack.move();
  return {
    discord,
    control,
    model,
    redis,
    apps: () => apps,
    start: begin,
    answers,
    said: (channel, text) =>
      control.until(
        async () => (await answers(channel)).find((one) => (typeof text === 'string' ? one.text.includes(text) : text.test(one.text))),
        `${String(text)} in ${channel}`,
        60_000,
      ),
    settled: async () => {
      const look = redis.look();
      const quiet = async (): Promise<boolean> => (await look.exists('{i:discord}:queue')) + (await look.zcard('{hektor}:pending')) === 0;
      await control.until(
        async () => (await quiet()) && (await new Promise((done) => setTimeout(done, 500)), await quiet()),
        'quiet',
        30_000,
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
