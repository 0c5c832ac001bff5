/** A stand-in for Brave's Search API on loopback: its path, its token header, its error bodies and its limit headers. */
import { startWebSite } from '../web/server.ts';
import type { Page, WebSite } from '../web/server.ts';

export const BRAVE_KEY = 'BSA-test-key-0123456789';

export type BraveServer = AsyncDisposable & {
  readonly url: string;
  readonly site: WebSite;
  /** Answers for the next requests, in order; after them every search finds nothing. */
  readonly play: (...answers: readonly Page[]) => void;
  /** The queries that came with the right token. */
  readonly queries: () => readonly URLSearchParams[];
};

export const startBrave = async (): Promise<BraveServer> => {
  const script: Page[] = [];
  const site = await startWebSite(() => ({
    '/res/v1/web/search': (response) => {
      const last = site.asked.at(-1);
      const page = last?.headers['x-subscription-token'] === BRAVE_KEY ? (script.shift() ?? results()) : wrongToken;
      if (typeof page === 'function') return page(response);
      response.writeHead(page.status ?? 200, { 'content-type': page.type ?? 'application/json', ...page.headers });
      response.end(page.body);
    },
  }));
  return {
    url: site.url('/res/v1'),
    site,
    play: (...answers) => void script.push(...answers),
    queries: () =>
      site.asked
        .filter(({ headers }) => headers['x-subscription-token'] === BRAVE_KEY)
        .map(({ path }) => new URL(site.url(path)).searchParams),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
};

/** A good answer with these results. */
export const results = (...found: readonly object[]): Page => ({
  body: JSON.stringify({ type: 'search', query: { original: 'q' }, web: { type: 'search', results: found } }),
});

const problem = (status: number, code: string, meta: object = {}): string =>
  JSON.stringify({ type: 'ErrorResponse', error: { id: 'e1', status, code, detail: 'see code', meta }, time: 1 });

const wrongToken: Page = { status: 422, body: problem(422, 'SUBSCRIPTION_TOKEN_INVALID') };

/** Refused by the limit of requests a second. */
export const tooFast: Page = {
  status: 429,
  headers: { 'x-ratelimit-limit': '1, 2000', 'x-ratelimit-remaining': '0, 1800', 'x-ratelimit-reset': '1, 1000000' },
  body: problem(429, 'RATE_LIMITED', { plan: 'Free', rate_limit: 1, rate_current: 1, quota_limit: 2000, quota_current: 200 }),
};

/** Refused because the month's requests are used up. */
export const usedUp: Page = {
  status: 429,
  headers: { 'x-ratelimit-limit': '1, 2000', 'x-ratelimit-remaining': '1, 0', 'x-ratelimit-reset': '1, 1000000' },
  body: problem(429, 'RATE_LIMITED', { plan: 'Free', rate_limit: 1, rate_current: 0, quota_limit: 2000, quota_current: 2000 }),
};
