/** What a method of the Web API is given, and the checks that many of them share. */
import type { Args } from './args.ts';
import { ApiFault, invalid } from './fault.ts';
import type { Events } from './events.ts';
import type { Channel, ChannelKind, Installation, Json, Message } from './model.ts';
import type { Posting } from './posting.ts';
import type { SocketMode } from './socket-mode.ts';
import { messageAt } from './world.ts';
import type { World } from './world.ts';

/** The running parts of the stand-in. */
export type Parts = { readonly world: World; readonly posting: Posting; readonly events: Events; readonly socket: SocketMode };

export type Call = Parts & {
  readonly method: string;
  readonly args: Args;
  /** Whose token it is; null for methods that take another one or none. */
  readonly installation: Installation | null;
  /** The workspace the call is about. */
  readonly team: string;
};

/** What a method answers beside `ok: true`. */
export type Handler = (call: Call) => Json | Promise<Json>;

export const botOf = (call: Call): Installation => {
  if (call.installation === null) throw new ApiFault('not_allowed_token_type');
  return call.installation;
};

/** Methods about one workspace want to be told which, where the token is a whole organisation's. */
export const needTeam = (call: Call): void => {
  if (botOf(call).team === null && call.args.text('team_id') === null) throw invalid('missing_argument', 'missing required field: team_id');
};

export const needScope = (call: Call, scope: string): void => {
  const { scopes } = botOf(call);
  if (!scopes.includes(scope)) throw new ApiFault('missing_scope', { needed: scope, provided: scopes.join(',') });
};

const PREFIX: Readonly<Record<ChannelKind, string>> = { channel: 'channels', group: 'groups', im: 'im', mpim: 'mpim' };

export const needChannelScope = (call: Call, channel: Channel, what: 'history' | 'read'): void =>
  needScope(call, `${PREFIX[channel.kind]}:${what}`);

/** The channel that the call names, as far as the bot can know of it: private ones only from inside. */
export const channelOf = (call: Call, name = 'channel'): Channel => {
  const id = call.args.need(name, 'channel_not_found');
  const channel = call.world.channels.get(id);
  const { team, botUser } = botOf(call);
  if (channel === undefined) throw new ApiFault('channel_not_found');
  if (team !== null && ![channel.team, ...channel.connected].includes(team)) throw new ApiFault('channel_not_found');
  if (channel.kind !== 'channel' && !channel.members.has(botUser)) throw new ApiFault('channel_not_found');
  return channel;
};

/** A channel to write into: `D…` ids and, as `chat.postMessage` allows, the id of a person. */
export const channelToWrite = (call: Call): Channel => {
  const id = call.args.need('channel', 'channel_not_found');
  const channel = /^[UW]/.test(id) ? directChannel(call, id) : channelOf(call);
  if (channel.archived) throw new ApiFault('is_archived');
  if (!channel.members.has(botOf(call).botUser)) throw new ApiFault('not_in_channel');
  return channel;
};

/** The direct channel between the bot and a person; made where there is none. */
export const directChannel = (call: Call, user: string): Channel => openDirect(call.world, botOf(call), user);

export const openDirect = (world: World, { botUser }: Installation, user: string): Channel => {
  const person = world.people.get(user);
  if (person === undefined) throw new ApiFault('user_not_found');
  const there = [...world.channels.values()].find((one) => one.kind === 'im' && one.members.has(botUser) && one.members.has(user));
  if (there !== undefined) return there;
  const id = user === 'U01ALICE' && !world.channels.has('D01ALICE') ? 'D01ALICE' : world.newId('D');
  const channel: Channel = {
    id,
    team: person.team,
    name: person.name,
    kind: 'im',
    members: new Set([botUser, user]),
    archived: false,
    connected: [],
  };
  world.channels.set(id, channel);
  return channel;
};

/** The thread that a call names. A reply's ts is taken for its thread, as Slack does, so that the mistake shows in the result. */
export const threadOf = (call: Call, channel: Channel, fault: string): string | null => {
  const ts = call.args.text('thread_ts');
  if (ts === null) return null;
  if (!/^\d+\.\d{6}$/.test(ts)) throw new ApiFault(fault);
  const root = messageAt(call.world, channel.id, ts);
  if (root === null) throw new ApiFault(fault);
  return ts;
};

export const ownMessage = (call: Call, channel: Channel, otherwise: string): Message => {
  const found = messageAt(call.world, channel.id, call.args.need('ts', 'message_not_found'));
  if (found === null) throw new ApiFault('message_not_found');
  if (found.user !== botOf(call).botUser) throw new ApiFault(otherwise);
  return found;
};
