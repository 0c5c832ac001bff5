/** Routes about the application, its user, servers and the gateway's address. */
import { isObject, numberIn, textOf } from '../json.ts';
import type { Request } from '../request.ts';
import { invalidForm, refused } from '../rest-fault.ts';
import { channelShape, guildShape, memberShape, roleShape, userShape } from '../shapes.ts';
import { permissionsIn } from '../permissions.ts';
import { guildOf, userOf } from '../world.ts';
import { directChannel } from '../places.ts';
import { route } from './route.ts';

const guild = (request: Request) => {
  const found = guildOf(request.world, request.params['guild'] ?? '');
  if (found === null || found.unavailable) throw refused(10004);
  if (!found.members.has(request.world.app.id)) throw refused(50001);
  return found;
};

const botUser = ({ world }: Request) => ({
  ...userShape(userOf(world, world.app.id)),
  flags: 0,
  mfa_enabled: true,
  verified: true,
  locale: 'en-US',
});

const applicationShape = ({ world }: Request) => ({
  id: world.app.id,
  name: world.app.name,
  icon: null,
  description: '',
  bot_public: world.app.botPublic,
  bot_require_code_grant: false,
  verify_key: world.app.publicKey,
  // The switches of the portal: limited, since no more than a hundred servers have the application.
  flags: (world.app.messageContent ? 1 << 19 : 0) | (world.app.guildMembers ? 1 << 15 : 0) | (world.app.presence ? 1 << 13 : 0),
  bot: userShape(userOf(world, world.app.id)),
  owner: userShape([...world.users.values()].find((one) => !one.bot) ?? userOf(world, world.app.id)),
  team: null,
  hook: true,
  summary: '',
  tags: [],
  integration_types_config: { '0': {}, '1': {} },
  approximate_guild_count: [...world.guilds.values()].filter((one) => one.members.has(world.app.id)).length,
  approximate_user_install_count: world.app.installedBy.size,
  interactions_endpoint_url: null,
});

const memberOf = (request: Request, user: string) => {
  const found = guild(request).members.get(user);
  if (found === undefined) throw refused(10007);
  return { ...memberShape(found), user: userShape(userOf(request.world, user)) };
};

export const placeRoutes = [
  route('GET', '/gateway', ({ world }) => ({ url: `${world.baseUrl.replace('http', 'ws')}/gateway` }), { auth: false }),
  route('GET', '/gateway/bot', ({ world }) => ({
    url: `${world.baseUrl.replace('http', 'ws')}/gateway`,
    shards: world.settings.recommendedShards,
    session_start_limit: {
      total: 1000,
      remaining: world.settings.identifies,
      reset_after: 14_400_000,
      max_concurrency: world.settings.maxConcurrency,
    },
  })),
  route('GET', '/users/@me', botUser),
  route('GET', '/users/@me/guilds', ({ world }) =>
    [...world.guilds.values()]
      .filter((one) => one.members.has(world.app.id))
      .map((one) => ({ id: one.id, name: one.name, icon: null, banner: null, owner: false, permissions: '0', features: [] })),
  ),
  route('POST', '/users/@me/channels', (request) => {
    const id = textOf(request.body['recipient_id']);
    if (!/^\d+$/.test(id)) throw invalidForm({ at: 'recipient_id', code: 'BASE_TYPE_REQUIRED', message: 'This field is required' });
    if (id === request.world.app.id) throw refused(50007);
    userOf(request.world, id);
    return channelShape(request.world, directChannel(request.world, id));
  }),
  route('GET', '/users/:user', (request) => userShape(userOf(request.world, request.params['user'] ?? ''))),
  route('GET', '/applications/@me', applicationShape),
  route('GET', '/oauth2/applications/@me', applicationShape),
  route('GET', '/guilds/:guild', (request) => ({
    ...guildShape(request.world, guild(request)),
    ...(request.query.get('with_counts') === 'true' ? { approximate_member_count: guild(request).members.size } : {}),
  })),
  route('GET', '/guilds/:guild/channels', (request) => {
    const { id } = guild(request);
    return [...request.world.channels.values()]
      .filter((one) => one.guild === id && !one.deleted && one.thread === null)
      .map((one) => channelShape(request.world, one));
  }),
  route('GET', '/guilds/:guild/roles', (request) => [...guild(request).roles.values()].map(roleShape)),
  route('GET', '/guilds/:guild/members/:user', (request) =>
    memberOf(request, request.params['user'] === '@me' ? request.world.app.id : (request.params['user'] ?? '')),
  ),
  route('GET', '/guilds/:guild/members', (request) => {
    if (!request.world.app.guildMembers) throw refused(50001);
    return [...guild(request).members.keys()].slice(0, numberIn(request.body, 'limit', 1000)).map((id) => memberOf(request, id));
  }),
  route('GET', '/guilds/:guild/threads/active', (request) => {
    const { id } = guild(request);
    const { world } = request;
    const threads = [...world.channels.values()].filter(
      (one) =>
        one.guild === id && !one.deleted && one.thread !== null && !one.thread.archived && permissionsIn(world, one, world.app.id) !== 0n,
    );
    return {
      threads: threads.map((one) => channelShape(world, one)),
      members: threads.map((one) => channelShape(world, one)['member']).filter(isObject),
      has_more: false,
    };
  }),
];
