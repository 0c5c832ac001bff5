/** Routes of messages: write, read, edit, delete. */
import { numberIn } from '../json.ts';
import type { Channel, Json, Message } from '../model.ts';
import { may, need, P } from '../permissions.ts';
import type { Request } from '../request.ts';
import { invalidForm, refused } from '../rest-fault.ts';
import { messageShape } from '../shapes.ts';
import { messageAt, messagesIn, timeOf } from '../world.ts';
import { applyEdit, createMessage } from '../write-message.ts';
import { channelOf, messageOf, shown } from './reach.ts';
import { route } from './route.ts';

const editMessage = (request: Request): Json => {
  const { world } = request;
  const channel = channelOf(request);
  const message = messageOf(request, channel);
  if (channel.thread?.archived === true) throw refused(50083);
  if (message.author !== world.app.id || (message.webhook !== null && message.webhook !== world.app.id)) {
    const onlyFlags = Object.keys(request.body).every((name) => name === 'flags');
    if (!onlyFlags) throw refused(50005);
    need(world, channel, world.app.id, P.ManageMessages);
    request.posting.change(message, false, () => (message.flags = (message.flags & ~4) | (numberIn(request.body, 'flags') & 4)));
    return shown(request, message);
  }
  const hour = 3_600_000;
  const now = world.clock.now();
  if (now - message.at > hour) {
    const old = world.calls.filter(
      (one) =>
        one.method === 'PATCH' &&
        one.status === 200 &&
        one.at > now - hour &&
        one.path.endsWith(`/messages/${message.id}`) &&
        one.at - message.at > hour,
    );
    if (old.length >= world.settings.oldEdits) throw refused(30046);
  }
  return messageShape(world, applyEdit(request, channel, message, false));
};

const listMessages = (request: Request): readonly Json[] => {
  const { world, query } = request;
  const channel = channelOf(request);
  const limit = Number(query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw invalidForm({ at: 'limit', code: 'NUMBER_TYPE_MAX', message: 'int value should be less than or equal to 100.' });
  if (channel.guild !== null && !may(world, channel, world.app.id, P.ReadMessageHistory)) return [];
  const newest = messagesIn(world, channel.id).toReversed();
  const [after, before, around] = [query.get('after'), query.get('before'), query.get('around')].map((id) =>
    id === null ? null : BigInt(id),
  );
  if (after !== null && after !== undefined)
    return newest
      .filter((one) => BigInt(one.id) > after)
      .slice(-limit)
      .map((one) => shown(request, one));
  if (around !== null && around !== undefined) {
    const at = newest.findIndex((one) => BigInt(one.id) <= around);
    return newest.slice(Math.max(0, at - Math.floor(limit / 2)), at + Math.ceil(limit / 2)).map((one) => shown(request, one));
  }
  return newest
    .filter((one) => before === null || before === undefined || BigInt(one.id) < before)
    .slice(0, limit)
    .map((one) => shown(request, one));
};

const mayDelete = (request: Request, channel: Channel, message: Message): void => {
  if (message.author !== request.world.app.id) need(request.world, channel, request.world.app.id, P.ManageMessages);
};

const ONE = '/channels/:channel/messages/:message';
const WRITE = { limit: 5, windowMs: 5000 };

export const messageRoutes = [
  route('POST', '/channels/:channel/messages', (request) => messageShape(request.world, createMessage(request, channelOf(request))), WRITE),
  route('GET', '/channels/:channel/messages', listMessages),
  route('GET', ONE, (request) => {
    const channel = channelOf(request);
    if (channel.guild !== null) need(request.world, channel, request.world.app.id, P.ReadMessageHistory);
    return shown(request, messageOf(request, channel));
  }),
  route('PATCH', ONE, editMessage, WRITE),
  route(
    'DELETE',
    ONE,
    (request) => {
      const channel = channelOf(request);
      const message = messageOf(request, channel);
      mayDelete(request, channel, message);
      if (channel.thread?.archived === true) throw refused(50083);
      request.posting.remove([message]);
      return undefined;
    },
    WRITE,
  ),
  route('POST', '/channels/:channel/messages/bulk-delete', (request) => {
    const channel = channelOf(request);
    need(request.world, channel, request.world.app.id, P.ManageMessages);
    const given = Array.isArray(request.body['messages']) ? request.body['messages'].map(String) : [];
    if (given.length < 2 || given.length > 100)
      throw invalidForm({ at: 'messages', code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be between 2 and 100 in length.' });
    const twoWeeks = 14 * 24 * 3_600_000;
    if (given.some((id) => request.world.clock.now() - timeOf(id) > twoWeeks)) throw refused(50034);
    request.posting.remove(given.flatMap((id) => messageAt(request.world, channel.id, id) ?? []));
    return undefined;
  }),
];
