/** The listening half of the Discord adapter against the stand-in, over real sockets, with a gateway that writes down what it is handed. */
import { createInbound } from '../../adapters/discord/inbound.ts';
import { readDiscordConfig } from '../../adapters/discord/config.ts';
import { commandHelp } from '../../src/commands/index.ts';
import { defaultChannelSettings } from '../../src/core/channel-settings.ts';
import type { ChannelSettings } from '../../src/core/channel-settings.ts';
import type { Failure } from '../../src/core/failure.ts';
import type { Address, ConversationId, Place } from '../../src/core/ids.ts';
import { conversationIdOf } from '../../src/core/ids.ts';
import { err, ok } from '../../src/core/result.ts';
import type { CommandAnswer, Gateway, Inbound, Incoming, IncomingOf } from '../../src/ports/adapter.ts';
import { startDiscordServer } from '../servers/discord/server.ts';
import type { DiscordServer } from '../servers/discord/server.ts';
import { createMemoryDeps } from './memory-ports.ts';
import { valueOf } from './results.ts';
import { until } from './until.ts';

export type Heard<K extends Incoming['kind']> = IncomingOf<K>;

/** What the gateway is to answer with; changed by a test as it goes. */
export type Steering = {
  settings: ChannelSettings;
  /** What a command, or a message that is one, is answered with at once. */
  answer: (incoming: Incoming) => CommandAnswer | null;
  refuse: (incoming: Incoming) => Failure | null;
  /** Conversations that the bot takes part in: those that something was accepted for, and these. */
  readonly knows: Set<ConversationId>;
  entries: Awaited<ReturnType<Gateway['read']>>;
};

export type DiscordInbound = AsyncDisposable & {
  readonly discord: DiscordServer;
  readonly control: DiscordServer['control'];
  readonly deps: ReturnType<typeof createMemoryDeps>;
  readonly accepted: readonly Incoming[];
  readonly purged: readonly (Place | Address)[];
  readonly steer: Steering;
  /** Those of a kind, oldest first. */
  readonly of: <K extends Incoming['kind']>(kind: K) => readonly IncomingOf<K>[];
  /** Waits for the nth of a kind. */
  readonly nth: <K extends Incoming['kind']>(kind: K, count?: number) => Promise<IncomingOf<K>>;
  /** Waits until all that happened so far was worked off. */
  readonly quiet: () => Promise<void>;
  /** Ends the listening process and begins another one with the same store. */
  readonly restart: (env?: Readonly<Record<string, string>>) => Promise<Inbound>;
  readonly stop: () => Promise<void>;
  readonly inbound: () => Inbound;
};

export type Options = { readonly env?: Readonly<Record<string, string>>; readonly connect?: boolean };

export const startDiscordInbound = async ({ env = {}, connect = true }: Options = {}): Promise<DiscordInbound> => {
  await using stack = new AsyncDisposableStack();
  const discord = stack.use(await startDiscordServer());
  const { control } = discord;
  const deps = createMemoryDeps();
  const accepted: Incoming[] = [];
  const purged: (Place | Address)[] = [];
  const seen = new Set<string>();
  const steer: Steering = {
    settings: defaultChannelSettings,
    answer: () => null,
    refuse: () => null,
    knows: new Set(),
    entries: ok(null),
  };
  const hinted = new Set<string>();
  const gateway: Gateway = {
    accept: async (incoming) => {
      const why = steer.refuse(incoming);
      if (why !== null) return err(why);
      const conversation = conversationIdOf(incoming.address);
      const id = JSON.stringify([conversation, incoming.kind, incoming.key, incoming.kind === 'edit' ? incoming.version : '']);
      const duplicate = seen.has(id);
      seen.add(id);
      if (!duplicate) accepted.push(incoming);
      if (incoming.kind === 'message') steer.knows.add(conversation);
      return ok({ conversation, duplicate, answer: duplicate ? null : steer.answer(incoming) });
    },
    open: async (address) => ok(conversationIdOf(address)),
    read: async () => steer.entries,
    recent: async (platform, workspace, limit) =>
      ok(
        [...steer.knows]
          .filter((conversation) => conversation.startsWith(`${platform}/${workspace}/`))
          .slice(0, limit)
          .map((conversation) => ({ conversation, title: 'A thread', at: Date.now() })),
      ),
    blob: async () => ok(null),
    settings: async () => ok(steer.settings),
    moveSettings: () => Promise.resolve(ok(undefined)),
    knows: async (conversation) => ok(steer.knows.has(conversation)),
    hint: async (conversation) => (hinted.has(conversation) ? ok(null) : (hinted.add(conversation), ok('Mention me.'))),
    purge: async (where) => (purged.push(where), ok(1)),
    complete: async (_address, _author, command, option, partial) => [{ name: `${command} ${option} ${partial}`, value: 'practice' }],
    commands: commandHelp,
    model: () => ({ name: 'practice', practice: true, toolCalls: true }),
    limits: { textChars: 20_000, files: 10, fileBytes: 1_000_000 },
  };
  const config = (more: Readonly<Record<string, string>>) =>
    valueOf(
      readDiscordConfig({
        DISCORD_TOKEN: discord.token,
        DISCORD_API_URL: discord.apiUrl,
        DISCORD_CDN_HOSTS: discord.cdnHost,
        ...env,
        ...more,
      }),
    );
  let inbound: Inbound | null = null;
  const stop = async (): Promise<void> => {
    await inbound?.[Symbol.asyncDispose]();
    inbound = null;
  };
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<Inbound> => {
    const read = config(more);
    if (read === null) throw new TypeError('no configuration');
    const begun = await createInbound({ ...deps.inbound, gateway }, read);
    inbound = begun;
    return begun;
  };
  const connected = async (): Promise<void> => until(() => inbound !== null && inbound.problems().length === 0, 'a connection');
  await start();
  stack.defer(stop);
  if (connect) await connected();
  const owned = stack.move();
  const of: DiscordInbound['of'] = (kind) => accepted.filter((one): one is IncomingOf<typeof kind> => one.kind === kind);
  return {
    discord,
    control,
    deps,
    accepted,
    purged,
    steer,
    of,
    nth: async (kind, count = 1) => {
      await until(() => of(kind).length >= count, `${kind} number ${count}`);
      const found = of(kind)[count - 1];
      if (found === undefined) throw new TypeError('unreachable');
      return found;
    },
    quiet: async () => {
      await new Promise((done) => setTimeout(done, 300));
      await until(() => deps.inbound.inbox.waiting().length === 0, 'an empty in-tray');
      await new Promise((done) => setTimeout(done, 200));
      await until(() => deps.inbound.inbox.waiting().length === 0, 'an empty in-tray');
    },
    restart: async (more) => {
      await stop();
      const begun = await start(more);
      await connected();
      return begun;
    },
    stop,
    inbound: () => {
      if (inbound === null) throw new TypeError('it is stopped');
      return inbound;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
