/** Slack, many workspaces: installed by OAuth, tokens sealed, each workspace by itself, everything gone when the app is removed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../support/app.ts';
import { freePort, startSlackApp } from '../support/slack-app.ts';
import type { SlackApp } from '../support/slack-app.ts';

describe('Slack, installed by OAuth', { timeout: 180_000 }, () => {
  let app: SlackApp;
  let hektor: App;
  beforeAll(async () => {
    app = await startSlackApp({ transport: 'http', start: false });
    await app.control.app({ events: [...new Set(['app_mention', 'message.channels', 'message.im', 'app_uninstalled', 'tokens_revoked'])] });
    const port = await freePort();
    hektor = await app.start({
      PORT: String(port),
      SLACK_BOT_TOKEN: '',
      SLACK_CLIENT_ID: app.slack.clientId,
      SLACK_CLIENT_SECRET: app.slack.clientSecret,
      SLACK_STATE_SECRET: 'a state secret of the test',
      SLACK_PUBLIC_URL: `http://127.0.0.1:${port}`,
      HEKTOR_ENCRYPTION_KEY: 'an encryption key of the test, long enough',
    });
    await app.control.channel({ id: 'C9PART', team: 'T0PARTNER', name: 'crates', members: ['U0EXTERN'] });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** What a browser does: to the install page, to Slack, and back. */
  const install = async (team: string, { cookie = true } = {}): Promise<Response> => {
    const begun = await fetch(`${hektor.url}/slack/install`, { redirect: 'manual' });
    expect(begun.status).toBe(302);
    const allowed = await fetch(`${begun.headers.get('location')}&team=${team}`, { redirect: 'manual' });
    const back = allowed.headers.get('location') ?? '';
    expect(back.startsWith(`${hektor.url}/slack/oauth_redirect?`)).toBe(true);
    const state = begun.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    return fetch(back, { headers: cookie ? { cookie: state } : {} });
  };
  const stored = async (workspace: string): Promise<readonly string[]> =>
    (await app.redis.look().keys('*')).filter((key) => key.includes(workspace) && key.startsWith('{c:'));
  const secrets = (): Promise<string[]> => app.redis.look().hkeys('{hektor}:secrets');

  it('asks Slack for the scopes it needs, and takes nobody’s word for who began', async () => {
    const begun = await fetch(`${hektor.url}/slack/install`, { redirect: 'manual' });
    const asked = new URL(begun.headers.get('location') ?? '');
    expect(asked.pathname).toBe('/oauth/v2/authorize');
    expect(asked.searchParams.get('scope')?.split(',')).toEqual(expect.arrayContaining(['chat:write', 'files:read', 'channels:history']));
    expect((await install('T01LAB', { cookie: false })).status).toBe(400);
    expect(
      (await fetch(`${hektor.url}/slack/oauth_redirect?code=x&state=forged`, { headers: { cookie: 'slack-app-oauth-state=forged' } })).ok,
    ).toBe(false);
    expect(await secrets()).toEqual([]);
    expect((await fetch(`${hektor.url}/slack/elsewhere`)).status).toBe(404);
  });

  it('U113, U109: each workspace has its own token, sealed, and its own sessions', async () => {
    expect((await install('T01LAB')).status).toBe(200);
    expect((await install('T0PARTNER')).status).toBe(200);
    expect((await secrets()).toSorted()).toEqual(['slack/installation/T01LAB', 'slack/installation/T0PARTNER']);
    const sealed = Object.values(await app.redis.look().hgetall('{hektor}:secrets')).join('\n');
    const tokens = await Promise.all(['T01LAB', 'T0PARTNER'].map(async (team) => (await app.control.credentials({ team })).botToken));
    for (const token of tokens) expect(sealed).not.toContain(token);
    const { botUser } = await app.control.credentials({ team: 'T0PARTNER' });
    await app.control.invite({ channel: 'C9PART', user: botUser });

    const mine = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: '@hektor the word is marmalade' });
    await app.answered('C01GEN', mine.ts);
    const theirs = await app.control.say({ user: 'U0EXTERN', channel: 'C9PART', text: `<@${botUser}> what is the word?`, raw: true });
    await app.answered('C9PART', theirs.ts);
    expect(JSON.stringify(app.model.asked.at(-1)?.messages)).not.toContain('marmalade');
    const posts = (await app.control.calls()).filter((call) => call.method.startsWith('chat.'));
    for (const call of posts) expect(call.team).toBe(JSON.stringify(call.args).includes('C9PART') ? 'T0PARTNER' : 'T01LAB');
    expect(await stored('T0PARTNER')).not.toEqual([]);
  });

  it('U115: what is stored of a workspace goes when the app is removed there, and only that', async () => {
    expect(await stored('T01LAB')).not.toEqual([]);
    await app.control.uninstall({ team: 'T0PARTNER' });
    await app.control.until(async () => !(await secrets()).includes('slack/installation/T0PARTNER'), 'the token to go');
    await app.control.until(async () => (await stored('T0PARTNER')).length === 0, 'what is stored to go');
    expect(await stored('T01LAB')).not.toEqual([]);
    const later = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: '@hektor still there?' });
    await app.answered('C01GEN', later.ts);
  });
});
