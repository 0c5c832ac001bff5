/** `oauth.v2.access`: a code or a refresh token for tokens; and the page that hands out codes. */
import { randomBytes } from 'node:crypto';
import type { Call, Handler } from '../call.ts';
import { ApiFault } from '../fault.ts';
import type { Installation, Json } from '../model.ts';
import { addInstallation } from '../people-and-places.ts';

const TWELVE_HOURS = 43_200;

/** The app says who it is in the header (Basic) or in the body. */
const checkClient = (call: Call): void => {
  const { clientId, clientSecret } = call.world.app;
  if (call.args.text('client_id') !== clientId) throw new ApiFault('invalid_client_id');
  if (call.args.text('client_secret') !== clientSecret) throw new ApiFault('bad_client_secret');
};

const shape = (call: Call, one: Installation): Json => {
  const workspace = one.team === null ? undefined : call.world.workspaces.get(one.team);
  return {
    app_id: call.world.app.id,
    authed_user: { id: [...call.world.people.values()].find((person) => person.admin)?.id ?? 'U01ALICE' },
    scope: one.scopes.join(','),
    token_type: 'bot',
    access_token: one.botToken,
    bot_user_id: one.botUser,
    team: workspace === undefined ? null : { id: workspace.id, name: workspace.name },
    enterprise: one.enterprise === null ? null : { id: one.enterprise, name: 'The enterprise' },
    is_enterprise_install: one.team === null,
    ...(one.refreshToken === null ? {} : { refresh_token: one.refreshToken, expires_in: TWELVE_HOURS }),
  };
};

/** With rotation a token lives for twelve hours and comes with one that renews it. */
const fresh = (call: Call): Pick<Installation, 'botToken' | 'expiresAt' | 'refreshToken'> =>
  call.world.app.tokenRotation
    ? {
        botToken: `xoxe.xoxb-1-${randomBytes(12).toString('hex')}`,
        expiresAt: call.world.clock.now() + TWELVE_HOURS * 1000,
        refreshToken: `xoxe-1-${randomBytes(12).toString('hex')}`,
      }
    : { botToken: `xoxb-${randomBytes(12).toString('hex')}`, expiresAt: null, refreshToken: null };

export const access: Handler = (call) => {
  checkClient(call);
  if (call.args.text('grant_type') === 'refresh_token') {
    const token = call.args.need('refresh_token', 'invalid_refresh_token');
    const old = call.world.installations.find((one) => one.refreshToken === token);
    if (old === undefined || old.state !== 'active') throw new ApiFault('invalid_refresh_token');
    const renewed: Installation = { ...old, ...fresh(call) };
    old.refreshToken = null; // a refresh token works once; the access token lives on until it ends
    call.world.installations.unshift(renewed);
    return shape(call, renewed);
  }
  const code = call.args.need('code', 'invalid_code');
  const found = call.world.codes.get(code);
  if (found === undefined) throw new ApiFault('invalid_code');
  call.world.codes.delete(code);
  const redirect = call.args.text('redirect_uri');
  if (redirect !== null && found.redirectUri !== '' && redirect !== found.redirectUri) throw new ApiFault('bad_redirect_uri');
  return shape(call, addInstallation(call.world, found.team, { ...fresh(call), scopes: found.scopes }));
};

/** A person presses "Allow": the address to go back to, with a code. */
export const allow = (call: Pick<Call, 'world'>, query: URLSearchParams, team: string): URL => {
  const code = randomBytes(8).toString('hex');
  const redirectUri = query.get('redirect_uri') ?? '';
  call.world.codes.set(code, { team, scopes: (query.get('scope') ?? '').split(',').filter((one) => one !== ''), redirectUri });
  const back = new URL(redirectUri);
  back.searchParams.set('code', code);
  back.searchParams.set('state', query.get('state') ?? '');
  return back;
};
