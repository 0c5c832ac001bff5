/** The calls of Discord's REST API that Hektor makes, each with what it sends and what is read of the answer. Both halves use these. */
import type {
  APIInteractionResponse,
  RESTPatchAPIChannelMessageJSONBody,
  RESTPostAPIChannelMessageJSONBody,
  RESTPostAPIChannelMessagesThreadsJSONBody,
  RESTPostAPIChannelThreadsJSONBody,
  RESTPostAPIGuildForumThreadsJSONBody,
} from 'discord.js';
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Channel } from '../decode-schema.ts';
import { channelSchema, memberSchema } from '../decode-schema.ts';
import { permittedChannelSchema, permittedRoleSchema } from '../permissions.ts';
import { discordCode, isGone } from './failure.ts';
import type { Rest, RestCall, RestFile } from './rest.ts';

type Asked<T> = Promise<Result<T, Failure>>;
/** How a call is made; see `RestCall`. */
type How = Pick<RestCall, 'patienceMs' | 'timeoutMs' | 'repeat'>;

/** An interaction's id and the token that answers it. */
export type InteractionRef = { readonly id: string; readonly token: string };
/** What follows up on an interaction, for fifteen minutes. */
export type TokenRef = { readonly application: string; readonly token: string };

const sentSchema = z.object({
  id: z.string(),
  channel_id: z.string(),
  content: z.string().default(''),
  embeds: z.array(z.unknown()).default([]),
});
/** What is read of a message that was sent. */
export type Sent = z.infer<typeof sentSchema>;
const nothing = z.unknown();

const applicationSchema = z.object({
  id: z.string(),
  name: z.string().default(''),
  flags: z.number().int().default(0),
  bot_public: z.boolean().default(false),
  integration_types_config: z.record(z.string(), z.unknown()).default({}),
});
const gatewaySchema = z.object({
  shards: z.number().int(),
  session_start_limit: z.object({ total: z.number(), remaining: z.number(), reset_after: z.number() }),
});
const meSchema = z.object({ id: z.string(), username: z.string().default('') });
const guildSchema = z.object({ id: z.string(), name: z.string().default('') });
const commandSchema = z.object({ name: z.string(), type: z.number().default(1) });
const threadsSchema = z.object({ threads: z.array(channelSchema) });

const messagesIn = (channel: string): `/${string}` => `/channels/${channel}/messages`;
const webhook = ({ application, token }: TokenRef, tail = ''): `/${string}` => `/webhooks/${application}/${token}${tail}`;
const filesOf = (files: readonly RestFile[] | undefined): Pick<RestCall, 'files'> => (files === undefined ? {} : { files });

export const createCalls = ({ call, tokenRefused }: Rest) => {
  /** Gone already is as good as removed. */
  const removed = async (path: `/${string}`, how: How & { readonly auth?: boolean } = {}): Asked<void> => {
    const done = await call({ method: 'DELETE', path, ...how }, nothing);
    return done.ok || isGone(done.failure) ? ok(undefined) : done;
  };
  return {
    tokenRefused,

    me: (how: How = {}) => call({ method: 'GET', path: '/users/@me', ...how }, meSchema),
    application: (how: How = {}) => call({ method: 'GET', path: '/applications/@me', ...how }, applicationSchema),
    gateway: (how: How = {}) => call({ method: 'GET', path: '/gateway/bot', ...how }, gatewaySchema),
    guilds: (how: How = {}) => call({ method: 'GET', path: '/users/@me/guilds', query: { limit: '200' }, ...how }, z.array(guildSchema)),

    /** For the doctor: what the bot is allowed in a server, and by which channels. */
    roles: (guild: string, how: How = {}) => call({ method: 'GET', path: `/guilds/${guild}/roles`, ...how }, z.array(permittedRoleSchema)),
    channels: (guild: string, how: How = {}) =>
      call({ method: 'GET', path: `/guilds/${guild}/channels`, ...how }, z.array(permittedChannelSchema)),
    member: (guild: string, user: string, how: How = {}) =>
      call({ method: 'GET', path: `/guilds/${guild}/members/${user}`, ...how }, memberSchema),

    channel: (id: string, how: How = {}): Asked<Channel> => call({ method: 'GET', path: `/channels/${id}`, ...how }, channelSchema),
    /** As raw messages, newest first; at most 100. */
    messages: (channel: string, query: { readonly after?: string; readonly before?: string; readonly limit: number }, how: How = {}) =>
      call(
        {
          method: 'GET',
          path: messagesIn(channel),
          query: {
            limit: String(query.limit),
            ...(query.after === undefined ? {} : { after: query.after }),
            ...(query.before === undefined ? {} : { before: query.before }),
          },
          ...how,
        },
        z.array(z.unknown()),
      ),
    /** A raw message. */
    message: (channel: string, id: string, how: How = {}): Asked<unknown> =>
      call({ method: 'GET', path: `${messagesIn(channel)}/${id}`, ...how }, z.unknown()),
    activeThreads: (guild: string, how: How = {}) =>
      call({ method: 'GET', path: `/guilds/${guild}/threads/active`, ...how }, threadsSchema),

    /** Give the body a `nonce` with `enforce_nonce` and `repeat` where it may be sent again. */
    sendMessage: (channel: string, body: RESTPostAPIChannelMessageJSONBody, files?: readonly RestFile[], how: How = {}): Asked<Sent> =>
      call({ method: 'POST', path: messagesIn(channel), body, ...filesOf(files), ...how }, sentSchema),
    editMessage: (
      channel: string,
      id: string,
      body: RESTPatchAPIChannelMessageJSONBody,
      files?: readonly RestFile[],
      how: How = {},
    ): Asked<Sent> => call({ method: 'PATCH', path: `${messagesIn(channel)}/${id}`, body, ...filesOf(files), ...how }, sentSchema),
    deleteMessage: (channel: string, id: string, how: How = {}) => removed(`${messagesIn(channel)}/${id}`, how),
    typing: (channel: string, how: How = {}): Asked<unknown> =>
      call({ method: 'POST', path: `/channels/${channel}/typing`, ...how }, nothing),
    /** The DM channel of a person. */
    directChannel: (user: string, how: How = {}): Asked<Channel> =>
      call({ method: 'POST', path: '/users/@me/channels', body: { recipient_id: user }, repeat: true, ...how }, channelSchema),

    /** The thread has the message's id; asked for twice, Discord says 160004. */
    startThreadOn: (channel: string, message: string, body: RESTPostAPIChannelMessagesThreadsJSONBody, how: How = {}): Asked<Channel> =>
      call({ method: 'POST', path: `${messagesIn(channel)}/${message}/threads`, body, repeat: true, ...how }, channelSchema),
    /** A thread without a message that it hangs on, or a post of a forum. */
    startThread: (
      channel: string,
      body: RESTPostAPIChannelThreadsJSONBody | RESTPostAPIGuildForumThreadsJSONBody,
      files?: readonly RestFile[],
      how: How = {},
    ): Asked<Channel> => call({ method: 'POST', path: `/channels/${channel}/threads`, body, ...filesOf(files), ...how }, channelSchema),
    editChannel: (id: string, body: object, how: How = {}): Asked<Channel> =>
      call({ method: 'PATCH', path: `/channels/${id}`, body, ...how }, channelSchema),

    /**
     * The first answer to an interaction, within three seconds of it. Said twice, Discord says 40060: then it is answered, which is what was
     * wanted.
     */
    respond: async ({ id, token }: InteractionRef, body: APIInteractionResponse, how: How = {}): Asked<void> => {
      const said = await call(
        {
          method: 'POST',
          path: `/interactions/${id}/${token}/callback`,
          body,
          auth: false,
          repeat: true,
          patienceMs: 1_500,
          timeoutMs: 5_000,
          ...how,
        },
        nothing,
      );
      return said.ok || discordCode(said.failure) === 40_060 ? ok(undefined) : said;
    },
    /** Changes the first answer of an interaction; after a deferral, gives it. */
    editOriginal: (ref: TokenRef, body: object, files?: readonly RestFile[], how: How = {}): Asked<Sent> =>
      call({ method: 'PATCH', path: webhook(ref, '/messages/@original'), body, auth: false, ...filesOf(files), ...how }, sentSchema),
    deleteOriginal: (ref: TokenRef, how: How = {}) => removed(webhook(ref, '/messages/@original'), { auth: false, ...how }),
    followUp: (ref: TokenRef, body: object, files?: readonly RestFile[], how: How = {}): Asked<Sent> =>
      call({ method: 'POST', path: webhook(ref), query: { wait: 'true' }, body, auth: false, ...filesOf(files), ...how }, sentSchema),
    editFollowUp: (ref: TokenRef, id: string, body: object, files?: readonly RestFile[], how: How = {}): Asked<Sent> =>
      call({ method: 'PATCH', path: webhook(ref, `/messages/${id}`), body, auth: false, ...filesOf(files), ...how }, sentSchema),

    commands: (application: string, guild: string | null, how: How = {}) =>
      call({ method: 'GET', path: commandsOf(application, guild), ...how }, z.array(commandSchema)),
    /** Replaces all commands of the app, everywhere or in one server. */
    putCommands: (application: string, guild: string | null, commands: readonly object[], how: How = {}): Asked<unknown> =>
      call({ method: 'PUT', path: commandsOf(application, guild), body: [...commands], ...how }, nothing),
  };
};
export type Calls = ReturnType<typeof createCalls>;

const commandsOf = (application: string, guild: string | null): `/${string}` =>
  guild === null ? `/applications/${application}/commands` : `/applications/${application}/guilds/${guild}/commands`;
