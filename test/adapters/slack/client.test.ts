/** Tokens: which one is used for which workspace, and how one is exchanged before it expires. Against the stand-in, with the real SDK. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attempt, createClients, retryAfterOf, slackError } from '../../../adapters/slack/api/client.ts';
import { readSlackConfig } from '../../../adapters/slack/config.ts';
import { installationName } from '../../../adapters/slack/install/installation.ts';
import { startSlackServer } from '../../servers/slack/server.ts';
import type { SlackServer } from '../../servers/slack/server.ts';
import { createMemorySecrets } from '../../support/memory-ports.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';
import { createTestLog } from '../../support/test-log.ts';

const HOUR = 60 * 60 * 1000;

describe('clients of Slack', () => {
  let slack: SlackServer;
  beforeEach(async () => {
    slack = await startSlackServer();
  });
  afterEach(() => slack[Symbol.asyncDispose]());

  const config = (more: Readonly<Record<string, string>>) => {
    const read = readSlackConfig({ SLACK_API_URL: slack.apiUrl, SLACK_SIGNING_SECRET: slack.signingSecret, ...more });
    if (!read.ok || read.value === null) throw new Error('the settings of the test are wrong');
    return read.value;
  };
  const oauth = () =>
    config({
      SLACK_CLIENT_ID: slack.clientId,
      SLACK_CLIENT_SECRET: slack.clientSecret,
      SLACK_STATE_SECRET: 'a state secret of the test',
      SLACK_PUBLIC_URL: 'https://chat.example.org',
      HEKTOR_ENCRYPTION_KEY: 'x'.repeat(32),
    });

  /** A code of Slack’s, exchanged as the install page does it. */
  const installed = async () => {
    await slack.control.app({ tokenRotation: true });
    const page = await fetch(
      `${new URL('/oauth/v2/authorize', slack.apiUrl).href}?redirect_uri=http://127.0.0.1/x&scope=chat:write&state=s`,
      { redirect: 'manual' },
    );
    const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const form = new URLSearchParams({
      client_id: slack.clientId,
      client_secret: slack.clientSecret,
      code,
      redirect_uri: 'http://127.0.0.1/x',
    });
    const reply = (await (await fetch(`${slack.apiUrl}oauth.v2.access`, { method: 'POST', body: form })).json()) as Record<string, string>;
    return { token: reply['access_token'] ?? '', refreshToken: reply['refresh_token'] ?? '' };
  };

  it('exchanges a token that is about to expire once, however many ask on however many replicas', async () => {
    const first = await installed();
    const secrets = createMemorySecrets();
    const clock = createSteeredClock();
    const expiresAt = Math.floor((clock.now() + 12 * HOUR) / 1000);
    const bot = { ...first, userId: 'U0BOT', id: 'B0BOT', scopes: ['chat:write'], expiresAt };
    await secrets.put(installationName('T01LAB'), JSON.stringify({ team: { id: 'T01LAB' }, enterprise: null, bot, kept: 'as it is' }));
    const deps = { secrets, clock, log: createTestLog().log };
    const replicas = [createClients(oauth(), deps), createClients(oauth(), deps)];
    const tokens = async (): Promise<readonly string[]> => {
      const asked = await Promise.all(Array.from({ length: 20 }, (_, n) => replicas[n % 2]!.of('T01LAB')));
      return [...new Set(asked.map((one) => (one.ok ? one.value.token : one.failure.detail)))];
    };
    const exchanges = async (): Promise<number> => (await slack.control.calls({ method: 'oauth.v2.access' })).length - 1;

    expect(await tokens()).toEqual([first.token]);
    expect(await exchanges()).toBe(0);
    clock.advance(11 * HOUR);
    const [second, ...others] = await tokens();
    expect(others).toEqual([]);
    expect(second).not.toBe(first.token);
    expect(await exchanges()).toBe(1);
    const kept = await secrets.get(installationName('T01LAB'));
    expect(kept.ok && JSON.parse(kept.value ?? '')).toMatchObject({ kept: 'as it is', bot: { token: second } });
  });

  it('goes on with the old token while it lasts, where the exchange fails', async () => {
    const first = await installed();
    const secrets = createMemorySecrets();
    const clock = createSteeredClock();
    const bot = { ...first, refreshToken: 'xoxe-1-unknown', userId: 'U0BOT', expiresAt: Math.floor((clock.now() + HOUR) / 1000) };
    await secrets.put(installationName('T01LAB'), JSON.stringify({ team: { id: 'T01LAB' }, bot }));
    const clients = createClients(oauth(), { secrets, clock, log: createTestLog().log });
    expect(await clients.of('T01LAB')).toMatchObject({ ok: true, value: { token: first.token } });
    clock.advance(2 * HOUR);
    expect(await clients.of('T01LAB')).toMatchObject({ ok: false });
  });

  it('U113: a workspace in which the app is not installed has no client', async () => {
    const clients = createClients(oauth(), { secrets: createMemorySecrets(), clock: createSteeredClock(), log: createTestLog().log });
    expect(await clients.of('T0PARTNER')).toMatchObject({ ok: false, failure: { code: 'config-invalid' } });
    const single = createClients(config({ SLACK_BOT_TOKEN: slack.botToken }), {
      secrets: createMemorySecrets(),
      clock: createSteeredClock(),
      log: createTestLog().log,
    });
    expect(await single.identity()).toMatchObject({ ok: true, value: { team: 'T01LAB', botUser: 'U0BOT' } });
    expect(await single.of('T01LAB')).toMatchObject({ ok: true });
    expect(await single.of('T0PARTNER')).toMatchObject({ ok: false });
  });

  it('an organisation’s token names the workspace that a call is about', async () => {
    const secrets = createMemorySecrets();
    const bot = { token: slack.botToken, userId: 'U0BOT' };
    await secrets.put(installationName('E01'), JSON.stringify({ team: null, enterprise: { id: 'E01' }, isEnterpriseInstall: true, bot }));
    const clients = createClients(oauth(), { secrets, clock: createSteeredClock(), log: createTestLog().log });
    const client = await clients.of('E01', 'T01LAB');
    if (!client.ok) throw new Error(client.failure.detail);
    await attempt(() => client.value.web.conversations.open({ users: 'U01ALICE' }));
    expect((await slack.control.calls({ method: 'conversations.open' })).at(-1)?.args).toMatchObject({ team_id: 'T01LAB' });
  });

  it('turns what a call throws into what can be done about it', async () => {
    const clients = createClients(config({ SLACK_BOT_TOKEN: slack.botToken }), {
      secrets: createMemorySecrets(),
      clock: createSteeredClock(),
      log: createTestLog().log,
    });
    const client = await clients.of('T01LAB');
    if (!client.ok) throw new Error(client.failure.detail);
    const open = () => attempt(() => client.value.web.conversations.open({ users: 'U01ALICE' }));
    await slack.control.fault({ method: 'conversations.open', retryAfter: 7 });
    const limited = await open();
    expect(limited).toMatchObject({ ok: false, failure: { code: 'rate-limited', waitSeconds: 7 } });
    expect(limited.ok ? null : retryAfterOf(limited.failure)).toBe(7);
    await slack.control.fault({ method: 'conversations.open', error: 'channel_not_found' });
    const refused = await open();
    expect(refused.ok ? null : [refused.failure.code, slackError(refused.failure)]).toEqual(['delivery-refused', 'channel_not_found']);
    await slack.control.fault({ method: 'conversations.open', drop: 'reply' });
    expect(await open()).toMatchObject({ ok: false, failure: { code: 'delivery-unknown' } });
    // Nothing that changes something was tried twice, and a lost answer of a reading call is asked for again.
    expect(await slack.control.calls({ method: 'conversations.open' })).toHaveLength(3);
    await slack.control.fault({ method: 'users.info', drop: 'reply' });
    expect(await attempt(() => client.value.read.users.info({ user: 'U01ALICE' }))).toMatchObject({ ok: true });
  });
});
