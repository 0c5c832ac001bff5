/** Brave's Search API: one GET, its results, and its limits in words. */
import { z } from 'zod';
import { forOperator, forPerson } from '../../src/core/failure.ts';
import type { Fetched } from '../../src/core/fetch.ts';
import type { Capabilities, ToolContext } from '../../src/core/plugin.ts';
import { limitOf } from './limits.ts';
import { plainText } from './plain-text.ts';

export type Query = { readonly query: string; readonly count: number; readonly freshness: 'day' | 'week' | 'month' | 'year' | undefined };
export type Found = { readonly title: string; readonly url: string; readonly snippets: readonly string[]; readonly age: string };
export type Answer = { readonly kind: 'found'; readonly results: readonly Found[] } | { readonly kind: 'failed'; readonly words: string };
type Context = Pick<ToolContext, 'signal' | 'progress'> & Pick<Capabilities, 'fetch' | 'clock' | 'log'>;

/** The address of the web search. The setting may name the server, its API (`/res/v1`) or the search itself. */
export const endpointOf = (setting: string): string => {
  const base = setting.replace(/[?#].*$/, '').replace(/\/+$/, '');
  if (base.endsWith('/web/search')) return base;
  return base.endsWith('/res/v1') ? `${base}/web/search` : `${base}/res/v1/web/search`;
};

const FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;
const MAX_BYTES = 1024 * 1024;
/** A wait that a call can afford; a plan of one request a second makes parallel searches wait this way. */
const MAX_WAIT_MS = 3_000;
const MAX_TRIES = 4;

/** A search of its own for each configured key: it remembers how long the key is barred. */
export const createBrave = (endpoint: string, key: string): ((query: Query, context: Context) => Promise<Answer>) => {
  let barredUntil = 0;
  const search = async (query: Query, context: Context, tries: number): Promise<Answer> => {
    const barred = barredUntil - context.clock.now();
    if (barred > 0) return failed(quotaWords(barred / 1000));
    const answered = await context.fetch.get(
      {
        url: `${endpoint}?${parameters(query).toString()}`,
        accept: { 'application/json': MAX_BYTES },
        headers: { 'x-subscription-token': key },
      },
      context.signal,
    );
    if (!answered.ok) {
      context.log.warn({ code: answered.failure.code, detail: answered.failure.detail }, forOperator(answered.failure));
      return failed(`The search engine gave no answer. ${forPerson(answered.failure)}`);
    }
    const { value: answer } = answered;
    if (answer.status === 200) return resultsIn(answer);
    const limit = limitOf(answer);
    if (limit === undefined) return refused(answer, context);
    if (limit.kind === 'rate' && limit.seconds * 1000 <= MAX_WAIT_MS && tries < MAX_TRIES) {
      context.progress('Waiting for the search engine');
      // Callers that were refused together must not come back together.
      await pause(limit.seconds * 1000 + Math.random() * 500 * tries, context.signal);
      if (context.signal.aborted) return failed('The search was stopped.');
      return search(query, context, tries + 1);
    }
    context.log.warn(
      { status: answer.status, waitSeconds: limit.seconds },
      limit.kind === 'quota' ? 'the quota of Brave Search is used up' : 'Brave Search limits the rate',
    );
    if (limit.kind === 'rate')
      return failed(
        `The search engine is asked too often right now. Search again in about ${limit.seconds} seconds, or answer without it.`,
      );
    // Asked again now and then all the same: a quota can be raised.
    barredUntil = context.clock.now() + Math.min(limit.seconds * 1000, 10 * 60_000);
    return failed(quotaWords(limit.seconds));
  };
  return (query, context) => search(query, context, 1);
};

const failed = (words: string): Answer => ({ kind: 'failed', words });

const quotaWords = (seconds: number): string =>
  `The quota of this bot’s search account is used up${seconds > 600 ? ` for about ${spell(seconds)}` : ''}. Do not search again now. Say so, and answer without searching or ask for a link that web_page can read.`;
const spell = (seconds: number): string => {
  const hours = Math.round(seconds / 3600);
  return hours >= 48 ? `${Math.round(hours / 24)} days` : hours >= 2 ? `${hours} hours` : `${Math.round(seconds / 60)} minutes`;
};

const refused = (answer: Fetched, context: Context): Answer => {
  const keyRefused = answer.status === 401 || answer.status === 403 || (answer.status === 422 && /TOKEN/i.test(textOf(answer)));
  context.log.warn(
    { status: answer.status },
    keyRefused ? 'Brave Search refused the key: check BRAVE_API_KEY' : 'Brave Search answered with an error',
  );
  if (keyRefused) return failed('The search engine refused this bot’s key. Only the operator can mend that; answer without searching.');
  if (answer.status === 422 || answer.status === 400) return failed('The search engine did not take this query. Put it more simply.');
  return failed(`The search engine answered with error ${answer.status}. Try once more later, or answer without it.`);
};

/** Brave takes 400 characters and 50 words. */
const parameters = ({ query, count, freshness }: Query): URLSearchParams =>
  new URLSearchParams({
    q: query.split(/\s+/).slice(0, 50).join(' ').slice(0, 400).toWellFormed(),
    count: String(count),
    text_decorations: 'false',
    ...(freshness === undefined ? {} : { freshness: FRESHNESS[freshness] }),
  });

const resultSchema = z.object({
  title: z.string(),
  url: z.url({ protocol: /^https?$/ }),
  description: z.string().nullish(),
  extra_snippets: z.array(z.string()).nullish(),
  age: z.string().nullish(),
});
const listSchema = z.object({ results: z.array(z.unknown()).nullish() }).nullish();
const bodySchema = z.object({ web: listSchema, news: listSchema });

const resultsIn = (answer: Fetched): Answer => {
  const body = bodySchema.safeParse(jsonOf(answer));
  if (!body.success) return failed('The search engine sent something that is not a list of results. Try once more, or answer without it.');
  const seen = new Set<string>();
  const results = [...(body.data.web?.results ?? []), ...(body.data.news?.results ?? [])].flatMap((one): readonly Found[] => {
    // One odd result does not spoil the others.
    const read = resultSchema.safeParse(one);
    if (!read.success || seen.has(read.data.url)) return [];
    seen.add(read.data.url);
    const snippets = [read.data.description ?? '', ...(read.data.extra_snippets ?? []).slice(0, 2)];
    return [
      {
        title: plainText(read.data.title, 200),
        url: read.data.url,
        snippets: snippets.map((snippet) => plainText(snippet, 500)).filter((snippet) => snippet !== ''),
        age: plainText(read.data.age ?? '', 40),
      },
    ];
  });
  return { kind: 'found', results: results.slice(0, 20) };
};

const textOf = (answer: Fetched): string => new TextDecoder().decode(answer.body);
const jsonOf = (answer: Fetched): unknown => {
  try {
    return JSON.parse(textOf(answer));
  } catch {
    return undefined;
  }
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
