/** The state of the stand-in, and the few ways in which it is looked up. */
import { randomBytes } from 'node:crypto';
import { createClock } from '../support/clock.ts';
import type { Clock } from '../support/clock.ts';
import { ApiFault } from './fault.ts';
import type {
  AgentSession,
  App,
  Channel,
  Ephemeral,
  Installation,
  Message,
  Person,
  SentCall,
  Sent,
  SlackFile,
  View,
  Workspace,
} from './model.ts';
import { createChanges } from '../support/changes.ts';
import type { Changes } from '../support/changes.ts';
import { createLimits } from './rate-limits.ts';
import type { Limits } from './rate-limits.ts';
import type { Fault } from './injected.ts';

export type ResponseUrl = {
  readonly channel: string;
  readonly user: string;
  readonly threadTs: string | null;
  /** The message whose button was pressed, where there was one. */
  readonly message: { readonly ts: string; readonly ephemeral: boolean } | null;
  readonly expiresAt: number;
  left: number;
};

export type Trigger = { readonly user: string; readonly team: string; readonly expiresAt: number; used: boolean };

export type Settings = {
  /** Rates are enforced as the fact sheet gives them; off for tests about something else. */
  rateLimits: boolean;
  ackTimeoutMs: number;
  /** Before the first, second and third repetition. */
  retryDelaysMs: readonly number[];
  /** How long a shared file is being processed before its message appears. */
  fileShareDelayMs: number;
  /** Repeats come with the first envelope's id and `retry_attempt: 0`, as seen in live workspaces. */
  repeatEnvelopeIds: boolean;
  pings: boolean;
  /** Milliseconds for which a trigger opens a modal. */
  triggerMs: number;
  streamMs: number;
  eventsPerHour: number;
  /** Deliveries in an hour below which failures do not switch the subscription off. */
  eventsBeforeDisabling: number;
  /** Posting a link makes Slack attach a preview after a moment, unless the message says no. */
  unfurls: boolean;
};

export type World = Changes & {
  readonly clock: Clock;
  readonly app: App;
  readonly settings: Settings;
  readonly limits: Limits;
  readonly workspaces: Map<string, Workspace>;
  readonly people: Map<string, Person>;
  readonly channels: Map<string, Channel>;
  readonly messages: Message[];
  readonly ephemerals: Ephemeral[];
  readonly files: Map<string, SlackFile>;
  readonly installations: Installation[];
  readonly views: Map<string, View>;
  readonly sessions: Map<string, AgentSession>;
  readonly responseUrls: Map<string, ResponseUrl>;
  readonly triggers: Map<string, Trigger>;
  readonly codes: Map<string, { readonly team: string; readonly scopes: string[]; readonly redirectUri: string }>;
  readonly faults: Fault[];
  readonly calls: SentCall[];
  readonly sent: Sent[];
  /** The address of the stand-in, without a slash at the end. */
  baseUrl: string;
  readonly newTs: () => string;
  readonly newId: (prefix: string) => string;
};

const BOT_EVENTS =
  'app_mention message.channels message.groups message.im message.mpim app_home_opened agent_session_stopped agent_session_title_changed member_joined_channel reaction_added channel_archive group_archive channel_rename channel_id_changed app_uninstalled tokens_revoked assistant_thread_started assistant_thread_context_changed';

/** Every scope that the app's manifest asks for. */
export const ALL_SCOPES: readonly string[] =
  'app_mentions:read assistant:write chat:write commands channels:history groups:history im:history mpim:history channels:read groups:read im:read mpim:read im:write channels:join files:read files:write reactions:read reactions:write users:read team:read'.split(
    ' ',
  );

export const createWorld = (): World => {
  const clock = createClock();
  let lastMicros = 0;
  let count = 0;
  return {
    clock,
    app: {
      id: 'A01APP',
      name: 'Hektor',
      clientId: '111.222',
      clientSecret: 'client-secret-of-the-stand-in',
      signingSecret: randomBytes(16).toString('hex'),
      verificationToken: 'x',
      appToken: `xapp-1-A01APP-1-${randomBytes(8).toString('hex')}`,
      transport: 'socket',
      requestUrl: '',
      events: BOT_EVENTS.split(' '),
      commands: [{ command: '/hektor', shouldEscape: true, description: 'Ask, run code, look at the session' }],
      shortcuts: [
        { callbackId: 'ask_about_message', name: 'Ask about this', type: 'message' },
        { callbackId: 'new_chat', name: 'New chat', type: 'global' },
      ],
      agents: true,
      distribution: 'internal',
      tokenRotation: false,
      linkDisabled: false,
      eventsDisabled: false,
    },
    settings: {
      rateLimits: true,
      ackTimeoutMs: 3000,
      retryDelaysMs: [0, 60_000, 300_000],
      fileShareDelayMs: 300,
      repeatEnvelopeIds: false,
      pings: true,
      triggerMs: 3000,
      streamMs: 300_000,
      eventsPerHour: 30_000,
      eventsBeforeDisabling: 1000,
      unfurls: true,
    },
    limits: createLimits(clock.now),
    workspaces: new Map(),
    people: new Map(),
    channels: new Map(),
    messages: [],
    ephemerals: [],
    files: new Map(),
    installations: [],
    views: new Map(),
    sessions: new Map(),
    responseUrls: new Map(),
    triggers: new Map(),
    codes: new Map(),
    faults: [],
    calls: [],
    sent: [],
    baseUrl: '',
    ...createChanges(),
    newTs: () => {
      lastMicros = Math.max(clock.now() * 1000, lastMicros + 100);
      return `${Math.floor(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, '0')}`;
    },
    newId: (prefix) => {
      count += 1;
      return `${prefix}0${count.toString(36).toUpperCase().padStart(4, '0')}${randomBytes(3).toString('hex').toUpperCase()}`;
    },
  };
};

export const personOf = (world: World, id: string): Person => {
  const found = world.people.get(id);
  if (found === undefined) throw new ApiFault('user_not_found');
  return found;
};

/** A channel by its id, or null. */
export const channelById = (world: World, id: string): Channel | null => world.channels.get(id) ?? null;

export const messageAt = (world: World, channel: string, ts: string): Message | null =>
  world.messages.find((one) => one.channel === channel && one.ts === ts && !one.deleted) ?? null;

export const inThread = (world: World, channel: string, threadTs: string): readonly Message[] =>
  world.messages.filter((one) => one.channel === channel && !one.deleted && (one.ts === threadTs || one.threadTs === threadTs));

/** The installation whose bot is at home in a channel, or has come as a guest of its team (Slack Connect). */
export const installationFor = (world: World, channel: Channel): Installation | null =>
  world.installations.find(
    (one) =>
      one.state === 'active' &&
      channel.members.has(one.botUser) &&
      (one.team === null || [channel.team, ...channel.connected].includes(one.team)),
  ) ?? null;
