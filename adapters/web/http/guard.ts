/**
 * Who may call. Pure but for the digest functions.
 *
 * Without a token only this machine may call, under a loopback name: a page elsewhere that had its own name point here (DNS rebinding)
 * is refused by its `Host`. With a token a caller shows it, or the cookie that the page got for it. In both cases a request that
 * changes something must not come from a foreign page (`Origin`, `Sec-Fetch-Site`).
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WebConfig } from '../config.ts';

export type Caller = {
  readonly method: string;
  readonly host: string;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  readonly remoteAddress: string;
};

/** Null: may go on. `login`: must show the token first. */
export type Refusal = { readonly why: 'login' } | { readonly why: 'foreign'; readonly message: string };

export const SESSION_COOKIE = 'hektor_session';

/** Whether a request may come in at all, wherever it goes. */
export const refuseForeign = (caller: Caller, config: WebConfig): Refusal | null => {
  if (config.token === null && !isLoopbackAddress(caller.remoteAddress)) {
    return { why: 'foreign', message: 'Only this machine may call: no HEKTOR_WEB_TOKEN is set.' };
  }
  if (!isKnownHost(caller.host.toLowerCase(), config)) {
    return { why: 'foreign', message: 'This server does not go by that name. HEKTOR_WEB_HOSTS lists further names.' };
  }
  if (caller.method === 'GET' || caller.method === 'HEAD') return null;
  const own = caller.origin === undefined || isOwnOrigin(caller.origin, caller.host, config);
  const site = caller.fetchSite === undefined || caller.fetchSite === 'same-origin' || caller.fetchSite === 'none';
  return own && site ? null : { why: 'foreign', message: 'Requests from other sites are refused.' };
};

/** Whether the caller has shown the token. */
export const refuseStranger = (caller: Caller, config: WebConfig, now: number): Refusal | null => {
  if (config.token === null) return null;
  const bearer = /^Bearer +(\S+)$/i.exec(caller.authorization ?? '')?.[1];
  if (bearer !== undefined) return isToken(bearer, config.token) ? null : { why: 'login' };
  return isSession(cookieOf(caller.cookie ?? '', SESSION_COOKIE), config.token, now) ? null : { why: 'login' };
};

/** Compares digests, so that neither length nor content of the token shows in the time. */
export const isToken = (given: string, token: string): boolean => timingSafeEqual(sha256(given), sha256(token));
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The cookie's value: until when it is good, and a proof that the token was known. The token cannot be had from it. */
export const makeSession = (token: string, until: number): string => `${until}.${proof(token, String(until))}`;
const proof = (token: string, until: string): string =>
  createHmac('sha256', token).update(`hektor web session ${until}`).digest('base64url');

const isSession = (value: string | undefined, token: string, now: number): boolean => {
  const [until = '', given = ''] = value?.split('.') ?? [];
  return /^\d{1,16}$/.test(until) && Number(until) > now && isToken(given, proof(token, until));
};

const cookieOf = (header: string, name: string): string | undefined =>
  header
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

const isKnownHost = (host: string, config: WebConfig): boolean => {
  if (isLoopbackName(nameOf(host)) || config.hosts.includes(host) || config.hosts.includes(nameOf(host))) return true;
  // Behind a token any name will do, unless the operator has said which: a rebound page has no cookie of ours.
  return config.token !== null && config.hosts.length === 0;
};

const isOwnOrigin = (origin: string, host: string, config: WebConfig): boolean => {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin).host;
  return from === host.toLowerCase() || config.hosts.includes(from);
};

const nameOf = (host: string): string => host.replace(/:\d+$/, '');
const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name);
const isLoopbackAddress = (address: string): boolean => /^(::ffff:)?127\./.test(address) || address === '::1';
