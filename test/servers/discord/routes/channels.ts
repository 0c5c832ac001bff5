/** Routes of channels: look, rename, delete, type, permissions. */
import { ChannelType } from '../numbers.ts';
import { numberIn, textIn } from '../json.ts';
import type { Channel } from '../model.ts';
import { may, need, P } from '../permissions.ts';
import { tooMany } from '../rate-limits.ts';
import type { Request } from '../request.ts';
import { badChoice, badLength, invalidForm, refused } from '../rest-fault.ts';
import { channelShape } from '../shapes.ts';
import { channelOf } from './reach.ts';
import { route } from './route.ts';

export const ARCHIVE_MINUTES = [60, 1440, 4320, 10_080];

/** A name as Discord keeps it: trimmed, at least one character, at most a hundred. */
export const nameIn = (request: Request): string => {
  const name = textIn(request.body, 'name').trim();
  if (name.length === 0 || name.length > 100) throw invalidForm(badLength('name', 1, 100));
  return name;
};

export const archiveMinutes = (request: Request, otherwise: number): number => {
  const value = request.body['auto_archive_duration'];
  if (value === undefined || value === null) return otherwise;
  if (!ARCHIVE_MINUTES.includes(Number(value))) throw invalidForm(badChoice('auto_archive_duration', ARCHIVE_MINUTES));
  return Number(value);
};

/** Times at which a channel got another name or topic: twice in ten minutes goes through. Documented nowhere, met by everybody. */
const renames = new WeakMap<Channel, number[]>();
const countRename = ({ world }: Request, channel: Channel): void => {
  if (!world.settings.rateLimits) return;
  const now = world.clock.now();
  const recent = (renames.get(channel) ?? []).filter((at) => at > now - 600_000);
  if (recent.length >= 2) throw tooMany(((recent[0] ?? now) + 600_000 - now) / 1000, 'shared');
  renames.set(channel, [...recent, now]);
};

const editThread = (request: Request, channel: Channel): void => {
  const { world, body } = request;
  const { thread } = channel;
  if (thread === null) return;
  const manages = may(world, channel, world.app.id, P.ManageThreads);
  const opens = body['archived'] === false;
  if (thread.archived && !opens) throw refused(50083);
  if (thread.locked && !manages) throw refused(50013);
  const own = thread.owner === world.app.id;
  // Whoever may write in a thread may also open it again; everything else is for its owner and for those who manage threads.
  const onlyOpens = opens && Object.keys(body).every((name) => name === 'archived');
  if (!own && !manages && !onlyOpens) throw refused(50013);
  if (typeof body['locked'] === 'boolean') {
    if (!manages) throw refused(50013);
    thread.locked = body['locked'];
  }
  if (typeof body['archived'] === 'boolean') {
    thread.archived = body['archived'];
    thread.archivedAt = world.clock.now();
  }
  if (typeof body['invitable'] === 'boolean') thread.invitable = body['invitable'];
  if (Array.isArray(body['applied_tags'])) thread.tags = body['applied_tags'].map(String);
  thread.autoArchiveMinutes = archiveMinutes(request, thread.autoArchiveMinutes);
};

const editChannel = (request: Request) => {
  const { world, body, events } = request;
  const channel = channelOf(request);
  if (channel.guild === null) throw refused(50003);
  if (channel.thread === null) need(world, channel, world.app.id, P.ManageChannels);
  const name = body['name'] === undefined ? channel.name : nameIn(request);
  const topic = body['topic'] === undefined ? channel.topic : textIn(body, 'topic');
  if ((topic ?? '').length > 1024) throw invalidForm(badLength('topic', 0, 1024));
  if (name !== channel.name || topic !== channel.topic) countRename(request, channel);
  editThread(request, channel);
  channel.name = name;
  channel.topic = topic;
  channel.slowmodeSeconds = numberIn(body, 'rate_limit_per_user', channel.slowmodeSeconds);
  if (channel.thread === null) events.channelUpdated(channel);
  else events.threadUpdated(channel);
  return channelShape(world, channel);
};

/** Removes a channel with its threads and all that was said there. */
export const removeChannel = ({ world, events }: Pick<Request, 'world' | 'events'>, channel: Channel): void => {
  for (const one of world.channels.values()) if (one.parent === channel.id && !one.deleted && one.thread !== null) one.deleted = true;
  if (channel.thread === null) events.channelDeleted(channel);
  else events.threadDeleted(channel);
  channel.deleted = true;
  world.changed();
};

const deleteChannel = (request: Request) => {
  const channel = channelOf(request);
  const shape = channelShape(request.world, channel);
  if (channel.type === ChannelType.DM) return shape;
  need(request.world, channel, request.world.app.id, channel.thread === null ? P.ManageChannels : P.ManageThreads);
  removeChannel(request, channel);
  return shape;
};

const type = (request: Request): undefined => {
  const { world, events } = request;
  const channel = channelOf(request);
  need(world, channel, world.app.id, P.SendMessages);
  const until = world.clock.now() + 10_000;
  const at = world.typing.findIndex((one) => one.channel === channel.id && one.user === world.app.id);
  if (at >= 0) world.typing.splice(at, 1);
  world.typing.push({ channel: channel.id, user: world.app.id, until });
  world.clock.after(10_000, world.changed);
  events.typing(channel, world.app.id);
  return undefined;
};

export const channelRoutes = [
  route('GET', '/channels/:channel', (request) => channelShape(request.world, channelOf(request))),
  route('PATCH', '/channels/:channel', editChannel, { limit: 10, windowMs: 10_000 }),
  route('DELETE', '/channels/:channel', deleteChannel),
  route('POST', '/channels/:channel/typing', type, { limit: 5, windowMs: 5000 }),
];
