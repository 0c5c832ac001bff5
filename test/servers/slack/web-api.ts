/** `/api/<method>`: reads the call, finds whose it is, lets faults and limits happen, carries it out and keeps a record of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { argsOf, isObject, textIn } from './args.ts';
import type { Parts } from './call.ts';
import { needScope } from './call.ts';
import { ApiFault } from './fault.ts';
import { takeFault } from './injected.ts';
import { methods } from './method-table.ts';
import type { Installation, Json } from './model.ts';
import { rateLimited } from './rate-limits.ts';

export type HttpCall = {
  readonly body: Buffer;
  readonly contentType: string;
  readonly authorization: string;
};
export type HttpReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The connection breaks instead of an answer. */
  readonly lost: boolean;
};

/** A form, JSON, or the text fields of a multipart body. */
export const readBody = async ({ body, contentType }: HttpCall): Promise<Json> => {
  const text = body.toString('utf8');
  if (contentType.includes('json')) {
    try {
      const value: unknown = JSON.parse(text);
      if (isObject(value)) return value;
    } catch {
      throw new ApiFault('invalid_json');
    }
    throw new ApiFault('json_not_object');
  }
  if (contentType.includes('multipart/')) {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
    return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
  }
  if (contentType !== '' && !contentType.includes('form-urlencoded')) throw new ApiFault('invalid_post_type');
  return Object.fromEntries(new URLSearchParams(text));
};

const tokenOf = (call: HttpCall, args: Json): string => {
  const bearer = /^Bearer (.+)$/i.exec(call.authorization)?.[1];
  return bearer ?? (typeof args['token'] === 'string' ? args['token'] : '');
};

/** Whose token it is. Refuses a missing, unknown, revoked or expired one. */
export const authenticate = ({ world }: Pick<Parts, 'world'>, token: string): Installation => {
  if (token === '') throw new ApiFault('not_authed');
  const found = world.installations.find((one) => one.botToken === token);
  if (found === undefined) throw new ApiFault(token.startsWith('xapp-') ? 'not_allowed_token_type' : 'invalid_auth');
  if (found.state === 'revoked') throw new ApiFault('token_revoked');
  if (found.state === 'uninstalled') throw new ApiFault('account_inactive');
  if (found.expiresAt !== null && found.expiresAt < world.clock.now()) throw new ApiFault('token_expired');
  return found;
};

/** Basic credentials count as the arguments of the same names (`oauth.v2.access`). */
const withBasic = (args: Json, authorization: string): Json => {
  const basic = /^Basic (.+)$/i.exec(authorization)?.[1];
  if (basic === undefined) return args;
  const [id, secret] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  return { client_id: id, client_secret: secret, ...args };
};

export const createWebApi = (parts: Parts) => {
  const { world } = parts;

  const carryOut = async (name: string, body: Json, http: HttpCall, seen: (team: string) => void): Promise<Json> => {
    const method = methods[name];
    if (method === undefined) throw new ApiFault('unknown_method', { req_method: name });
    const token = tokenOf(http, body);
    let installation: Installation | null = null;
    if (method.token === 'bot') installation = authenticate(parts, token);
    if (method.token === 'app') {
      if (token === '') throw new ApiFault('not_authed');
      if (token.startsWith('xoxb-')) throw new ApiFault('not_allowed_token_type');
      if (token !== world.app.appToken) throw new ApiFault('invalid_auth');
    }
    const args = argsOf(withBasic(body, http.authorization));
    const channel = world.channels.get(args.text('channel') ?? args.text('channel_id') ?? '');
    const team = args.text('team_id') ?? installation?.team ?? channel?.team ?? [...world.workspaces.keys()][0] ?? '';
    seen(team);
    if (world.settings.rateLimits) world.limits.take(`${name} ${team}`, world.limits.override.get(name) ?? method.perMinute, 60_000);
    const call = { ...parts, method: name, args, installation, team };
    if (method.scope !== null && method.token === 'bot') needScope(call, method.scope);
    return method.run(call);
  };

  /** Answers one call. Never rejects for what an app may do wrong. */
  return async (name: string, http: HttpCall): Promise<HttpReply> => {
    const raw = http.contentType.includes('multipart/') ? `(${http.body.length} bytes of multipart)` : http.body.toString('utf8');
    const at = world.clock.now();
    let args: Json = {};
    let team: string | null = null;
    let status = 200;
    let headers: Readonly<Record<string, string>> = {};
    let reply: Json;
    let lost = false;
    let text: string | null = null;
    let token = tokenOf(http, {});
    try {
      args = await readBody(http);
      token = tokenOf(http, args);
      const fault = takeFault(world.faults, name, textIn(args, 'channel') || textIn(args, 'channel_id'));
      if (fault?.delayMs !== undefined) await sleep(fault.delayMs);
      if (fault?.retryAfter !== undefined) throw rateLimited(fault.retryAfter);
      if (fault?.error !== undefined) throw new ApiFault(fault.error, fault.extra ?? {}, fault.status ?? 200);
      if (fault?.drop === 'request') {
        lost = true;
        reply = {};
      } else if (fault?.status !== undefined) {
        status = fault.status;
        text = fault.body ?? 'upstream connect error';
        reply = { ok: false, error: `http ${fault.status}` };
      } else {
        reply = { ok: true, ...(await carryOut(name, args, http, (id) => (team = id))) };
        lost = fault?.drop === 'reply';
      }
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      ({ status, headers } = error);
      reply = { ok: false, error: error.code, ...error.extra };
    }
    const installation = world.installations.find((one) => one.botToken === token);
    const { token: _, ...recorded } = args;
    world.calls.push({
      n: world.calls.length + 1,
      at,
      method: name,
      team: team ?? installation?.team ?? null,
      args: readable(recorded),
      raw,
      contentType: http.contentType,
      status,
      reply,
      delivered: !lost,
    });
    world.changed();
    const accepted = methods[name]?.scope ?? null;
    return {
      status,
      headers: {
        'content-type': text === null ? 'application/json; charset=utf-8' : 'text/plain',
        ...(installation === undefined ? {} : { 'x-oauth-scopes': installation.scopes.join(',') }),
        ...(accepted === null ? {} : { 'x-accepted-oauth-scopes': accepted }),
        ...headers,
      },
      body: text ?? JSON.stringify(reply),
      lost,
    };
  };
};

const STRUCTURED = ['blocks', 'attachments', 'metadata', 'chunks', 'files', 'view', 'prompts'];

/** The arguments with what came as JSON text read, as a person wants to see them. */
const readable = (args: Json): Json =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (typeof value !== 'string' || !STRUCTURED.includes(name)) return [name, value];
      try {
        return [name, JSON.parse(value)];
      } catch {
        return [name, value];
      }
    }),
  );
