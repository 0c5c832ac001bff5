/**
 * What may stand in a log line. Pure. Secrets and contents are kept out by construction: values are rebuilt from what is known to be harmless,
 * never passed through. A caller that logs a whole message or a request by mistake leaks its shape, not its words.
 */
import type { LogFields } from '../../ports/log.ts';

const GONE = '[redacted]';
const MAX_TEXT = 2_000;
const MAX_ITEMS = 20;
const MAX_DEPTH = 4;

/** Fields that hold what people, models and programs said, or credentials, whatever object they are in. Compared without case, `-` and `_`. */
const CONTENT = new Set(
  `text texts content contents code body prompt prompts system messages history question answer reply output stdout stderr value preview
  traceback arguments args input result data origin files blob bytes reasoning passback
  token tokens accesstoken bottoken apptoken secret secrets clientsecret signingsecret password passwd apikey key keys privatekey
  authorization auth cookie cookies setcookie headers env credentials session sessionid url urls query`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

/** Secrets by their looks, wherever they stand in a text: in an error's message, in a URL, in a command line. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}/g, // OpenAI and its like
  /\bx(?:ox[a-z]|app)-[A-Za-z0-9-]{8,}/g, // Slack
  /\bxox[a-z]\.[A-Za-z0-9.-]{8,}/g,
  /\b[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}/g, // Discord bots
  /\b(?:gh[pousr]_|github_pat_|glpat-|hf_|gsk_|BSA)[A-Za-z0-9_-]{16,}/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, // JSON web tokens
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;
/** Discord's scheme, spelled as it is in a header: "the bot answered" is no secret. */
const BOT = /\b(Bot)\s+[A-Za-z0-9._-]{16,}/g;
const ASSIGNED = /\b((?:api[_-]?key|token|secret|password|passwd|signature)["']?\s*[=:]\s*["']?)[^\s"'&,;)}]{4,}/gi;
const USERINFO = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi;
/** The path of a webhook or interaction is its password. */
const HOOK = /(\/(?:webhooks|interactions)\/\d+\/)[A-Za-z0-9_-]{16,}/g;
const SLACK_HOOK = /(hooks\.slack\.com\/[a-z]+\/)[A-Za-z0-9/_-]+/g;

/** The text without secrets, bounded in length. */
export const scrubText = (text: string): string => {
  const bounded = text.length > 4 * MAX_TEXT ? text.slice(0, 4 * MAX_TEXT) : text;
  let clean = bounded.replace(USERINFO, `$1${GONE}@`);
  for (const secret of SECRETS) clean = clean.replace(secret, GONE);
  clean = clean
    .replace(BEARER, `$1 ${GONE}`)
    .replace(BOT, `$1 ${GONE}`)
    .replace(ASSIGNED, `$1${GONE}`)
    .replace(HOOK, `$1${GONE}`)
    .replace(SLACK_HOOK, `$1${GONE}`);
  return clean.length > MAX_TEXT || bounded.length < text.length ? `${clean.slice(0, MAX_TEXT).toWellFormed()}… (${text.length})` : clean;
};

/** The fields as they are written. */
export const scrubFields = (fields: LogFields): { [field: string]: unknown } => scrubObject(fields, 0, new WeakSet());

const scrubObject = (object: object, depth: number, above: WeakSet<object>): { [field: string]: unknown } => {
  const clean: { [field: string]: unknown } = {};
  for (const name of Object.keys(object).slice(0, 4 * MAX_ITEMS)) clean[name] = scrubField(object, name, depth, above);
  return clean;
};

const scrubField = (object: object, name: string, depth: number, above: WeakSet<object>): unknown => {
  try {
    const value: unknown = Reflect.get(object, name);
    return isContent(name, value) ? GONE : scrubValue(value, depth + 1, above);
  } catch {
    return '[unreadable]'; // a getter of somebody else's object; a log line is no place to fail
  }
};

const scrubValue = (value: unknown, depth: number, above: WeakSet<object>): unknown => {
  switch (typeof value) {
    case 'string':
      return scrubText(value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : scrubReference(value, depth, above);
    case 'function':
    case 'symbol':
    default:
      return undefined; // they say nothing
  }
};

const scrubReference = (value: object, depth: number, above: WeakSet<object>): unknown => {
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return Number.isNaN(value.valueOf()) ? null : value.toISOString();
  if (depth > MAX_DEPTH || above.has(value)) return '[…]';
  above.add(value);
  try {
    if (value instanceof Error) return scrubError(value, depth, above);
    if (value instanceof Map || value instanceof Set) return `[${value.size} items]`;
    if (!Array.isArray(value)) return scrubObject(value, depth, above);
    const items = value.slice(0, MAX_ITEMS).map((item: unknown) => scrubValue(item, depth + 1, above));
    return value.length > MAX_ITEMS ? [...items, `… (${value.length})`] : items;
  } finally {
    above.delete(value);
  }
};

/** Errors of SDKs carry requests and responses as properties; only what every error has is kept. */
const scrubError = (error: Error, depth: number, above: WeakSet<object>): { [field: string]: unknown } => ({
  type: error.name,
  message: scrubText(error.message),
  ...('code' in error && isCode(error.code) ? { code: error.code } : {}),
  ...(error.stack === undefined ? {} : { stack: frames(error.stack) }),
  ...(error.cause === undefined ? {} : { cause: scrubValue(error.cause, depth + 1, above) }),
});

/** Where it was thrown; the message, which may run over lines, is not repeated. */
const frames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => line.trim())
    .join('\n');

const isContent = (name: string, value: unknown): boolean => {
  const plain = name.toLowerCase().replace(/[-_]/g, '');
  // A failure's or an error's `code` is a word of ours or the system's; somebody's program is not. Counts of tokens, bytes, files are harmless.
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return false;
  if (plain === 'code') return !isCode(value);
  return CONTENT.has(plain);
};

const isCode = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_-]{0,60}$/.test(value));
