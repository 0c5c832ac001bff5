import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpointOf } from '../../plugins/web-search/brave.ts';
import { webSearchPlugin } from '../../plugins/web-search/index.ts';
import { BRAVE_KEY, results, startBrave, tooFast, usedUp } from '../servers/brave/server.ts';
import type { BraveServer } from '../servers/brave/server.ts';
import { to } from '../servers/web/server.ts';
import { toolBench } from './harness.ts';
import type { ToolBench } from './harness.ts';

const node = {
  title: 'Node &amp; <strong>npm</strong>',
  url: 'https://nodejs.org/en',
  description: 'Run <strong>JavaScript</strong> &#x27;everywhere&#39;.',
  age: '2 days ago',
};

describe('web-search', () => {
  let brave: BraveServer;
  let bench: ToolBench;
  let now = 1_000;
  beforeAll(async () => {
    brave = await startBrave();
  });
  afterAll(() => brave[Symbol.asyncDispose]());
  beforeEach(() => {
    bench = toolBench(webSearchPlugin, { env: { BRAVE_API_KEY: BRAVE_KEY, BRAVE_API_URL: brave.url }, now: () => now });
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  it('gives titles, URLs and snippets, fenced as words from outside, and says that pages can be read', async () => {
    brave.play(results(node, { title: 'Second', url: 'https://example.org/b?x=1', extra_snippets: ['more', 'and more'] }));
    const result = await bench.call({ query: 'node.js', count: 3, freshness: 'week' });
    expect(result).toMatchObject({ failed: false, outside: true, links: ['https://nodejs.org/en', 'https://example.org/b?x=1'] });
    expect(result.text).toMatch(
      /^<outside>\n1\. Node & npm\n {3}https:\/\/nodejs\.org\/en\n {3}\(2 days ago\)\n {3}Run JavaScript 'everywhere'\./,
    );
    expect(result.text).toMatch(/2\. Second\n[\s\S]*more[\s\S]*<\/outside>\nRead the pages that matter with web_page/);
    expect(Object.fromEntries(brave.queries().at(-1) ?? [])).toMatchObject({ q: 'node.js', count: '3', freshness: 'pw' });
    expect(result.text).not.toContain(BRAVE_KEY);
  });

  it('keeps good results beside odd ones, and says so when there are none', async () => {
    brave.play(
      results(
        { title: 1 },
        { title: 'js', url: 'javascript:alert(1)' },
        { title: 'twice', url: 'https://a.example/' },
        { title: 'twice', url: 'https://a.example/' },
      ),
    );
    expect((await bench.call({ query: 'x' })).links).toEqual(['https://a.example/']);
    expect(await bench.call({ query: 'x' })).toMatchObject({
      failed: false,
      outside: false,
      text: expect.stringContaining('Nothing was found'),
    });
  });

  it('cuts a query to what the service takes', async () => {
    await bench.call({ query: 'word '.repeat(80) });
    expect(brave.queries().at(-1)?.get('q')?.split(' ')).toHaveLength(50);
  });

  it('waits out a limit of requests a second', async () => {
    brave.play(tooFast, results(node));
    expect(await bench.call({ query: 'x' })).toMatchObject({ failed: false, links: ['https://nodejs.org/en'] });
  });

  it('obeys a short Retry-After, and tells a long one', async () => {
    brave.play({ status: 429, headers: { 'retry-after': '1' }, body: '{}' }, results(node));
    expect(await bench.call({ query: 'x' })).toMatchObject({ failed: false });
    brave.play({ status: 429, headers: { 'retry-after': '40' }, body: '{}' });
    expect(await bench.call({ query: 'x' })).toMatchObject({ failed: true, text: expect.stringContaining('about 40 seconds') });
  });

  it('says that the quota is used up, logs it, and asks no more for a while', async () => {
    brave.play(usedUp);
    expect(await bench.call({ query: 'x' })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/quota.*12 days.*Do not search again/),
    });
    expect(bench.logged).toMatchObject([{ level: 'warn', message: 'the quota of Brave Search is used up' }]);
    const asked = brave.queries().length;
    expect(await bench.call({ query: 'y' })).toMatchObject({ failed: true, text: expect.stringContaining('quota') });
    expect(brave.queries()).toHaveLength(asked);
    now += 11 * 60_000;
    expect(await bench.call({ query: 'z' })).toMatchObject({ failed: false });
  });

  it.each([
    ['a server that is down', { status: 503, body: 'no' }, /error 503/],
    ['a refused query', { status: 422, body: '{"error":{"code":"VALIDATION"}}' }, /did not take this query/],
    ['HTML instead of results', { type: 'text/html', body: '<html>' }, /gave no answer/],
    ['junk', { body: '[1,2' }, /not a list of results/],
    ['a redirect into the house', to('http://169.254.169.254/'), /gave no answer/],
  ])('tells the model of %s', async (_what, page, words) => {
    brave.play(page);
    expect(await bench.call({ query: 'x' })).toMatchObject({ failed: true, text: expect.stringMatching(words) });
  });

  it('U118: a refused key is told without the key, and logged', async () => {
    await using wrong = toolBench(webSearchPlugin, { env: { BRAVE_API_KEY: 'BSA-wrong-key-9876543210', BRAVE_API_URL: brave.url } });
    const result = await wrong.call({ query: 'x' });
    expect(result).toMatchObject({ failed: true, text: expect.stringContaining('Only the operator can mend that') });
    expect(JSON.stringify([result, wrong.logged])).not.toContain('BSA-wrong');
    expect(wrong.logged).toMatchObject([{ message: expect.stringContaining('BRAVE_API_KEY') }]);
  });

  it('ends when it is stopped in a wait', async () => {
    brave.play(tooFast, tooFast, tooFast, tooFast);
    const abort = new AbortController();
    const pending = bench.call({ query: 'x' }, abort.signal);
    setTimeout(() => abort.abort(), 200);
    expect(await pending).toMatchObject({ failed: true });
  });

  it('is offered only where its key is set', () => {
    expect(webSearchPlugin.configure({})).toEqual({ ok: true, value: null });
    expect(webSearchPlugin.configure({ BRAVE_API_KEY: '  ' })).toEqual({ ok: true, value: null });
    expect(webSearchPlugin.configure({ BRAVE_API_KEY: 'k', BRAVE_API_URL: 'nonsense' })).toMatchObject({
      ok: false,
      failure: { problems: [expect.stringContaining('BRAVE_API_URL')] },
    });
    expect(webSearchPlugin.configure({ BRAVE_API_KEY: 'k' })).toMatchObject({
      ok: true,
      value: { tools: [{ name: 'web_search' }], services: ['https://api.search.brave.com/res/v1'] },
    });
  });

  it.each(['https://b.example', 'https://b.example/', 'https://b.example/res/v1', 'https://b.example/res/v1/web/search'])(
    'finds the search under %s',
    (setting) => {
      expect(endpointOf(setting)).toBe('https://b.example/res/v1/web/search');
    },
  );
});
