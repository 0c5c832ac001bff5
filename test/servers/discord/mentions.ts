/** Whom a text mentions, and whom of those `allowed_mentions` lets be notified. */
import { isObject } from './json.ts';
import type { Channel, Guild, Json, Mentions, Message } from './model.ts';
import { may, P } from './permissions.ts';
import { invalidForm } from './rest-fault.ts';
import { guildOf } from './world.ts';
import type { World } from './world.ts';

export const NOBODY: Mentions = { users: [], roles: [], everyone: false };

/** The text without code, in which nothing is a mention, and without what is escaped. */
const outsideCode = (text: string): string =>
  text
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/(`+)[^`][\s\S]*?\1/g, ' ')
    .replaceAll(/\\[<@]/g, ' ');

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];

/** Everything that the text mentions, before anything is ruled out. */
export const mentionsIn = (text: string): Mentions => {
  const plain = outsideCode(text);
  return {
    users: unique([...plain.matchAll(/<@!?(\d+)>/g)].map((match) => match[1] ?? '')),
    roles: unique([...plain.matchAll(/<@&(\d+)>/g)].map((match) => match[1] ?? '')),
    everyone: /@(everyone|here)\b/.test(plain),
  };
};

export type AllowedMentions = {
  readonly parse: readonly string[];
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly repliedUser: boolean;
};

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);

/** Reads `allowed_mentions`; null where it is not given and the defaults hold. */
export const readAllowed = (body: Json): AllowedMentions | null => {
  const given = body['allowed_mentions'];
  if (given === undefined || given === null) return null;
  if (!isObject(given))
    throw invalidForm({ at: 'allowed_mentions', code: 'MODEL_TYPE_CONVERT', message: 'Only dictionaries may be used in a ModelType' });
  const parse = strings(given['parse']);
  const [users, roles] = [strings(given['users']), strings(given['roles'])];
  if ((parse.includes('users') && users.length > 0) || (parse.includes('roles') && roles.length > 0))
    throw invalidForm({
      at: 'allowed_mentions',
      code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
      message: `parse:["${parse.includes('users') && users.length > 0 ? 'users' : 'roles'}"] and ids are mutually exclusive.`,
    });
  return { parse, users, roles, repliedUser: given['replied_user'] === true };
};

/** Where nothing is said: everything for ordinary messages, people only for interactions and webhooks. */
export const defaultAllowed = (usersOnly: boolean): AllowedMentions => ({
  parse: usersOnly ? ['users'] : ['users', 'roles', 'everyone'],
  users: [],
  roles: [],
  repliedUser: true,
});

type By = { readonly author: string; readonly channel: Channel; readonly allowed: AllowedMentions };

/** Whom a message notifies: what it mentions, what is allowed, and what its author may. */
export const allowedOf = (world: World, text: string, { author, channel, allowed }: By): Mentions => {
  const found = mentionsIn(text);
  const guild: Guild | null = guildOf(world, channel.guild);
  const all = may(world, channel, author, P.MentionEveryone);
  const users = found.users.filter((id) => world.users.has(id) && (allowed.parse.includes('users') || allowed.users.includes(id)));
  const roles = found.roles.filter((id) => {
    const role = guild?.roles.get(id);
    return role !== undefined && (all || role.mentionable) && (allowed.parse.includes('roles') || allowed.roles.includes(id));
  });
  return { users, roles, everyone: found.everyone && all && allowed.parse.includes('everyone') };
};

/** Adds the author of the message that is replied to. */
export const withReply = (mentions: Mentions, replied: Message | null, pings: boolean): Mentions =>
  replied === null || !pings || replied.webhook !== null ? mentions : { ...mentions, users: unique([...mentions.users, replied.author]) };
