/**
 * The connection to Discord's gateway, on discord.js's own gateway half: it identifies, beats, resumes and reconnects. What is added here is for what
 * it leaves open: it is built anew where a shard stays silent, where Discord cannot be reached at the start, or where the number of shards has
 * grown; and it ends, told once and with what mends it, where Discord will not have it.
 *
 * Events come as they are on the wire. No cache of the library stands between, so that nothing in an event can make it fail.
 */
import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import { ActivityType, DiscordAPIError, GatewayIntentBits, PresenceUpdateStatus, REST } from 'discord.js';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { DiscordConfig } from '../config.ts';
import { closedForGood } from './closed.ts';
import type { Closed } from './closed.ts';

export type Shard = { readonly id: number; readonly of: number };

export type ConnectionDeps = {
  readonly log: Log;
  readonly clock: Clock;
  /** Each event, in its order. Must not throw. */
  readonly hear: (shard: Shard, event: string, data: unknown) => void;
};

export type Connection = AsyncDisposable & {
  readonly problems: () => readonly string[];
  /** The shards that are connected now. */ readonly ready: () => readonly Shard[];
};

/** The least that is needed: servers and their threads, messages, and what messages say where it was asked for. */
const intentsFor = ({ messageContent }: Pick<DiscordConfig, 'messageContent'>): number =>
  GatewayIntentBits.Guilds |
  GatewayIntentBits.GuildMessages |
  GatewayIntentBits.DirectMessages |
  (messageContent ? GatewayIntentBits.MessageContent : 0);

const times = {
  /** A shard that is not connected for so long gets a new connection. */
  silentMs: 75_000,
  /** Without an acknowledged heartbeat for so long it counts as silent too; Discord asks for one about every 41 seconds. */
  beatMs: 150_000,
  lookMs: 2_000,
  /** Nobody is told of a connection that is back so soon. */
  graceMs: 10_000,
  helloMs: 20_000,
  endMs: 5_000,
} as const;
const PAUSES_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000];
const SHARDING_REQUIRED = 4011;

type State = { readonly ready: boolean; readonly wasReady: boolean; readonly since: number; readonly beat: number };
type Ended = { readonly closed: Closed | null; readonly connected: boolean };

export const openConnection = (config: DiscordConfig, { log, clock, hear }: ConnectionDeps): Connection => {
  const stopping = new AbortController();
  const states = new Map<number, State>();
  let of = 0;
  let forGood: Closed | null = null;
  let trouble = 'the first connection is being made';

  const mark = (id: number, change: { readonly ready?: boolean; readonly beat?: number }): void => {
    const now = states.get(id) ?? { ready: false, wasReady: false, since: clock.now(), beat: clock.now() };
    const turned = change.ready !== undefined && change.ready !== now.ready;
    states.set(id, { ...now, ...change, wasReady: now.wasReady || change.ready === true, since: turned ? clock.now() : now.since });
  };
  const isSilent = ({ ready, since, beat }: State): boolean =>
    ready ? clock.now() - beat > times.beatMs : clock.now() - since > times.silentMs;

  /** One connection of all shards of this process, until it can go on no more. */
  const live = async (): Promise<Ended> => {
    const rest = new REST({ api: config.apiUrl, version: '10', retries: 0, rejectOnRateLimit: () => true }).setToken(config.token);
    const sessions = new Map<number, Parameters<WebSocketManager['options']['updateSessionInfo']>[1]>();
    const manager = new WebSocketManager({
      token: config.token,
      // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- a sum of flags is no member of the enum
      intents: intentsFor(config),
      rest,
      version: '10',
      shardIds: config.shards.kind === 'auto' ? null : [...config.shards.ids],
      shardCount: config.shards.kind === 'auto' ? null : config.shards.of,
      helloTimeout: times.helloMs,
      initialPresence: presence,
      retrieveSessionInfo: (id) => sessions.get(id) ?? null,
      updateSessionInfo: (id, session) => void sessions.set(id, session),
    });
    const over = new AbortController();
    const ended = Promise.withResolvers<Ended>();
    let connected = false;
    const end = (closed: Closed | null): void => ended.resolve({ closed, connected });

    manager.on(WebSocketShardEvents.Dispatch, ({ data, shardId }) => hear({ id: shardId, of }, data.t, data.d));
    manager.on(WebSocketShardEvents.HeartbeatComplete, ({ shardId }) => mark(shardId, { beat: clock.now() }));
    manager.on(WebSocketShardEvents.Resumed, ({ shardId }) => {
      mark(shardId, { ready: true, beat: clock.now() });
      log.info({ shard: shardId }, 'the gateway has resumed');
    });
    manager.on(WebSocketShardEvents.Ready, ({ shardId }) => {
      connected = true;
      mark(shardId, { ready: true, beat: clock.now() });
      log.info({ shard: shardId, of }, 'connected to the gateway');
    });
    manager.on(WebSocketShardEvents.Closed, ({ code, shardId }) => {
      mark(shardId, { ready: false });
      const closed = closedForGood(code);
      if (closed === null) return log.info({ shard: shardId, code }, 'the gateway closed a connection');
      // Discord recommends more shards by now, and a new connection asks for them.
      return end(code === SHARDING_REQUIRED && config.shards.kind === 'auto' ? null : closed);
    });
    manager.on(WebSocketShardEvents.Error, ({ error, shardId }) =>
      log.warn({ shard: shardId, error: error.message }, 'trouble with the gateway'),
    );
    manager.on(WebSocketShardEvents.Debug, ({ message, shardId }) =>
      log.debug({ shard: shardId, message: message.slice(0, 200) }, 'gateway'),
    );

    const connect = async (): Promise<void> => {
      try {
        of = await manager.getShardCount();
        for (const id of await manager.getShardIds()) mark(id, { ready: false });
        await manager.connect();
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        trouble = words;
        const refused = error instanceof DiscordAPIError && error.status === 401;
        if (!refused && !over.signal.aborted) log.warn({ error: words }, 'Discord’s gateway could not be reached; tried again');
        // Where Discord closed it for good, its code comes first and says why.
        await clock.sleep(50);
        end(refused ? closedForGood(4004) : null);
      }
    };
    const watch = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await clock.sleep(times.lookMs, over.signal);
        if (over.signal.aborted || ![...states.values()].some(isSilent)) continue;
        log.warn({}, 'the gateway stays silent; it is connected anew');
        end(null);
      }
    };
    stopping.signal.addEventListener('abort', () => end(null), { once: true });
    if (stopping.signal.aborted) end(null);
    states.clear();
    const connecting = connect();
    const watching = watch();
    const outcome = await ended.promise;
    over.abort();
    for (const id of states.keys()) mark(id, { ready: false });
    await watching;
    // A peer that does not answer the closing must not keep us.
    await Promise.race([shut(manager, log), clock.sleep(times.endMs)]);
    await Promise.race([connecting, clock.sleep(100)]);
    rest.clearHashSweeper();
    rest.clearHandlerSweeper();
    return outcome;
  };

  const run = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      const { closed, connected } = await live();
      if (stopping.signal.aborted) return;
      if (closed !== null) {
        forGood = closed;
        log.error(
          { problem: closed.problem, fix: closed.fix },
          'Discord will not have this connection, and nothing is tried again until it is mended and restarted',
        );
        return;
      }
      if (connected) failures = 0;
      const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 60_000;
      await clock.sleep(pause * (0.75 + Math.random() / 2), stopping.signal);
    }
  };
  const running = run();

  return {
    ready: () => [...states].flatMap(([id, state]) => (state.ready ? [{ id, of }] : [])),
    problems: () => {
      if (forGood !== null) return [`${forGood.problem}: ${forGood.fix}`];
      if (states.size === 0) return [`Discord’s gateway is not connected: ${trouble}`];
      return [...states].flatMap(([id, { ready, wasReady, since }]) =>
        ready || (wasReady && clock.now() - since < times.graceMs)
          ? []
          : [`Discord shard ${id} of ${of} is not connected since ${Math.round((clock.now() - since) / 1000)} s`],
      );
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
};

const shut = async (manager: WebSocketManager, log: Log): Promise<void> => {
  try {
    await manager.destroy();
  } catch (error) {
    log.debug({ error: error instanceof Error ? error.message : String(error) }, 'closing the gateway');
  }
};

const presence = {
  since: null,
  afk: false,
  status: PresenceUpdateStatus.Online,
  activities: [{ name: 'Hektor', type: ActivityType.Custom, state: 'Mention me, or use /ask' }],
};
