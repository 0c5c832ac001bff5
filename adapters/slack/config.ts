/** The Slack adapter's settings, out of the environment. */
import { z } from 'zod';
import type { Failure } from '../../src/core/failure.ts';
import { failure } from '../../src/core/failure.ts';
import type { Result } from '../../src/core/result.ts';
import { err, ok } from '../../src/core/result.ts';

/** How Slack's deliveries come in: over a socket that we open, or as signed HTTP requests to `/slack/events`. */
export type Transport = { readonly kind: 'socket'; readonly appToken: string } | { readonly kind: 'http'; readonly signingSecret: string };

/** Whose token is used: one of one workspace, or one for each workspace that installed the app by OAuth. */
export type Credentials =
  | { readonly kind: 'token'; readonly botToken: string }
  | {
      readonly kind: 'oauth';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly stateSecret: string;
      /** Where people's browsers reach this service, without a slash at the end. */
      readonly publicUrl: string;
    };

export type SlackConfig = {
  readonly transport: Transport;
  readonly credentials: Credentials;
  /** Base of the Web API, with a slash at the end. */
  readonly apiUrl: string;
  /** The slash command, `/hektor` unless it was named otherwise in the app's manifest. */
  readonly command: string;
  readonly app: AppShape;
};

/** What the app asks Slack for: its manifest is made from this, and the doctor expects it. */
export type AppShape = {
  /** `all`: messages of every channel the bot is in, so that threads go on without mentions. `mentions`: only what mentions it. */
  readonly access: 'all' | 'mentions';
  /** Slack's panel for agents. Guests of a workspace cannot use an app that has it, and it cannot be taken back. */
  readonly agent: boolean;
};

type Env = { readonly [name: string]: string | undefined };

/** Settings that say that there is a Slack app; any of them set means that Slack is wanted. */
const APP_SETTINGS = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'SLACK_STATE_SECRET',
] as const;

/** The names of all settings, for `.env.example` and its test. */
export const slackSettings: readonly string[] = [
  ...APP_SETTINGS,
  'SLACK_PUBLIC_URL',
  'SLACK_API_URL',
  'SLACK_COMMAND',
  'SLACK_ACCESS',
  'SLACK_AGENT',
];

const API_URL = 'https://slack.com/api/';

/** `https`, or plain HTTP where it cannot leave this machine. */
const webUrl = (name: string): z.ZodType<string, string> =>
  z
    .string()
    .refine(isWebUrl, `${name}: must be an https URL (plain http is taken for this machine only), without a query`)
    .transform((url) => url.replace(/\/+$/, ''));

const isWebUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname));
};

const notKind = (name: string, wrong: RegExp, what: string): z.ZodType<string, string> =>
  z.string().refine((token) => !wrong.test(token), `${name}: ${what}`);

const schema = z.object({
  SLACK_BOT_TOKEN: notKind(
    'SLACK_BOT_TOKEN',
    /^(xapp-|xoxp-|xoxe-)/,
    'must be the bot token, which begins with xoxb- (OAuth & Permissions)',
  ).optional(),
  SLACK_APP_TOKEN: notKind(
    'SLACK_APP_TOKEN',
    /^(xox|xoxe\.)/,
    'must be the app-level token, which begins with xapp- (Basic Information, App-Level Tokens)',
  ).optional(),
  SLACK_SIGNING_SECRET: notKind(
    'SLACK_SIGNING_SECRET',
    /^(xox|xapp-)/,
    'must be the signing secret, not a token (Basic Information, App Credentials)',
  ).optional(),
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  SLACK_STATE_SECRET: z.string().min(16, 'SLACK_STATE_SECRET: must have at least 16 characters').optional(),
  SLACK_PUBLIC_URL: webUrl('SLACK_PUBLIC_URL').optional(),
  SLACK_API_URL: z
    .url({ protocol: /^https?$/, error: 'SLACK_API_URL: must be a URL' })
    .transform((url) => url.replace(/\/+$/, ''))
    .default(API_URL.replace(/\/$/, '')),
  SLACK_COMMAND: z
    .string()
    .regex(/^\/[a-z0-9_-]{1,31}$/, 'SLACK_COMMAND: must be a slash and up to 31 lower-case letters, digits, - or _')
    .default('/hektor'),
  SLACK_ACCESS: z.enum(['all', 'mentions'], 'SLACK_ACCESS: must be all or mentions').default('all'),
  SLACK_AGENT: z.enum(['on', 'off'], 'SLACK_AGENT: must be on or off').default('off'),
  HEKTOR_ENCRYPTION_KEY: z.string().optional(),
});
type Read = z.output<typeof schema>;

const given = (env: Env): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || value.trim() === '' ? [] : [[name, value.trim()]])),
  );

/** Reads Slack's settings; null where Slack is not set up. Every problem is reported at once. */
export const readSlackConfig = (env: Env): Result<SlackConfig | null, Failure> => {
  const set = given(env);
  if (!APP_SETTINGS.some((name) => name in set)) return ok(null);
  const read = schema.safeParse(set);
  const problems = [...(read.success ? [] : read.error.issues.map((issue) => issue.message)), ...missing(set)];
  if (!read.success || problems.length > 0) return err(failure('config-invalid', { problems }, problems.join('; ')));
  const transport = transportOf(read.data);
  const credentials = credentialsOf(read.data);
  if (transport === null || credentials === null) throw new Error('what is missing was not told');
  return ok({ transport, credentials, apiUrl: `${read.data.SLACK_API_URL}/`, command: read.data.SLACK_COMMAND, app: shapeOf(read.data) });
};

const shapeOf = (it: Read): AppShape => ({ access: it.SLACK_ACCESS, agent: it.SLACK_AGENT === 'on' });

/** What a manifest is made of: it comes before there is any token. */
export type ManifestWish = {
  readonly app: AppShape;
  readonly command: string;
  /** Where Slack reaches this service; null: it does not, and a socket is opened instead. */
  readonly publicUrl: string | null;
  /** Whether other workspaces shall be able to install the app. */
  readonly distributed: boolean;
};

export const readManifestWish = (env: Env): Result<ManifestWish, Failure> => {
  const set = given(env);
  const read = schema.safeParse(set);
  if (!read.success) {
    const problems = read.error.issues.map((issue) => issue.message);
    return err(failure('config-invalid', { problems }, problems.join('; ')));
  }
  const { SLACK_PUBLIC_URL: publicUrl = null, SLACK_APP_TOKEN: socket, SLACK_CLIENT_ID: client, SLACK_COMMAND: command } = read.data;
  const distributed = client !== undefined && publicUrl !== null;
  return ok({ app: shapeOf(read.data), command, publicUrl: socket === undefined || distributed ? publicUrl : null, distributed });
};

const transportOf = (it: Read): Transport | null => {
  // Both may be set: they are two faces of one app, and only one can be switched on at Slack. The socket needs no address.
  if (it.SLACK_APP_TOKEN !== undefined) return { kind: 'socket', appToken: it.SLACK_APP_TOKEN };
  return it.SLACK_SIGNING_SECRET === undefined ? null : { kind: 'http', signingSecret: it.SLACK_SIGNING_SECRET };
};

const credentialsOf = (it: Read): Credentials | null => {
  if (it.SLACK_BOT_TOKEN !== undefined) return { kind: 'token', botToken: it.SLACK_BOT_TOKEN };
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_STATE_SECRET: stateSecret, SLACK_PUBLIC_URL: publicUrl } = it;
  if (clientId === undefined || clientSecret === undefined || stateSecret === undefined || publicUrl === undefined) return null;
  return { kind: 'oauth', clientId, clientSecret, stateSecret, publicUrl };
};

/** What is not there and must be. */
const missing = (it: Env): readonly string[] => {
  const has = (name: string): boolean => it[name] !== undefined;
  const oauth = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET', 'SLACK_PUBLIC_URL'] as const;
  const byOauth = oauth.slice(0, 3).some(has);
  return [
    ...(has('SLACK_APP_TOKEN') || has('SLACK_SIGNING_SECRET')
      ? []
      : ['SLACK_APP_TOKEN: set it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP']),
    ...(has('SLACK_BOT_TOKEN') || byOauth ? [] : ['SLACK_BOT_TOKEN: must be set (or SLACK_CLIENT_ID and what belongs to it, for OAuth)']),
    ...(has('SLACK_BOT_TOKEN') && byOauth
      ? ['SLACK_BOT_TOKEN: leave it out where SLACK_CLIENT_ID is set; tokens then come with each installation']
      : []),
    ...(byOauth ? oauth.filter((name) => !has(name)).map((name) => `${name}: must be set for OAuth`) : []),
    ...(byOauth && !has('HEKTOR_ENCRYPTION_KEY')
      ? ['HEKTOR_ENCRYPTION_KEY: must be set for OAuth, because the tokens of workspaces are stored sealed']
      : []),
  ];
};
