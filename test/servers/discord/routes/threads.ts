/** Routes of threads: open from a message, on their own or as a forum's post; join, leave, list. */
import { ChannelType } from '../numbers.ts';
import { isObject, numberIn } from '../json.ts';
import type { Channel } from '../model.ts';
import { need, P, permissionsIn } from '../permissions.ts';
import { objectOf } from '../request.ts';
import type { Request } from '../request.ts';
import { badChoice, invalidForm, refused, required } from '../rest-fault.ts';
import { channelShape, isForum, messageShape, threadMember } from '../shapes.ts';
import { channelAt, messageAt } from '../world.ts';
import { archiveMinutes, nameIn } from './channels.ts';
import { createMessage } from '../write-message.ts';
import { channelOf } from './reach.ts';
import { route } from './route.ts';

/** The flag of a forum whose posts must have a tag. */
const REQUIRE_TAG = 1 << 4;

const checkRoom = ({ world }: Request, parent: Channel): void => {
  const active = [...world.channels.values()].filter(
    (one) => one.guild === parent.guild && one.thread !== null && !one.thread.archived && !one.deleted,
  );
  if (active.length >= world.settings.activeThreads) throw refused(160006);
};

const fromMessage = (request: Request) => {
  const { world, posting, params } = request;
  const parent = channelOf(request);
  if (parent.type !== ChannelType.GuildText && parent.type !== ChannelType.GuildAnnouncement) throw refused(50024);
  const message = messageAt(world, parent.id, params['message'] ?? '');
  if (message === null) throw refused(10008);
  need(world, parent, world.app.id, P.CreatePublicThreads | P.ReadMessageHistory);
  if (channelAt(world, message.id) !== null) throw refused(160004);
  if (![0, 19, 20, 23].includes(message.type)) throw refused(50021);
  const name = nameIn(request);
  const autoArchiveMinutes = archiveMinutes(request, 4320);
  checkRoom(request, parent);
  const thread = posting.openThread({
    parent,
    owner: world.app.id,
    name,
    type: parent.type === ChannelType.GuildAnnouncement ? ChannelType.AnnouncementThread : ChannelType.PublicThread,
    from: message,
    autoArchiveMinutes,
    slowmodeSeconds: numberIn(request.body, 'rate_limit_per_user'),
  });
  posting.markThread(thread, message);
  return channelShape(world, thread);
};

const forumPost = (request: Request, parent: Channel) => {
  const { world, body, posting } = request;
  const name = nameIn(request);
  if (!isObject(body['message']) && request.files.length === 0) throw invalidForm(required('message'));
  need(world, parent, world.app.id, P.SendMessages);
  const tags = Array.isArray(body['applied_tags']) ? body['applied_tags'].map(String) : [];
  if (tags.length > 5) throw invalidForm({ at: 'applied_tags', code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be 5 or fewer in length.' });
  if (tags.some((id) => !parent.tags.some((tag) => tag.id === id)))
    throw invalidForm({ at: 'applied_tags', code: 'INVALID_FORUM_TAG', message: 'Unknown tag' });
  if ((parent.flags & REQUIRE_TAG) !== 0 && tags.length === 0) throw refused(40067);
  checkRoom(request, parent);
  const id = world.newId();
  const autoArchiveMinutes = archiveMinutes(request, 4320);
  const inner = { ...request, body: objectOf(body['message']) };
  // The post and its first message come into being together or not at all.
  const thread = posting.openThread({ parent, owner: world.app.id, name, type: ChannelType.PublicThread, tags, id, autoArchiveMinutes });
  try {
    const message = createMessage(inner, thread, id);
    return { ...channelShape(world, thread), message: messageShape(world, message) };
  } catch (error) {
    thread.deleted = true;
    throw error;
  }
};

const onItsOwn = (request: Request) => {
  const { world, body, posting } = request;
  const parent = channelOf(request);
  if (isForum(parent)) return forumPost(request, parent);
  if (parent.type !== ChannelType.GuildText && parent.type !== ChannelType.GuildAnnouncement) throw refused(50024);
  const name = nameIn(request);
  const type = numberIn(body, 'type', ChannelType.PrivateThread);
  const types = [ChannelType.AnnouncementThread, ChannelType.PublicThread, ChannelType.PrivateThread];
  if (!types.includes(type)) throw invalidForm(badChoice('type', types));
  if (type === ChannelType.PrivateThread && parent.type !== ChannelType.GuildText) throw refused(50024);
  need(world, parent, world.app.id, type === ChannelType.PrivateThread ? P.CreatePrivateThreads : P.CreatePublicThreads);
  const autoArchiveMinutes = archiveMinutes(request, 4320);
  checkRoom(request, parent);
  const thread = posting.openThread({
    parent,
    owner: world.app.id,
    name,
    type,
    autoArchiveMinutes,
    invitable: body['invitable'] !== false,
  });
  posting.markThread(thread, null);
  return channelShape(world, thread);
};

const threadOf = (request: Request): Channel => {
  const channel = channelOf(request);
  if (channel.thread === null) throw refused(50024);
  return channel;
};

const addMember = (request: Request): undefined => {
  const channel = threadOf(request);
  if (channel.thread?.archived === true) throw refused(50083);
  const user = request.params['user'] === '@me' ? request.world.app.id : (request.params['user'] ?? '');
  if (!request.world.users.has(user)) throw refused(10013);
  if (user !== request.world.app.id) need(request.world, channel, request.world.app.id, P.SendMessages);
  request.posting.joinThread(channel, user);
  return undefined;
};

const archived = (kind: number) => (request: Request) => {
  const { world } = request;
  const parent = channelOf(request);
  need(world, parent, world.app.id, P.ReadMessageHistory);
  const threads = [...world.channels.values()].filter(
    (one) =>
      one.parent === parent.id &&
      !one.deleted &&
      one.thread?.archived === true &&
      (one.type === ChannelType.PrivateThread) === (kind === ChannelType.PrivateThread) &&
      permissionsIn(world, one, world.app.id) !== 0n,
  );
  return { threads: threads.map((one) => channelShape(world, one)), members: [], has_more: false };
};

export const threadRoutes = [
  route('POST', '/channels/:channel/messages/:message/threads', fromMessage),
  route('POST', '/channels/:channel/threads', onItsOwn, { status: 201 }),
  route('GET', '/channels/:channel/threads/archived/public', archived(ChannelType.PublicThread)),
  route('GET', '/channels/:channel/threads/archived/private', archived(ChannelType.PrivateThread)),
  route('PUT', '/channels/:channel/thread-members/:user', addMember),
  route('DELETE', '/channels/:channel/thread-members/:user', (request) => {
    const channel = threadOf(request);
    channel.thread?.members.delete(request.params['user'] === '@me' ? request.world.app.id : (request.params['user'] ?? ''));
    request.world.changed();
    return undefined;
  }),
  route('GET', '/channels/:channel/thread-members', (request) => {
    const channel = threadOf(request);
    return [...(channel.thread?.members ?? [])].map((user) => threadMember(request.world, channel.id, user));
  }),
  route('GET', '/channels/:channel/thread-members/:user', (request) => {
    const channel = threadOf(request);
    const user = request.params['user'] === '@me' ? request.world.app.id : (request.params['user'] ?? '');
    if (channel.thread?.members.has(user) !== true) throw refused(10007);
    return threadMember(request.world, channel.id, user);
  }),
];
