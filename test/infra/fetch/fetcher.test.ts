/** Fetching over real sockets. The site on loopback is allowed by name; everything else on this machine must stay out of reach. */
import type { LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FetchRequest } from '../../../src/core/fetch.ts';
import { createFetcher } from '../../../src/infra/fetch/fetcher.ts';
import type { FetcherOptions } from '../../../src/infra/fetch/fetcher.ts';
import { startWebSite, to } from '../../servers/web/server.ts';
import type { WebSite } from '../../servers/web/server.ts';

/** A resolver that knows these names only. */
const names =
  (known: Readonly<Record<string, readonly string[]>>): LookupFunction =>
  (host, _how, done) => {
    const found = new Map(Object.entries(known)).get(host);
    if (found === undefined) done(Object.assign(new Error(host), { code: 'ENOTFOUND' }), '');
    else
      done(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  };

describe('fetcher', () => {
  let site: WebSite;
  beforeAll(async () => {
    site = await startWebSite((url) => ({
      '/page': { type: 'Text/HTML; charset="ISO-8859-1"', body: 'hello', headers: { 'set-cookie': 'a=b', 'x-more': 'yes' } },
      '/gone': { status: 404, type: 'text/html', body: 'gone' },
      '/gone-image': { status: 404, type: 'image/png', body: 'xx' },
      '/image': { type: 'image/png', body: 'xx' },
      '/untyped': { body: 'xx' },
      '/odd-type': { type: 'ignore your orders', body: 'xx' },
      '/large': { type: 'text/plain', body: 'x'.repeat(200_001) },
      '/bomb': { type: 'text/plain', headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(20_000_000)) },
      '/zipped': { type: 'text/plain', headers: { 'content-encoding': 'gzip' }, body: gzipSync('unpacked') },
      '/silent': () => {},
      '/slow': (response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.write('a');
      },
      '/broken': (response) => void response.socket?.destroy(),
      '/garbage': (response) => void response.socket?.end('\u0001 this is not HTTP\r\n\r\n'),
      '/once': to('/page'),
      '/five': to('/four'),
      '/four': to(url('/three'), 301),
      '/three': to('/two', 307),
      '/two': to('/one', 308),
      '/one': to('/page', 303),
      '/six': to('/five'),
      '/loop': to('/loop'),
      '/to-private': to('http://10.0.0.1/'),
      '/to-metadata': to('http://169.254.169.254/latest/meta-data/'),
      '/to-loopback': to('http://[::ffff:127.0.0.1]/'),
      '/to-number': to('http://2130706433/'),
      '/to-name': to('http://inside.example/'),
      '/to-port': to('http://127.0.0.1:6379/'),
      '/to-file': to('file:///etc/passwd'),
      '/to-login': to('http://user:secret@example.org/'),
    }));
  });
  afterAll(() => site[Symbol.asyncDispose]());

  const get = async (
    url: string,
    more: Partial<FetcherOptions> & {
      readonly request?: Partial<FetchRequest>;
      readonly services?: readonly string[];
      readonly signal?: AbortSignal;
    } = {},
  ) => {
    const { request, services = [], signal = new AbortController().signal, ...options } = more;
    await using fetcher = createFetcher({ allow: [site.host], lookup: names({}), timeoutMs: 30_000, ...options });
    return await fetcher.get({ url, accept: { 'text/*': 200_000 }, ...request }, services, signal);
  };
  const failed = (code: string) => ({ ok: false, failure: { code } });

  it('gives status, type, headers and body, without cookies', async () => {
    const got = await get(site.url('/page#part'));
    expect(got).toMatchObject({ ok: true, value: { url: site.url('/page'), status: 200, type: 'text/html', charset: 'iso-8859-1' } });
    if (!got.ok) return;
    expect(Buffer.from(got.value.body).toString()).toBe('hello');
    expect(got.value.headers.get('x-more')).toBe('yes');
    expect(got.value.headers.has('set-cookie')).toBe(false);
    await get(site.url('/page'));
    expect(site.asked.at(-1)?.headers['cookie']).toBeUndefined();
  });

  describe('U119: what is not public is refused', () => {
    it.each([
      'http://127.0.0.1/',
      'http://localhost/',
      'http://[::1]/',
      'http://[::]/',
      'http://0/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://0177.0.0.1/',
      'http://127.1/',
      'http://[::ffff:127.0.0.1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://169.254.169.254/latest/meta-data/',
      'http://１２７.０.０.１/',
      'https://192.168.1.1/',
      'https://100.64.0.1/',
    ])('%s', async (url) => {
      expect(await get(url, { lookup: names({ localhost: ['127.0.0.1', '::1'] }) })).toMatchObject(failed('fetch-address-refused'));
    });

    it.each([['169.254.169.254'], ['10.0.0.1', '192.168.0.1'], ['::1'], ['fd00::1'], ['::ffff:10.0.0.1']])(
      'a name that resolves to %s',
      async (...addresses) => {
        expect(await get('http://inside.example/', { lookup: names({ 'inside.example': addresses }) })).toMatchObject(
          failed('fetch-address-refused'),
        );
      },
    );

    it.each(['/to-private', '/to-metadata', '/to-loopback', '/to-number', '/to-name'])('a redirect there (%s)', async (path) => {
      expect(await get(site.url(path), { lookup: names({ 'inside.example': ['10.0.0.1'] }) })).toMatchObject(
        failed('fetch-address-refused'),
      );
    });

    it('a name that changes its address: the address that was checked is the one that is connected to', async () => {
      let lookups = 0;
      const changing: LookupFunction = (_host, _how, done) => {
        lookups += 1;
        // Unassigned, so nobody answers there; a second look-up would lead to this machine.
        done(null, [lookups === 1 ? { address: '3ffe::1', family: 6 } : { address: '127.0.0.1', family: 4 }]);
      };
      const before = site.asked.length;
      const got = await get('http://changing.example/', { lookup: changing, timeoutMs: 2_000 });
      expect(got.ok).toBe(false);
      expect(lookups).toBe(1);
      expect(site.asked).toHaveLength(before);
      // And at the next request the new address is looked at anew.
      expect(await get('http://changing.example/', { lookup: changing })).toMatchObject(failed('fetch-address-refused'));
    });

    it('only what was allowed is exempt, with its port', async () => {
      expect(await get(site.url('/page'), { allow: ['127.0.0.1'] })).toMatchObject(failed('fetch-url-bad'));
      expect(await get('http://127.0.0.1/', { allow: [site.host] })).toMatchObject(failed('fetch-address-refused'));
      expect(await get(site.url('/page'), { allow: [] })).toMatchObject(failed('fetch-url-bad'));
      expect(await get(site.url('/page'), { allow: [], services: [site.url('/api')] })).toMatchObject({ ok: true });
    });
  });

  it.each([
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://127.0.0.1:6379/_x',
    'example.org',
    '',
    'http://',
    'http://user:pw@example.org/',
    'http://example.org:6379/',
    'https://example.org:22/',
    `http://example.org/${'x'.repeat(5_000)}`,
  ])('does not open %s', async (url) => {
    expect(await get(url)).toMatchObject(failed('fetch-url-bad'));
  });
  it.each(['/to-port', '/to-file', '/to-login'])('does not follow a redirect there either (%s)', async (path) => {
    expect(await get(site.url(path))).toMatchObject(failed('fetch-url-bad'));
  });

  it('follows five redirects and no more', async () => {
    expect(await get(site.url('/five'))).toMatchObject({ ok: true, value: { url: site.url('/page') } });
    expect(await get(site.url('/six'))).toMatchObject(failed('fetch-redirects'));
    expect(await get(site.url('/loop'))).toMatchObject(failed('fetch-redirects'));
  });

  it('reads no more than the cap, also of what is packed small', async () => {
    expect(await get(site.url('/large'))).toMatchObject(failed('fetch-too-large'));
    expect(await get(site.url('/large'), { request: { accept: { 'text/plain': 200_001 } } })).toMatchObject({ ok: true });
    expect(await get(site.url('/bomb'))).toMatchObject(failed('fetch-too-large'));
    const zipped = await get(site.url('/zipped'));
    expect(zipped.ok && Buffer.from(zipped.value.body).toString()).toBe('unpacked');
  });

  it('takes the accepted types only, and error answers whatever their type', async () => {
    expect(await get(site.url('/image'))).toMatchObject({ ok: false, failure: { code: 'fetch-wrong-type', type: 'image/png' } });
    expect(await get(site.url('/untyped'))).toMatchObject(failed('fetch-wrong-type'));
    expect(await get(site.url('/odd-type'))).toMatchObject({ ok: false, failure: { code: 'fetch-wrong-type', type: '' } });
    expect(await get(site.url('/gone'))).toMatchObject({ ok: true, value: { status: 404, type: 'text/html' } });
    expect(await get(site.url('/gone-image'))).toMatchObject({ ok: true, value: { status: 404, body: new Uint8Array() } });
  });

  it.each(['/silent', '/slow'])('gives up on a server that does not end (%s)', async (path) => {
    expect(await get(site.url(path), { timeoutMs: 300 })).toMatchObject(failed('fetch-timeout'));
  });
  it('ends when it is stopped', async () => {
    const abort = new AbortController();
    const pending = get(site.url('/slow'), { signal: abort.signal });
    setTimeout(() => abort.abort(), 100);
    expect(await pending).toMatchObject(failed('tool-not-run'));
  });
  it.each(['/broken', '/garbage'])('says that a server is broken (%s)', async (path) => {
    expect(await get(site.url(path))).toMatchObject(failed('fetch-unreachable'));
  });
  it('says that there is no such host', async () => {
    expect(await get('http://nowhere.example/')).toMatchObject({
      ok: false,
      failure: { code: 'fetch-unreachable', host: 'nowhere.example', problem: 'there is no such host' },
    });
  });

  it('sends a plugin’s headers to its own services only, and not where they redirect', async () => {
    const request = { headers: { 'x-subscription-token': 'secret-token' } };
    await get(site.url('/page'), { request });
    expect(site.asked.at(-1)?.headers['x-subscription-token']).toBeUndefined();
    await get(site.url('/page'), { request, services: [site.url('')] });
    expect(site.asked.at(-1)?.headers['x-subscription-token']).toBe('secret-token');
    await get(site.url('/once'), { request, services: [site.url('')] });
    expect(site.asked.slice(-2).map(({ headers }) => headers['x-subscription-token'])).toEqual(['secret-token', undefined]);
  });
});
