/** Installing: OAuth, rotation, organisations, and what ends an installation. */
import { describe, expect, it } from 'vitest';
import { createStand } from './testing.ts';
import type { Stand } from './testing.ts';

const BACK = 'http://127.0.0.1:1/slack/oauth_redirect';

const install = async (stand: Stand, team: string) => {
  const page = new URL(stand.server.authorizeUrl);
  page.search = new URLSearchParams({
    team,
    scope: 'chat:write,users:read',
    state: 's1',
    redirect_uri: BACK,
    client_id: stand.server.clientId,
  }).toString();
  const back = new URL((await fetch(page, { redirect: 'manual' })).headers.get('location') ?? '');
  expect(back.searchParams.get('state')).toBe('s1');
  return back.searchParams.get('code') ?? '';
};

const exchange = (stand: Stand, more: object) =>
  stand.client('').oauth.v2.access({ client_id: stand.server.clientId, client_secret: stand.server.clientSecret, ...more });

describe('installing', () => {
  it('gives a workspace’s token for a code, once', async () => {
    await using stand = await createStand();
    await stand.control.workspace({ id: 'T02NEW', name: 'New' });
    const code = await install(stand, 'T02NEW');
    expect(
      await stand.refusal(stand.client('').oauth.v2.access({ client_id: stand.server.clientId, client_secret: 'wrong', code })),
    ).toMatchObject({ error: 'bad_client_secret' });
    const given = await exchange(stand, { code, redirect_uri: BACK });
    expect(given).toMatchObject({ team: { id: 'T02NEW' }, scope: 'chat:write,users:read', is_enterprise_install: false });
    expect(await stand.client(given.access_token ?? '').auth.test()).toMatchObject({ team_id: 'T02NEW', user_id: given.bot_user_id });
    expect(await stand.refusal(exchange(stand, { code }))).toMatchObject({ error: 'invalid_code' });
  });

  it('lets a rotating token live twelve hours and be renewed once per refresh token', async () => {
    await using stand = await createStand();
    await stand.control.workspace({ id: 'T02NEW', name: 'New' });
    await stand.control.app({ tokenRotation: true });
    const first = await exchange(stand, { code: await install(stand, 'T02NEW') });
    expect(first.expires_in).toBe(43_200);
    await stand.control.advance({ ms: 43_201_000 });
    expect(await stand.refusal(stand.client(first.access_token ?? '').auth.test())).toMatchObject({ error: 'token_expired' });
    const renew = () => exchange(stand, { grant_type: 'refresh_token', refresh_token: first.refresh_token });
    const second = await renew();
    await stand.client(second.access_token ?? '').auth.test();
    expect(await stand.refusal(renew())).toMatchObject({ error: 'invalid_refresh_token' });
  });

  it('tells of an uninstall and of revoked tokens, which are dead then', async () => {
    await using stand = await createStand();
    await stand.control.revoke({});
    expect(await stand.refusal(stand.web.auth.test())).toMatchObject({ error: 'token_revoked' });
    await stand.control.install({ team: 'T01LAB' });
    const { botToken } = await stand.control.credentials();
    await stand.client(botToken).auth.test();
    await stand.control.uninstall({ team: 'T01LAB' });
    expect(await stand.refusal(stand.client(botToken).auth.test())).toMatchObject({ error: 'account_inactive' });
    const types = (await stand.control.sent()).map((one) => (one.payload['event'] as { type: string }).type);
    expect(types).toEqual(['tokens_revoked', 'tokens_revoked', 'app_uninstalled']);
  });

  it('wants the team named where the token is an organisation’s', async () => {
    await using stand = await createStand();
    await stand.control.workspace({ id: 'T03ORG', name: 'Org', enterprise: 'E01' });
    const { botToken } = await stand.control.install({ team: 'T03ORG', org: true });
    const org = stand.client(botToken);
    expect(await org.auth.test()).toMatchObject({ enterprise_id: 'E01', is_enterprise_install: true });
    expect(await stand.refusal(org.conversations.list({}))).toMatchObject({ error: 'missing_argument' });
    await org.conversations.list({ team_id: 'T03ORG' });
  });
});
