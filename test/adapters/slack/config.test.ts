/** Slack's settings, the manifest that is made from them, what the doctor says of them, and who may be sent the token. Pure, but for the doctor. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSlack } from '../../../adapters/slack/install/check.ts';
import { readManifestWish, readSlackConfig, slackSettings } from '../../../adapters/slack/config.ts';
import { isSlackHost } from '../../../adapters/slack/handle/download.ts';
import { toManifest } from '../../../adapters/slack/install/manifest.ts';
import { eventsFor, scopesFor } from '../../../adapters/slack/install/scopes.ts';
import { systemClock } from '../../../src/infra/system/clock.ts';
import { startSlackServer } from '../../servers/slack/server.ts';
import type { SlackServer } from '../../servers/slack/server.ts';
import { createMemorySecrets, createMemorySharedFacts } from '../../support/memory-ports.ts';
import { createTestLog } from '../../support/test-log.ts';

type Env = Readonly<Record<string, string>>;
const problems = (env: Env): readonly string[] => {
  const read = readSlackConfig(env);
  return !read.ok && read.failure.code === 'config-invalid' ? read.failure.problems : [];
};

describe('settings', () => {
  it('are none where Slack is not set up', () => {
    expect(readSlackConfig({})).toEqual({ ok: true, value: null });
    expect(readSlackConfig({ SLACK_BOT_TOKEN: ' ', SLACK_API_URL: 'https://slack.com/api', SLACK_PUBLIC_URL: 'https://e.org' })).toEqual({
      ok: true,
      value: null,
    });
  });

  it('choose the socket where its token is set, signed HTTP otherwise', () => {
    const env = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 's' };
    expect(readSlackConfig(env)).toMatchObject({
      value: { transport: { kind: 'http' }, apiUrl: 'https://slack.com/api/', command: '/hektor' },
    });
    expect(readSlackConfig({ ...env, SLACK_APP_TOKEN: 'xapp-1' })).toMatchObject({ value: { transport: { kind: 'socket' } } });
  });

  it('tell every problem at once, and name no value', () => {
    const wrong = problems({
      SLACK_BOT_TOKEN: 'xapp-secret',
      SLACK_APP_TOKEN: 'xoxb-secret',
      SLACK_API_URL: 'ftp://e.org',
      SLACK_COMMAND: 'hektor',
      SLACK_ACCESS: 'none',
    });
    expect(wrong.map((problem) => problem.split(':')[0])).toEqual([
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'SLACK_API_URL',
      'SLACK_COMMAND',
      'SLACK_ACCESS',
    ]);
    expect(wrong.join('\n')).not.toContain('secret');
    expect(problems({ SLACK_BOT_TOKEN: 'xoxb-1' })).toEqual([expect.stringMatching(/^SLACK_APP_TOKEN: set it for Socket Mode/)]);
    expect(problems({ SLACK_SIGNING_SECRET: 's' })).toEqual([expect.stringMatching(/^SLACK_BOT_TOKEN: must be set/)]);
    expect(
      problems({ SLACK_CLIENT_ID: 'c', SLACK_SIGNING_SECRET: 's', SLACK_BOT_TOKEN: 'xoxb-1' }).map((problem) => problem.split(':')[0]),
    ).toEqual(['SLACK_BOT_TOKEN', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET', 'SLACK_PUBLIC_URL', 'HEKTOR_ENCRYPTION_KEY']);
  });

  it('are all named in .env.example and docs/slack.md', () => {
    const root = resolve(import.meta.dirname, '../../..');
    const [example, page] = ['.env.example', 'docs/slack.md'].map((path) => readFileSync(resolve(root, path), 'utf8'));
    expect(slackSettings.filter((name) => !example!.includes(`${name}=`))).toEqual([]);
    expect(slackSettings.filter((name) => !page!.includes(name))).toEqual([]);
    for (const { scope } of scopesFor({ access: 'all', agent: true })) expect(page).toContain(`\`${scope}\``);
  });
});

describe('the manifest', () => {
  const manifest = (env: Env) => {
    const wish = readManifestWish(env);
    if (!wish.ok) throw new Error(wish.failure.detail);
    return toManifest(wish.value);
  };

  it('needs no address for a socket', () => {
    const made = manifest({});
    expect(JSON.stringify(made)).not.toMatch(/https?:|request_url|redirect_urls/);
    expect(made.settings).toMatchObject({ socket_mode_enabled: true, org_deploy_enabled: false, interactivity: { is_enabled: true } });
    expect(made.settings.event_subscriptions.bot_events).toEqual(
      expect.arrayContaining(['app_mention', 'message.channels', 'message.im', 'app_uninstalled']),
    );
  });

  it('has every address for HTTP, and the way back for OAuth', () => {
    const made = manifest({ SLACK_PUBLIC_URL: 'https://chat.example.org/' });
    expect(made.settings).toMatchObject({
      socket_mode_enabled: false,
      event_subscriptions: { request_url: 'https://chat.example.org/slack/events' },
      interactivity: { request_url: 'https://chat.example.org/slack/events' },
    });
    expect(made.features.slash_commands).toMatchObject([
      { command: '/hektor', url: 'https://chat.example.org/slack/events', should_escape: true },
    ]);
    expect(made.oauth_config).not.toHaveProperty('redirect_urls');
    const many = manifest({ SLACK_PUBLIC_URL: 'https://chat.example.org', SLACK_CLIENT_ID: 'c' });
    expect(many.oauth_config).toMatchObject({ redirect_urls: ['https://chat.example.org/slack/oauth_redirect'] });
    expect(many.settings.org_deploy_enabled).toBe(true);
  });

  it('asks for less where less is wanted, and for the panel only on request', () => {
    const least = manifest({ SLACK_ACCESS: 'mentions' });
    expect(least.oauth_config.scopes.bot).not.toContain('channels:history');
    expect(least.settings.event_subscriptions.bot_events).not.toContain('message.channels');
    expect(least.settings.event_subscriptions.bot_events).toContain('message.im');
    expect(least.features).not.toHaveProperty('agent_view');
    const panel = manifest({ SLACK_AGENT: 'on' });
    expect(panel.oauth_config.scopes.bot).toContain('assistant:write');
    expect(panel.settings.event_subscriptions.bot_events).toContain('agent_session_stopped');
    expect(panel.features.agent_view?.suggested_prompts.length).toBeLessThanOrEqual(4);
  });

  it('keeps to Slack’s lengths', () => {
    const { display_information: shown, features } = manifest({ SLACK_AGENT: 'on' });
    expect(shown.name.length).toBeLessThanOrEqual(35);
    expect(shown.description.length).toBeLessThanOrEqual(140);
    expect(shown.long_description.length).toBeGreaterThanOrEqual(174);
    expect(features.agent_view?.agent_description.length).toBeLessThanOrEqual(300);
    for (const shortcut of features.shortcuts) expect(shortcut.name.length).toBeLessThanOrEqual(24);
  });

  it('every event has the scope that it takes', () => {
    const takes: Readonly<Record<string, string>> = {
      app_mention: 'app_mentions:read',
      'message.im': 'im:history',
      'message.channels': 'channels:history',
      'message.groups': 'groups:history',
      'message.mpim': 'mpim:history',
      member_joined_channel: 'channels:read',
      channel_archive: 'channels:read',
      channel_deleted: 'channels:read',
      group_archive: 'groups:read',
      group_deleted: 'groups:read',
      agent_session_stopped: 'assistant:write',
    };
    for (const app of [{ access: 'all', agent: true } as const, { access: 'mentions', agent: false } as const]) {
      const scopes = new Set(scopesFor(app).map(({ scope }) => scope));
      expect(eventsFor(app).filter(({ event }) => takes[event] !== undefined && !scopes.has(takes[event]))).toEqual([]);
    }
  });
});

describe('where the token may go', () => {
  it.each([
    ['https://files.slack.com/files-pri/T1-F1/x.png', true],
    ['https://slack.com/files/x', true],
    ['https://evil-slack.com/x', false],
    ['https://slack.com.evil.org/x', false],
    ['https://files.slack.com:8443/x', false],
    ['http://files.slack.com/x', false],
    ['https://me@files.slack.com/x', false],
    ['https://docs.google.com/x', false],
    ['not a url', false],
  ])('%s: %s', (url, may) => {
    expect(isSlackHost(url, 'https://slack.com/api/')).toBe(may);
  });

  it('to the configured base where that is another one', () => {
    expect(isSlackHost('http://127.0.0.1:3955/files-pri/x', 'http://127.0.0.1:3955/api/')).toBe(true);
    expect(isSlackHost('http://127.0.0.1:3956/files-pri/x', 'http://127.0.0.1:3955/api/')).toBe(false);
  });
});

describe('the doctor', () => {
  let slack: SlackServer;
  beforeEach(async () => {
    slack = await startSlackServer();
  });
  afterEach(() => slack[Symbol.asyncDispose]());

  const findings = async (env: Env, shared = createMemorySharedFacts()) => {
    const read = readSlackConfig({ SLACK_API_URL: slack.apiUrl, ...env });
    if (!read.ok || read.value === null) throw new Error('the settings of the test are wrong');
    return checkSlack(read.value, { log: createTestLog().log, clock: systemClock, secrets: createMemorySecrets(), shared });
  };
  const right = () => ({ SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken });

  it('finds nothing wrong where nothing is', async () => {
    const shared = createMemorySharedFacts();
    for (const { event } of eventsFor({ access: 'all', agent: false })) await shared.set(`seen/${event}`, 'now', null);
    const found = await findings(right(), shared);
    expect(found.map(({ kind }) => kind)).toEqual(found.map(() => 'good'));
    expect(found.map(({ text }) => text).join('\n')).toMatch(/T01LAB[\s\S]*scopes are granted[\s\S]*opens a socket/);
  });

  it('names each missing scope, what it is for, and where it is added', async () => {
    const all = scopesFor({ access: 'all', agent: false }).map(({ scope }) => scope);
    await slack.control.scopes({ scopes: all.filter((scope) => scope !== 'files:read' && scope !== 'users:read') });
    const faults = (await findings(right())).filter(({ kind }) => kind === 'fault');
    expect(faults.map(({ text }) => /scope (\S+) is missing/.exec(text)?.[1])).toEqual(['users:read', 'files:read']);
    for (const { fix } of faults) expect(fix).toMatch(/OAuth & Permissions[\s\S]*install the app again/);
  });

  it('says which token is wrong and where the right one is', async () => {
    const faults = (await findings({ SLACK_BOT_TOKEN: 'xoxb-wrong', SLACK_APP_TOKEN: 'xapp-wrong' })).filter(
      ({ kind }) => kind === 'fault',
    );
    expect(faults.map(({ text }) => text)).toEqual([
      expect.stringContaining('SLACK_BOT_TOKEN'),
      expect.stringContaining('SLACK_APP_TOKEN'),
    ]);
    expect(faults.map(({ fix }) => fix)).toEqual([expect.stringContaining('xoxb-'), expect.stringContaining('xapp-')]);
  });

  it('names the events that never came', async () => {
    const shared = createMemorySharedFacts();
    await shared.set('seen/app_mention', 'now', null);
    const advice = (await findings(right(), shared)).filter(({ kind }) => kind === 'advice');
    expect(advice.map(({ text }) => /no event (\S+)/.exec(text)?.[1])).toEqual([
      'message.im',
      'message.channels',
      'message.groups',
      'message.mpim',
      'app_home_opened',
    ]);
    expect(advice[0]?.fix).toMatch(/Event Subscriptions/);
  });
});
