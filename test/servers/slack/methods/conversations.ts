/** `conversations.*`: reading channels and threads, and going into them. */
import { botOf, channelOf, needChannelScope, needScope, needTeam, openDirect } from '../call.ts';
import type { Call, Handler } from '../call.ts';
import { ApiFault, invalid } from '../fault.ts';
import type { Channel, Json, Message } from '../model.ts';
import { channelShape, messageShape } from '../shapes.ts';
import { inThread } from '../world.ts';

const readable = (call: Call): Channel => {
  const channel = channelOf(call);
  needChannelScope(call, channel, 'history');
  if (!channel.members.has(botOf(call).botUser)) throw new ApiFault('not_in_channel');
  return channel;
};

/** Apps that are distributed outside the Marketplace read one page of 15 a minute. */
const mostOnPage = (call: Call, usual: number): number => {
  if (call.world.app.distribution !== 'unlisted') return usual;
  if (call.world.settings.rateLimits) call.world.limits.take(`${call.method} ${call.team} unlisted`, 1, 60_000);
  return 15;
};

const offsetOf = (call: Call): number => {
  const cursor = call.args.text('cursor');
  if (cursor === null) return 0;
  const at = Number(Buffer.from(cursor, 'base64').toString('utf8').replace('next:', ''));
  if (!Number.isInteger(at)) throw new ApiFault('invalid_cursor');
  return at;
};

const page = (call: Call, all: readonly Message[], most: number): Json => {
  const limit = Math.max(1, Math.min(most, call.args.number('limit', Math.min(most, 100))));
  const from = offsetOf(call);
  const shown = all.slice(from, from + limit);
  const more = from + limit < all.length;
  const metadata = call.args.flag('include_all_metadata', false);
  return {
    messages: shown.map((one) => messageShape(call.world, one, metadata)),
    has_more: more,
    ...(more ? { response_metadata: { next_cursor: Buffer.from(`next:${from + limit}`).toString('base64') } } : {}),
  };
};

const between = (call: Call, messages: readonly Message[]): readonly Message[] => {
  const inclusive = call.args.flag('inclusive', false);
  const oldest = call.args.text('oldest');
  const latest = call.args.text('latest');
  return messages.filter(
    ({ ts }) =>
      (oldest === null || ts > oldest || (inclusive && ts === oldest)) && (latest === null || ts < latest || (inclusive && ts === latest)),
  );
};

/** The root first, then the replies, oldest first; the root is on every first page. */
export const replies: Handler = (call) => {
  const channel = readable(call);
  const ts = call.args.need('ts', 'thread_not_found');
  const most = mostOnPage(call, 1000);
  const asked = call.world.messages.find((one) => one.channel === channel.id && one.ts === ts);
  if (asked === undefined) throw new ApiFault('thread_not_found');
  const thread = inThread(call.world, channel.id, asked.threadTs ?? ts);
  const [root, ...rest] = thread;
  return page(call, root?.ts === ts ? [root, ...between(call, rest)] : between(call, thread), most);
};

/** Newest first, without the replies in threads. */
export const history: Handler = (call) => {
  const channel = readable(call);
  const most = mostOnPage(call, 999);
  const all = call.world.messages.filter((one) => one.channel === channel.id && !one.deleted && (one.threadTs === null || one.broadcast));
  return page(call, between(call, all).toReversed(), most);
};

export const info: Handler = (call) => {
  const channel = channelOf(call);
  needChannelScope(call, channel, 'read');
  return { channel: channelShape(call.world, channel, botOf(call).botUser) };
};

export const members: Handler = (call) => {
  const channel = channelOf(call);
  needChannelScope(call, channel, 'read');
  return { members: [...channel.members], response_metadata: { next_cursor: '' } };
};

export const list: Handler = (call) => {
  const types = (call.args.text('types') ?? 'public_channel').split(',');
  const kinds: Readonly<Record<Channel['kind'], string>> = { channel: 'public_channel', group: 'private_channel', im: 'im', mpim: 'mpim' };
  const { botUser } = botOf(call);
  needScope(call, 'channels:read');
  needTeam(call);
  return {
    channels: [...call.world.channels.values()]
      .filter((one) => one.team === call.team && types.includes(kinds[one.kind]) && (one.kind === 'channel' || one.members.has(botUser)))
      .map((one) => channelShape(call.world, one, botUser)),
    response_metadata: { next_cursor: '' },
  };
};

export const open: Handler = (call) => {
  needScope(call, 'im:write');
  const users = (call.args.text('users') ?? '').split(',').filter((id) => id !== '');
  if (users.length !== 1)
    throw users.length === 0 ? new ApiFault('users_list_not_supplied') : invalid('invalid_arguments', 'one user at a time');
  const channel = openDirect(call.world, botOf(call), users[0] ?? '');
  return { channel: call.args.flag('return_im', false) ? channelShape(call.world, channel, botOf(call).botUser) : { id: channel.id } };
};

export const join: Handler = (call) => {
  const channel = channelOf(call);
  if (channel.kind !== 'channel') throw new ApiFault('method_not_supported_for_channel_type');
  if (channel.archived) throw new ApiFault('is_archived');
  const already = channel.members.has(botOf(call).botUser);
  channel.members.add(botOf(call).botUser);
  call.world.changed();
  return { channel: channelShape(call.world, channel, botOf(call).botUser), ...(already ? { warning: 'already_in_channel' } : {}) };
};

export const leave: Handler = (call) => {
  const channel = channelOf(call);
  if (!channel.members.delete(botOf(call).botUser)) return { not_in_channel: true };
  call.world.changed();
  return {};
};
