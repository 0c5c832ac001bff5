/** OAuth without a person: the token is asked for with client credentials, anew when it is refused, and from nobody but the issuer that is set. */
import { describe, expect, it } from 'vitest';
import { startHttpStandIn } from '../../servers/mcp/http-server.ts';
import { until } from '../../support/until.ts';
import { openBench } from './bench.ts';

const oauth = { clientId: 'hektor', clientSecret: 'very-secret' };
const settingsFor = (url: string, issuer = new URL(url).origin) => ({
  web: { url, oauth: { issuer, clientId: 'hektor', clientSecretEnv: 'MCP_SECRET', scope: 'tools' } },
});
const env = { MCP_SECRET: 'very-secret' };

describe('OAuth with client credentials', { timeout: 60_000 }, () => {
  it('gets a token, uses it, and gets another one where it is taken back', async () => {
    await using server = await startHttpStandIn({ oauth });
    await using bench = await openBench(settingsFor(server.url), env);
    await bench.has('web__echo');
    expect(server.grants).toHaveLength(1);
    expect(server.grants[0]).toMatch(/grant_type=client_credentials/);
    expect(server.grants[0]).toMatch(/scope=tools/);
    expect(await bench.call('web__echo', { text: 'hi' })).toMatchObject({ failed: false });
    server.revoke();
    expect(await bench.call('web__echo', { text: 'hi again' })).toMatchObject({ failed: false, text: expect.stringContaining('hi again') });
    expect(server.grants).toHaveLength(2);
  });

  it('sends its secret to no issuer but the one that is set, and logs no secret', async () => {
    await using foreign = await startHttpStandIn({ oauth });
    await using server = await startHttpStandIn({ oauth: { ...oauth, issuer: new URL(foreign.url).origin } });
    await using bench = await openBench(settingsFor(server.url), env);
    await until(async () => bench.logged.length > 0, 'the operator is told');
    expect(foreign.grants).toEqual([]);
    expect(server.grants).toEqual([]);
    expect(bench.names()).toEqual([]);
    expect(JSON.stringify(bench.logged)).not.toContain('very-secret');
  });
});
