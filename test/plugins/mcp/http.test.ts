import { describe, expect, it } from 'vitest';
import { startHttpStandIn } from '../../servers/mcp/http-server.ts';
import { until } from '../../support/until.ts';
import { openBench } from './bench.ts';

describe.each([{ json: false }, { json: true }])('an MCP server over streamable HTTP ($json: answers as plain JSON)', ({ json }) => {
  it('is called with its token and headers, which come from the environment', async () => {
    await using server = await startHttpStandIn({ json, token: 'secret-token' });
    const settings = { url: server.url, tokenEnv: 'MCP_TOKEN', headers: { 'x-team': 'a' }, headersEnv: { 'x-key': 'MCP_KEY' } };
    await using bench = await openBench({ web: settings }, { MCP_TOKEN: 'secret-token', MCP_KEY: 'k-1', OTHER: 'planted' });
    await bench.has('web__echo');
    expect(await bench.call('web__echo', { text: 'hi' })).toMatchObject({
      failed: false,
      outside: true,
      text: expect.stringContaining('hi'),
    });
    expect(server.seen.every((headers) => headers['x-team'] === 'a' && headers['x-key'] === 'k-1')).toBe(true);
    expect(JSON.stringify(server.seen)).not.toContain('planted');
  });

  it('lets an answer of 50 MB harm only its own call', async () => {
    await using server = await startHttpStandIn({ json });
    await using bench = await openBench({ web: { url: server.url } });
    await bench.has('web__big');
    const [big, echo] = await Promise.all([bench.call('web__big'), bench.call('web__echo', { text: 'beside it' })]);
    expect(big).toMatchObject({ failed: true, text: expect.stringContaining('larger than 8 MB') });
    expect(echo).toMatchObject({ failed: false, text: expect.stringContaining('beside it') });
    expect(await bench.call('web__echo', { text: 'after it' })).toMatchObject({ failed: false });
  });

  it('is joined again where it has forgotten the session, without the person noticing', async () => {
    await using server = await startHttpStandIn({ json });
    await using bench = await openBench({ web: { url: server.url } });
    await bench.has('web__echo');
    server.forget();
    expect(await bench.call('web__echo', { text: 'hi again' })).toMatchObject({ failed: false, text: expect.stringContaining('hi again') });
  });

  it('ends a call that is never answered at its time limit', async () => {
    await using server = await startHttpStandIn({ json });
    await using bench = await openBench({ web: { url: server.url, callMs: 1_000 } });
    await bench.has('web__hang');
    expect(await bench.call('web__hang')).toMatchObject({ failed: true, text: expect.stringContaining('did not answer in time') });
  });
});

describe('an MCP server over streamable HTTP that is not well', () => {
  it('offers what a server adds to its list', async () => {
    await using server = await startHttpStandIn();
    await using bench = await openBench({ web: { url: server.url } });
    await bench.has('web__grow');
    await bench.call('web__grow');
    await bench.has('web__grown');
  });

  it('is done without where it takes requests and never answers (U100)', async () => {
    await using silent = await startHttpStandIn({ silent: true });
    await using good = await startHttpStandIn();
    await using bench = await openBench({ silent: { url: silent.url, connectMs: 1_000 }, good: { url: good.url } });
    await bench.has('good__echo');
    expect(bench.names().some((name) => name.startsWith('silent'))).toBe(false);
    await until(() => bench.logged.some(({ fields }) => 'server' in fields && fields.server === 'silent'), 'told the operator');
  });

  it('is told to the operator where it refuses the token, without the token', async () => {
    await using server = await startHttpStandIn({ token: 'right' });
    await using bench = await openBench({ web: { url: `${server.url}?key=planted`, tokenEnv: 'T' } }, { T: 'wrong-token' });
    await until(() => bench.logged.length > 0, 'told the operator');
    expect(bench.names()).toEqual([]);
    expect(JSON.stringify(bench.logged)).not.toMatch(/planted|wrong-token/);
  });

  it('fails a call at once and honestly where it is gone', async () => {
    const server = await startHttpStandIn();
    await using bench = await openBench({ web: { url: server.url } });
    await bench.has('web__echo');
    await server[Symbol.asyncDispose]();
    const result = await bench.call('web__echo', { text: 'hi' });
    expect(result).toMatchObject({ failed: true });
    expect(result.text).toMatch(/broke off|cannot be reached/);
  });
});
