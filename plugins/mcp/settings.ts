/** The `mcpServers` section of hektor.config.json, in the shape that other programs know, but for secrets: those stay in the environment. */
import { z } from 'zod';

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable, never its value');
const milliseconds = z.number().int().min(100).max(600_000);

const common = {
  /** Only these of its tools are offered. */
  tools: z.array(z.string().min(1)).min(1).optional(),
  connectMs: milliseconds.default(15_000),
  callMs: milliseconds.default(60_000),
};

const stdio = z.strictObject({
  command: z.string().trim().min(1),
  args: z.array(z.string()).default([]),
  /** Variables of Hektor's own environment that are handed on. */
  env: z.array(variable).default([]),
  cwd: z.string().min(1).optional(),
  ...common,
});

const http = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  /** Headers that are no secret. */
  headers: z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/)).default({}),
  /** Headers whose value is that of an environment variable. */
  headersEnv: z.record(z.string().regex(/^[\w-]+$/), variable).default({}),
  /** The environment variable with a bearer token, such as an OAuth access token. */
  tokenEnv: variable.optional(),
  /** OAuth without a person: client credentials, sent to this issuer and to no other. */
  oauth: z
    .strictObject({
      issuer: z.url({ protocol: /^https?$/ }),
      clientId: z.string().min(1).max(500),
      clientSecretEnv: variable,
      scope: z.string().min(1).max(1_000).optional(),
    })
    .optional(),
  ...common,
});

type Common = { readonly name: string; readonly tools: readonly string[] | null; readonly connectMs: number; readonly callMs: number };
export type StdioSettings = Common & {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | null;
};
export type OAuthSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | null;
};
export type HttpSettings = Common & {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth: OAuthSettings | null;
};
export type ServerSettings = StdioSettings | HttpSettings;

type Env = { readonly [name: string]: string | undefined };
type Read = { readonly servers: readonly ServerSettings[]; readonly problems: readonly string[] };

const section = z.record(z.string().min(1).max(100), z.unknown());

/** The servers with their secrets filled in, and everything that is wrong with the section. */
export const readServers = (value: unknown, env: Env): Read => {
  const all = section.safeParse(value ?? {});
  if (!all.success) return { servers: [], problems: ['mcpServers: must be an object of servers by name'] };
  const read = Object.entries(all.data).map(([name, entry]) => readServer(name, entry, env));
  return { servers: read.flatMap((one) => one.servers), problems: read.flatMap((one) => one.problems) };
};

const readServer = (name: string, entry: unknown, env: Env): Read => {
  const at = `mcpServers.${name}`;
  const isHttp = typeof entry === 'object' && entry !== null && 'url' in entry;
  const decoded = (isHttp ? http : stdio).safeParse(entry);
  if (!decoded.success)
    return { servers: [], problems: decoded.error.issues.map((issue) => `${[at, ...issue.path].join('.')}: ${issue.message}`) };
  const { data } = decoded;
  const problems: string[] = [];
  const secret = (variableName: string): string => {
    const found = (env[variableName] ?? '').trim();
    if (found === '') problems.push(`${at}: ${variableName} is not set`);
    else if ('url' in data && !/^[\t\x20-\x7e]+$/.test(found)) problems.push(`${at}: ${variableName} holds signs that no header takes`);
    return found;
  };
  if ('url' in data && data.tokenEnv !== undefined && data.oauth !== undefined)
    problems.push(`${at}: tokenEnv and oauth cannot both be set`);
  const shared = { name, tools: data.tools ?? null, connectMs: data.connectMs, callMs: data.callMs };
  const server: ServerSettings =
    'url' in data
      ? {
          ...shared,
          kind: 'http',
          url: data.url,
          oauth:
            data.oauth === undefined
              ? null
              : {
                  issuer: data.oauth.issuer,
                  clientId: data.oauth.clientId,
                  clientSecret: secret(data.oauth.clientSecretEnv),
                  scope: data.oauth.scope ?? null,
                },
          headers: {
            ...data.headers,
            ...Object.fromEntries(Object.entries(data.headersEnv).map(([header, from]) => [header, secret(from)])),
            ...(data.tokenEnv === undefined ? {} : { authorization: `Bearer ${secret(data.tokenEnv)}` }),
          },
        }
      : {
          ...shared,
          kind: 'stdio',
          command: data.command,
          args: data.args,
          cwd: data.cwd ?? null,
          env: Object.fromEntries(data.env.map((one) => [one, secret(one)])),
        };
  return problems.length > 0 ? { servers: [], problems } : { servers: [server], problems: [] };
};
