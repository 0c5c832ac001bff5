/** Routes of reactions and pins. */
import { need, P } from '../permissions.ts';
import type { Request } from '../request.ts';
import { refused } from '../rest-fault.ts';
import { channelOf, messageOf } from './reach.ts';
import { route } from './route.ts';

const emoji = (request: Request): string => {
  const name = (request.params['emoji'] ?? '').replace(/:\d+$/, '');
  if (name === '' || /^[a-z]+$/i.test(name)) throw refused(10014);
  return name;
};

const react = (request: Request, add: boolean): undefined => {
  const { world, events } = request;
  const channel = channelOf(request);
  const message = messageOf(request, channel);
  if (channel.thread?.archived === true) throw refused(50083);
  const name = emoji(request);
  const users = message.reactions.get(name) ?? new Set<string>();
  if (add && users.size === 0) need(world, channel, world.app.id, P.AddReactions);
  if (add) need(world, channel, world.app.id, P.ReadMessageHistory);
  if (add) users.add(world.app.id);
  else users.delete(world.app.id);
  if (users.size === 0) message.reactions.delete(name);
  else message.reactions.set(name, users);
  events.reacted(message, world.app.id, name, add);
  return undefined;
};

const pin = (request: Request, pinned: boolean): undefined => {
  const channel = channelOf(request);
  const message = messageOf(request, channel);
  need(request.world, channel, request.world.app.id, P.ManageMessages);
  request.posting.change(message, false, () => (message.pinned = pinned));
  return undefined;
};

const MINE = '/channels/:channel/messages/:message/reactions/:emoji/@me';

export const reactionRoutes = [
  route('PUT', MINE, (request) => react(request, true), { limit: 1, windowMs: 250 }),
  route('DELETE', MINE, (request) => react(request, false), { limit: 1, windowMs: 250 }),
  route('PUT', '/channels/:channel/pins/:message', (request) => pin(request, true)),
  route('DELETE', '/channels/:channel/pins/:message', (request) => pin(request, false)),
  route('PUT', '/channels/:channel/messages/pins/:message', (request) => pin(request, true)),
  route('DELETE', '/channels/:channel/messages/pins/:message', (request) => pin(request, false)),
];
