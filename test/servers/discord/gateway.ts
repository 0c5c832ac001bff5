/** Gateway v10 over WebSocket: hello, identify, ready, heartbeats, resume with replay, and every way in which it ends a connection. */
import { GatewayOpcodes as Op } from './numbers.ts';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { constants, createDeflate } from 'node:zlib';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { Intent, KNOWN, wants } from './intents.ts';
import { isObject, numberIn, textIn } from './json.ts';
import type { Json } from './model.ts';
import { guildCreate } from './shapes.ts';
import { membersPayload, readyPayload } from './gateway-payloads.ts';
import { newToken } from './world.ts';
import type { World } from './world.ts';

type Session = {
  readonly id: string;
  readonly intents: number;
  readonly shard: readonly [id: number, count: number];
  seq: number;
  /** Events by their number, kept for a resume. */
  readonly log: { readonly s: number; readonly text: string }[];
  connection: Connection | null;
  droppedAt: number | null;
  presence: Json | null;
};

type Connection = {
  readonly socket: WebSocket;
  session: Session | null;
  readonly received: number[];
  lastHeartbeat: number;
  readonly write: (text: string) => void;
};

/** An event for the sessions that may have it; `data` is made for each, since some may read more than others. */
export type Told = {
  readonly event: string;
  readonly guild: string | null;
  readonly data: (session: { readonly intents: number }) => Json;
};

export type GatewayInfo = {
  readonly session: string;
  readonly connected: boolean;
  readonly intents: number;
  readonly shard: readonly [id: number, count: number];
  readonly seq: number;
  readonly presence: Json | null;
};

export type Gateway = ReturnType<typeof createGateway>;

export const createGateway = (world: World) => {
  const sessions = new Map<string, Session>();
  const connections = new Set<Connection>();
  const identifiedAt = new Map<number, number>();
  const server = new WebSocketServer({ noServer: true, maxPayload: 1 << 20 });
  /** What the next identify or resume is refused with. */
  const refusals: { readonly on: 'identify' | 'resume'; readonly how: number | 'invalid' | 'invalid-resumable' }[] = [];
  let silent = false;

  const note = (direction: 'sent' | 'received', session: Session | null, op: number, event: string | null, data: unknown): void => {
    world.frames.push({ n: world.frames.length + 1, at: world.clock.now(), direction, session: session?.id ?? null, op, event, data });
    world.changed();
  };
  const send = (connection: Connection, op: number, d: unknown): void => {
    note('sent', connection.session, op, null, d);
    connection.write(JSON.stringify({ op, d, s: null, t: null }));
  };
  const close = (connection: Connection, code: number, reason: string): void => {
    note('sent', connection.session, -1, `close ${code}`, reason);
    connection.socket.close(code, reason);
  };
  const end = (session: Session): void => {
    sessions.delete(session.id);
    session.connection = null;
  };
  const shardOf = (guild: string | null, count: number): number => (guild === null ? 0 : Number((BigInt(guild) >> 22n) % BigInt(count)));

  const emit = (session: Session, event: string, data: Json): void => {
    session.seq += 1;
    const text = JSON.stringify({ op: Op.Dispatch, d: data, s: session.seq, t: event });
    session.log.push({ s: session.seq, text });
    if (session.log.length > 2000) session.log.shift();
    note('sent', session, Op.Dispatch, event, data);
    if (!silent) session.connection?.write(text);
  };

  const guildsOf = (session: Session) =>
    [...world.guilds.values()].filter(
      (guild) => guild.members.has(world.app.id) && shardOf(guild.id, session.shard[1]) === session.shard[0],
    );

  /** Before an identify or resume is looked at: a test may have asked for a refusal. */
  const refusedByTest = (connection: Connection, on: 'identify' | 'resume'): boolean => {
    const found = refusals.find((one) => one.on === on);
    if (found === undefined) return false;
    refusals.splice(refusals.indexOf(found), 1);
    if (typeof found.how === 'number') close(connection, found.how, 'as asked');
    else send(connection, Op.InvalidSession, found.how === 'invalid-resumable');
    return true;
  };

  const identify = (connection: Connection, d: Json): void => {
    if (connection.session !== null) return close(connection, 4005, 'Already authenticated.');
    if (refusedByTest(connection, 'identify')) return;
    const { settings, app, clock } = world;
    if (textIn(d, 'token').replace(/^Bot /, '') !== app.token) return close(connection, 4004, 'Authentication failed.');
    if (settings.identifies <= 0) {
      // The token is reset; its owner gets a mail.
      app.token = newToken(app.id);
      return close(connection, 4004, 'Authentication failed.');
    }
    settings.identifies -= 1;
    const given = Array.isArray(d['shard']) ? d['shard'] : [0, 1];
    const shard: readonly [number, number] = [Number(given[0]), Number(given[1])];
    if (!(shard[0] >= 0 && shard[0] < shard[1])) return close(connection, 4010, 'Invalid shard.');
    const intents = numberIn(d, 'intents', -1);
    if (intents < 0 || (intents & ~KNOWN) !== 0) return close(connection, 4013, 'Invalid intent(s).');
    const denied =
      ((intents & Intent.MessageContent) !== 0 && !app.messageContent) ||
      ((intents & Intent.GuildMembers) !== 0 && !app.guildMembers) ||
      ((intents & Intent.GuildPresences) !== 0 && !app.presence);
    if (denied) return close(connection, 4014, 'Disallowed intent(s).');
    const session: Session = {
      id: randomBytes(16).toString('hex'),
      intents,
      shard,
      seq: 0,
      log: [],
      connection,
      droppedAt: null,
      presence: isObject(d['presence']) ? d['presence'] : null,
    };
    const guilds = guildsOf(session);
    if (guilds.length > settings.maxGuildsPerShard) return close(connection, 4011, 'Sharding required.');
    const bucket = shard[0] % settings.maxConcurrency;
    if (clock.now() - (identifiedAt.get(bucket) ?? -Infinity) < 5000 && settings.rateLimits && shard[1] > 1)
      return send(connection, Op.InvalidSession, false);
    identifiedAt.set(bucket, clock.now());
    sessions.set(session.id, session);
    connection.session = session;
    emit(session, 'READY', readyPayload(world, session, guilds));
    for (const guild of guilds) {
      if (!wants(intents, 'GUILD_CREATE', true)) break;
      if (guild.unavailable) emit(session, 'GUILD_DELETE', { id: guild.id, unavailable: true });
      else emit(session, 'GUILD_CREATE', guildCreate(world, guild, (intents & Intent.GuildMembers) !== 0 || guild.members.size < 50));
    }
  };

  const resume = (connection: Connection, d: Json): void => {
    if (refusedByTest(connection, 'resume')) return;
    if (textIn(d, 'token').replace(/^Bot /, '') !== world.app.token) return close(connection, 4004, 'Authentication failed.');
    const session = sessions.get(textIn(d, 'session_id'));
    const late = session?.droppedAt !== null && session !== undefined && world.clock.now() - session.droppedAt > world.settings.resumeMs;
    if (session === undefined || late) {
      if (session !== undefined) end(session);
      return send(connection, Op.InvalidSession, false);
    }
    const seq = numberIn(d, 'seq');
    if (seq > session.seq) return close(connection, 4007, 'Invalid seq.');
    if (session.connection !== null) session.connection.session = null;
    session.connection = connection;
    session.droppedAt = null;
    connection.session = session;
    for (const one of session.log) if (one.s > seq) connection.write(one.text);
    emit(session, 'RESUMED', { _trace: [] });
  };

  const requestMembers = (session: Session, d: Json): void => {
    const guild = world.guilds.get(textIn(d, 'guild_id'));
    if (guild !== undefined) emit(session, 'GUILD_MEMBERS_CHUNK', membersPayload(world, guild, d));
  };

  const receive = (connection: Connection, raw: Buffer): void => {
    const now = world.clock.now();
    let payload: unknown;
    try {
      payload = JSON.parse(raw.toString('utf8'));
    } catch {
      return close(connection, 4002, 'Error while decoding payload.');
    }
    if (!isObject(payload) || raw.length > 4096) return close(connection, 4002, 'Error while decoding payload.');
    const op = numberIn(payload, 'op', -1);
    const d = isObject(payload['d']) ? payload['d'] : {};
    note('received', connection.session, op, null, op === Op.Identify || op === Op.Resume ? { ...d, token: '(token)' } : payload['d']);
    connection.received.push(now);
    while ((connection.received[0] ?? now) <= now - 60_000) connection.received.shift();
    if (connection.received.length > 120) return close(connection, 4008, 'You are being rate limited.');
    if (op === Op.Heartbeat) {
      connection.lastHeartbeat = Date.now();
      if (world.settings.acks && !silent) send(connection, Op.HeartbeatAck, null);
      return;
    }
    if (op === Op.Identify) return identify(connection, d);
    if (op === Op.Resume) return resume(connection, d);
    const { session } = connection;
    if (session === null) return close(connection, 4003, 'Not authenticated.');
    if (op === Op.PresenceUpdate) session.presence = d;
    else if (op === Op.RequestGuildMembers) requestMembers(session, d);
    else if (op !== Op.VoiceStateUpdate && op !== Op.RequestSoundboardSounds) close(connection, 4001, 'Unknown opcode.');
  };

  const open = (socket: WebSocket, request: IncomingMessage): void => {
    const query = new URL(request.url ?? '/', world.baseUrl).searchParams;
    const deflate = query.get('compress') === 'zlib-stream' ? createDeflate({ flush: constants.Z_SYNC_FLUSH }) : null;
    deflate?.on('data', (chunk: Buffer) => socket.send(chunk));
    const write = (text: string): void => {
      if (deflate !== null) deflate.write(text);
      else if (socket.readyState === socket.OPEN) socket.send(text);
    };
    const connection: Connection = { socket, session: null, received: [], lastHeartbeat: Date.now(), write };
    connections.add(connection);
    const { heartbeatMs } = world.settings;
    // By the true time: a test that puts the clock forward does not mean to lose the connection by that.
    const watch = setInterval(() => {
      if (Date.now() - connection.lastHeartbeat > heartbeatMs * 2.5) close(connection, 4009, 'Session timed out.');
    }, heartbeatMs);
    watch.unref();
    socket.on('message', (data: Buffer) => receive(connection, data));
    socket.on('error', () => {});
    socket.on('close', (code) => {
      clearInterval(watch);
      connections.delete(connection);
      const { session } = connection;
      if (session !== null && session.connection === connection) {
        session.connection = null;
        session.droppedAt = world.clock.now();
        // Whoever says goodbye in this way has no use for the session any more.
        if (code === 1000 || code === 1001) end(session);
      }
      note('received', session, -1, `close ${code}`, null);
    });
    if (query.get('v') !== '10') return close(connection, 4012, 'Invalid API version.');
    send(connection, Op.Hello, { heartbeat_interval: heartbeatMs, _trace: [] });
  };

  return {
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      const { pathname } = new URL(request.url ?? '/', world.baseUrl);
      if (!/^\/(gateway|resume)\/?$/.test(pathname)) return void socket.destroy();
      server.handleUpgrade(request, socket, head, (client) => open(client, request));
    },
    /** Tells every session that has the intent and the shard for it. */
    tell: ({ event, guild, data }: Told): void => {
      for (const session of sessions.values()) {
        if (!wants(session.intents, event, guild !== null) || shardOf(guild, session.shard[1]) !== session.shard[0]) continue;
        emit(session, event, data(session));
      }
    },
    sessions: (): readonly GatewayInfo[] =>
      [...sessions.values()].map(({ id, connection, intents, shard, seq, presence }) => ({
        session: id,
        connected: connection !== null,
        intents,
        shard,
        seq,
        presence,
      })),
    connections: (): number => connections.size,
    /** Ends every connection with this code, or rudely without one; the sessions stay, unless `forget`. */
    drop: (code: number | null, forget: boolean): void => {
      if (forget) sessions.clear();
      for (const connection of connections) {
        if (code === null) connection.socket.terminate();
        else close(connection, code, 'as asked');
      }
    },
    reconnect: (): void => {
      for (const connection of connections) send(connection, Op.Reconnect, null);
    },
    invalidate: (resumable: boolean): void => {
      for (const connection of connections) send(connection, Op.InvalidSession, resumable);
      if (!resumable) sessions.clear();
    },
    askHeartbeat: (): void => {
      for (const connection of connections) send(connection, Op.Heartbeat, null);
    },
    /** A zombie: the connections stay, but nothing comes over them any more, acknowledgements neither. */
    silence: (on: boolean): void => {
      silent = on;
    },
    refuse: (one: (typeof refusals)[number]): void => void refusals.push(one),
    close: (): void => {
      for (const { socket } of connections) socket.terminate();
      server.close();
    },
  };
};
