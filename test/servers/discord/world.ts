/** The state of the stand-in, and the few ways in which it is looked up. */
import { randomBytes } from 'node:crypto';
import { createChanges } from '../support/changes.ts';
import type { Changes } from '../support/changes.ts';
import { createClock } from '../support/clock.ts';
import type { Clock } from '../support/clock.ts';
import type { Fault } from './injected.ts';
import type { App, Attachment, Call, Channel, Frame, Guild, Interaction, Message, Role, User, Webhook } from './model.ts';
import { refused } from './rest-fault.ts';

export type Settings = {
  /** Rates are enforced and told in headers; off for tests about something else. */
  rateLimits: boolean;
  /** Requests per second over everything. */
  globalPerSecond: number;
  /** Refused requests (401, 403, 429) in ten minutes after which the address is shut out. */
  invalidRequests: number;
  /** Time to answer an interaction, and the life of its token. */
  interactionMs: number;
  tokenMs: number;
  heartbeatMs: number;
  /** Heartbeats are acknowledged; off makes a zombie of every connection. */
  acks: boolean;
  /** How long a dropped session can be resumed. */
  resumeMs: number;
  /** Life of a signed link to a file. */
  linkMs: number;
  /** How long a nonce is remembered. */
  nonceMs: number;
  /** Edits to a message older than an hour that are let through, within an hour. */
  oldEdits: number;
  unfurls: boolean;
  unfurlMs: number;
  /** An unfurl writes back the text that it was made for, even where that was edited since, as seen in the wild. */
  unfurlRace: boolean;
  /** Servers from which a single shard is refused. */
  maxGuildsPerShard: number;
  recommendedShards: number;
  maxConcurrency: number;
  /** Identifies that are left today. */
  identifies: number;
  /** Members with names are handed out for a mention of the bot's role as for one of the bot. */
  roleMentionShowsContent: boolean;
  activeThreads: number;
};

export type World = Changes & {
  readonly clock: Clock;
  readonly app: App;
  readonly settings: Settings;
  readonly users: Map<string, User>;
  readonly guilds: Map<string, Guild>;
  readonly channels: Map<string, Channel>;
  /** In the order in which they were written. */
  readonly messages: Map<string, Message>;
  readonly interactions: Map<string, Interaction>;
  readonly webhooks: Map<string, Webhook>;
  /** Files that came with a command. */
  readonly uploads: Map<string, Attachment>;
  /** Who types where, until when. */
  readonly typing: { readonly channel: string; readonly user: string; readonly until: number }[];
  readonly faults: Fault[];
  readonly calls: Call[];
  readonly frames: Frame[];
  /** Times of refused requests, for the ban. */
  readonly invalid: number[];
  /** The address of the stand-in, without a slash at the end. */
  baseUrl: string;
  /** A new snowflake for now; later ones are greater. */
  readonly newId: () => string;
};

const EPOCH = 1_420_070_400_000n;

/** The time that an id tells of. */
export const timeOf = (id: string): number => Number((BigInt(id) >> 22n) + EPOCH);

export const newToken = (id: string): string =>
  `${Buffer.from(id).toString('base64url')}.${randomBytes(4).toString('base64url')}.${randomBytes(27).toString('base64url')}`;

export const BOT = '1000000000000000001';

export const createWorld = (): World => {
  const clock = createClock();
  let last = 0n;
  return {
    clock,
    app: {
      id: BOT,
      name: 'Hektor',
      token: newToken(BOT),
      publicKey: randomBytes(32).toString('hex'),
      messageContent: true,
      guildMembers: false,
      presence: false,
      botPublic: true,
      commands: [],
      commandCreates: [],
      installedBy: new Set(),
    },
    settings: {
      rateLimits: true,
      globalPerSecond: 50,
      invalidRequests: 10_000,
      interactionMs: 3000,
      tokenMs: 15 * 60_000,
      heartbeatMs: 41_250,
      acks: true,
      resumeMs: 5 * 60_000,
      linkMs: 24 * 3_600_000,
      nonceMs: 5 * 60_000,
      oldEdits: 3,
      unfurls: true,
      unfurlMs: 300,
      unfurlRace: true,
      maxGuildsPerShard: 2500,
      recommendedShards: 1,
      maxConcurrency: 1,
      identifies: 1000,
      roleMentionShowsContent: false,
      activeThreads: 1000,
    },
    users: new Map(),
    guilds: new Map(),
    channels: new Map(),
    messages: new Map(),
    interactions: new Map(),
    webhooks: new Map(),
    uploads: new Map(),
    typing: [],
    faults: [],
    calls: [],
    frames: [],
    invalid: [],
    baseUrl: '',
    ...createChanges(),
    newId: () => {
      const now = (BigInt(clock.now()) - EPOCH) << 22n;
      last = now > last ? now : last + 1n;
      return String(last);
    },
  };
};

export const channelAt = (world: World, id: string | null): Channel | null => {
  const found = id === null ? undefined : world.channels.get(id);
  return found === undefined || found.deleted ? null : found;
};

export const messageAt = (world: World, channel: string, id: string): Message | null => {
  const found = world.messages.get(id);
  return found === undefined || found.deleted || found.channel !== channel ? null : found;
};

/** Oldest first; without the ones that only one person sees. */
export const messagesIn = (world: World, channel: string): readonly Message[] =>
  [...world.messages.values()]
    .filter((one) => one.channel === channel && !one.deleted && one.onlyFor === null)
    .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));

export const guildOf = (world: World, id: string | null): Guild | null => (id === null ? null : (world.guilds.get(id) ?? null));

export const userOf = (world: World, id: string): User => {
  const found = world.users.get(id);
  if (found === undefined) throw refused(10013);
  return found;
};

export const botRole = (world: World, guild: Guild): Role | null =>
  [...guild.roles.values()].find((one) => one.botId === world.app.id) ?? null;

/** The bot is a member of the place itself, not only called in by somebody's own installation. */
export const botIsIn = (world: World, channel: Channel): boolean =>
  channel.guild === null ? channel.recipients.includes(world.app.id) : (guildOf(world, channel.guild)?.members.has(world.app.id) ?? false);
