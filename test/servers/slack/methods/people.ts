/** `auth.*`, `users.*`, `bots.info`, `team.info`, `reactions.*`. */
import { botOf, channelOf, needScope, needTeam } from '../call.ts';
import type { Call, Handler } from '../call.ts';
import { ApiFault } from '../fault.ts';
import { personShape } from '../shapes.ts';
import { messageAt } from '../world.ts';

export const test: Handler = (call) => {
  const { team, enterprise, botUser, botId } = botOf(call);
  const workspace = call.world.workspaces.get(team ?? call.team);
  return {
    url: `${call.world.baseUrl}/`,
    team: workspace?.name,
    user: call.world.people.get(botUser)?.name,
    ...(team === null ? {} : { team_id: team }),
    user_id: botUser,
    bot_id: botId,
    ...(enterprise === null ? {} : { enterprise_id: enterprise }),
    is_enterprise_install: team === null,
  };
};

export const revoke: Handler = (call) => {
  botOf(call).state = 'revoked';
  return { revoked: true };
};

/** People of a connected organisation are known to the extent of their profile. */
export const info: Handler = (call) => {
  needScope(call, 'users:read');
  const person = call.world.people.get(call.args.need('user', 'user_not_found'));
  if (person === undefined) throw new ApiFault('user_not_found');
  const foreign = person.team !== call.team;
  const shared = [...call.world.channels.values()].some((one) => one.connected.includes(person.team));
  if (foreign && !shared) throw new ApiFault('user_not_visible');
  return { user: { ...personShape(person), ...(foreign ? { is_stranger: true } : {}) } };
};

export const list: Handler = (call) => {
  needScope(call, 'users:read');
  needTeam(call);
  return {
    members: [...call.world.people.values()].filter((one) => one.team === call.team).map(personShape),
    cache_ts: Math.floor(call.world.clock.now() / 1000),
    response_metadata: { next_cursor: '' },
  };
};

export const botInfo: Handler = (call) => {
  needScope(call, 'users:read');
  const id = call.args.need('bot', 'bot_not_found');
  const person = [...call.world.people.values()].find((one) => one.bot?.botId === id);
  if (person === undefined || person.bot === null) throw new ApiFault('bot_not_found');
  return {
    bot: { id, deleted: false, name: person.realName, updated: 1_796_000_000, app_id: person.bot.appId, user_id: person.id, icons: {} },
  };
};

export const team: Handler = (call) => {
  needScope(call, 'team:read');
  const workspace = call.world.workspaces.get(call.args.text('team') ?? call.team);
  if (workspace === undefined) throw new ApiFault('team_not_found');
  return {
    team: {
      id: workspace.id,
      name: workspace.name,
      domain: workspace.domain,
      ...(workspace.enterprise === null ? {} : { enterprise_id: workspace.enterprise }),
    },
  };
};

const reacted = (call: Call): { readonly users: Set<string>; readonly bot: string; readonly drop: () => void } => {
  const channel = channelOf(call);
  const message = messageAt(call.world, channel.id, call.args.need('timestamp', 'message_not_found'));
  if (message === null) throw new ApiFault('message_not_found');
  const name = call.args.need('name', 'invalid_name');
  if (!/^[a-z0-9_+'-]+(::skin-tone-\d)?$/.test(name)) throw new ApiFault('invalid_name');
  const users = message.reactions.get(name) ?? new Set();
  message.reactions.set(name, users);
  return {
    users,
    bot: botOf(call).botUser,
    drop: () => {
      if (users.size === 0) message.reactions.delete(name);
      call.world.changed();
    },
  };
};

export const addReaction: Handler = (call) => {
  const { users, bot, drop } = reacted(call);
  if (users.has(bot)) throw new ApiFault('already_reacted');
  users.add(bot);
  drop();
  return {};
};

export const removeReaction: Handler = (call) => {
  const { users, bot, drop } = reacted(call);
  const was = users.delete(bot);
  drop();
  if (!was) throw new ApiFault('no_reaction');
  return {};
};

export const getReactions: Handler = (call) => {
  const channel = channelOf(call);
  const message = messageAt(call.world, channel.id, call.args.need('timestamp', 'message_not_found'));
  if (message === null) throw new ApiFault('message_not_found');
  return {
    type: 'message',
    channel: channel.id,
    message: { ts: message.ts, reactions: [...message.reactions].map(([name, users]) => ({ name, count: users.size, users: [...users] })) },
  };
};
