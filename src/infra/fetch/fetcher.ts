/** The port `fetcher` on undici: the checks before each hop, the redirects, and bodies within their caps. */
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { fetch } from 'undici';
import type { Agent, Response } from 'undici';
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import type { Fetched, FetchRequest } from '../../core/fetch.ts';
import { err, ok } from '../../core/result.ts';
import { readUpTo } from '../../core/read-up-to.ts';
import type { Result } from '../../core/result.ts';
import type { Fetcher } from '../../ports/fetcher.ts';
import { guardedAgent, openAgent } from './agents.ts';
import { capOf, contentType } from './media-type.ts';
import { toFailure } from './to-failure.ts';

export type FetcherOptions = {
  /** `host` or `host:port` in small letters: fetched from wherever they are, on that port (`host`: the usual one). */
  readonly allow: readonly string[];
  /** How names are resolved; the system's way unless a test has its own. */
  readonly lookup?: LookupFunction;
  /** For one request with all its redirects. */
  readonly timeoutMs?: number;
};

const MAX_REDIRECTS = 5;
const MAX_URL = 4_096;
const AGENT = 'Mozilla/5.0 (compatible; Hektor/0.1; chat assistant opening a page for a person)';

export const createFetcher = ({ allow, lookup = systemLookup, timeoutMs = 20_000 }: FetcherOptions): Fetcher => {
  const agents = { guarded: guardedAgent(lookup), open: openAgent() };
  const allowed = new Set(allow);
  return {
    get: async (request, services, signal) => {
      const timeUp = AbortSignal.timeout(timeoutMs);
      const within = AbortSignal.any([signal, timeUp]);
      const origins = new Set(services.map((service) => new URL(service).origin));
      let hop: Hop = { url: request.url, host: '' };
      try {
        for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
          const checked = checkUrl(hop.url, origins, allowed);
          if (!checked.ok) return checked;
          const { url, exempt, service } = checked.value;
          hop = { url: url.href, host: url.host };
          const answer = await ask(url, exempt ? agents.open : agents.guarded, request, service && redirects === 0, within);
          const next = nextOf(answer, url);
          if (next === undefined) return await toFetched(answer, url, request);
          await answer.body?.cancel();
          hop = { url: next, host: url.host };
        }
        return err(failure('fetch-redirects', { limit: MAX_REDIRECTS }));
      } catch (cause) {
        if (signal.aborted) return err(failure('tool-not-run', { name: 'fetch', why: 'it was stopped' }));
        if (timeUp.aborted) return err(failure('fetch-timeout', { host: hop.host, seconds: Math.round(timeoutMs / 1000) }));
        return err(toFailure(cause, hop.host));
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([agents.guarded.destroy(), agents.open.destroy()]);
    },
  };
};

type Hop = { readonly url: string; readonly host: string };
type Checked = {
  readonly url: URL;
  /** Allowed wherever it is. */
  readonly exempt: boolean;
  /** One of the plugin's own. */
  readonly service: boolean;
};

const checkUrl = (text: string, services: ReadonlySet<string>, allowed: ReadonlySet<string>): Result<Checked, Failure> => {
  const bad = (problem: string): Result<Checked, Failure> => err(failure('fetch-url-bad', { problem }));
  if (text.length > MAX_URL) return bad('it is too long');
  if (!URL.canParse(text)) return bad('it is not a complete URL such as https://example.org/page');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return bad('only http and https are opened');
  if (url.username !== '' || url.password !== '') return bad('it holds a user name or password');
  url.hash = '';
  const service = services.has(url.origin);
  const exempt = service || allowed.has(url.host);
  if (url.port !== '' && !exempt) return bad(`port ${url.port} is not one of the web’s usual ports, 80 and 443`);
  return ok({ url, exempt, service });
};

const ask = (url: URL, dispatcher: Agent, request: FetchRequest, own: boolean, signal: AbortSignal): Promise<Response> =>
  fetch(url.href, {
    dispatcher,
    redirect: 'manual',
    signal,
    credentials: 'omit',
    headers: {
      'user-agent': AGENT,
      accept: [...Object.keys(request.accept), '*/*;q=0.1'].join(', '),
      'accept-language': 'en, *;q=0.5',
      ...(own ? request.headers : {}),
    },
  });

/** Where a redirect leads; undefined for any other answer. */
const nextOf = (answer: Response, from: URL): string | undefined => {
  const location = answer.headers.get('location');
  if (location === null || ![301, 302, 303, 307, 308].includes(answer.status)) return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from.href).href : location;
};

const toFetched = async (answer: Response, url: URL, request: FetchRequest): Promise<Result<Fetched, Failure>> => {
  const { type, charset } = contentType(answer.headers.get('content-type'));
  const headers = new Map([...answer.headers].filter(([name]) => name !== 'set-cookie'));
  const facts = { url: url.href, status: answer.status, type, charset, headers };
  const cap = capOf(request.accept, type);
  if (cap === undefined) {
    await answer.body?.cancel();
    return answer.ok ? err(failure('fetch-wrong-type', { type })) : ok({ ...facts, body: new Uint8Array() });
  }
  const body = await readUpTo(answer.body, cap);
  return body === null ? err(failure('fetch-too-large', { limit: cap })) : ok({ ...facts, body });
};
