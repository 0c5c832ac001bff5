/** A refusal by the REST API: status, Discord's own code, its words, and the nested errors of a form. */
import type { Json } from './model.ts';

export class RestFault extends Error {
  readonly status: number;
  readonly code: number;
  readonly extra: Json;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: number, message: string, extra: Json = {}, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'RestFault';
    this.status = status;
    this.code = code;
    this.extra = extra;
    this.headers = headers;
  }
}

const words: Readonly<Record<number, readonly [status: number, message: string]>> = {
  10003: [404, 'Unknown Channel'],
  10004: [404, 'Unknown Guild'],
  10007: [404, 'Unknown Member'],
  10008: [404, 'Unknown Message'],
  10011: [404, 'Unknown Role'],
  10013: [404, 'Unknown User'],
  10014: [400, 'Unknown Emoji'],
  10015: [404, 'Unknown Webhook'],
  10062: [404, 'Unknown interaction'],
  10063: [404, 'Unknown application command'],
  20001: [403, 'Bots cannot use this endpoint'],
  20009: [403, 'Explicit content cannot be sent to the desired recipient(s)'],
  30015: [400, 'Maximum number of attachments in a message reached (10)'],
  30032: [400, 'Maximum number of application commands reached (100)'],
  30034: [400, 'Max number of daily application command creates has been reached (200)'],
  30046: [400, 'Maximum number of edits to messages older than 1 hour reached. Try again later'],
  40005: [413, 'Request entity too large. Try sending something smaller in size'],
  40060: [400, 'Interaction has already been acknowledged.'],
  40094: [403, 'Exceeded maximum number of follow ups for this interaction'],
  40067: [400, 'A tag is required to create a forum post in this channel'],
  50001: [403, 'Missing Access'],
  50003: [403, 'Cannot execute action on a DM channel'],
  50005: [403, 'Cannot edit a message authored by another user'],
  50006: [400, 'Cannot send an empty message'],
  50007: [403, 'Cannot send messages to this user'],
  50008: [400, 'Cannot send messages in a non-text channel'],
  50013: [403, 'Missing Permissions'],
  50021: [403, 'Cannot execute action on a system message'],
  50024: [400, 'Cannot execute action on this channel type'],
  50027: [401, 'Invalid Webhook Token'],
  50034: [400, 'You can only bulk delete messages that are under 14 days old.'],
  50083: [400, 'Thread is archived'],
  50109: [400, 'The request body contains invalid JSON.'],
  160002: [403, 'Cannot reply without permission to read message history'],
  160004: [400, 'A thread has already been created for this message'],
  160005: [403, 'Thread is locked'],
  160006: [400, 'Maximum number of active threads reached'],
  160014: [400, 'Cannot forward a message whose content cannot be read'],
  200000: [400, 'Message was blocked by automatic moderation'],
};

/** A refusal by its code. */
export const refused = (code: number, extra: Json = {}): RestFault => {
  const [status, message] = words[code] ?? [400, `Error ${code}`];
  return new RestFault(status, code, message, extra);
};

type Problem = { readonly at: string; readonly code: string; readonly message: string };

/** `50035 Invalid Form Body`, each problem at its place in the body: `embeds.0.title`. */
export const invalidForm = (...problems: readonly Problem[]): RestFault => {
  const errors: Json = {};
  for (const { at, code, message } of problems) {
    let node = errors;
    for (const key of at === '' ? [] : at.split('.')) {
      node[key] ??= {};
      node = node[key] as Json;
    }
    node['_errors'] = [...((node['_errors'] as Json[] | undefined) ?? []), { code, message }];
  }
  return new RestFault(400, 50035, 'Invalid Form Body', { errors });
};

export const tooLong = (at: string, max: number): Problem => ({
  at,
  code: 'BASE_TYPE_MAX_LENGTH',
  message: `Must be ${max} or fewer in length.`,
});
export const badLength = (at: string, min: number, max: number): Problem => ({
  at,
  code: 'BASE_TYPE_BAD_LENGTH',
  message: `Must be between ${min} and ${max} in length.`,
});
export const required = (at: string): Problem => ({ at, code: 'BASE_TYPE_REQUIRED', message: 'This field is required' });
export const badChoice = (at: string, allowed: readonly (string | number)[]): Problem => ({
  at,
  code: 'BASE_TYPE_CHOICES',
  message: `Value must be one of {${allowed.join(', ')}}.`,
});

export type { Problem };
