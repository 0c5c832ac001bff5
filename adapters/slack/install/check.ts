/** What the doctor says of Slack: tokens, scopes, transport, events; for each fault what to tick where. */
import { advice, fault, good } from '../../../src/core/finding.ts';
import type { Finding } from '../../../src/core/finding.ts';
import type { CheckDeps } from '../../../src/ports/adapter.ts';
import { attempt, createClients, slackError, webClient } from '../api/client.ts';
import type { Identity } from '../api/client.ts';
import type { SlackConfig } from '../config.ts';
import { INSTALLATIONS } from './installation.ts';
import { eventsFor, scopesFor } from './scopes.ts';

const SCOPES_PAGE = 'api.slack.com/apps, OAuth & Permissions, Bot Token Scopes';

export const checkSlack = async (config: SlackConfig, deps: CheckDeps): Promise<readonly Finding[]> => [
  ...(config.credentials.kind === 'token' ? await checkToken(config, deps) : await checkInstallations(config, deps)),
  ...(await checkTransport(config, deps)),
  ...(await checkEvents(config, deps)),
];

const checkToken = async (config: SlackConfig, deps: CheckDeps): Promise<readonly Finding[]> => {
  const identity = await createClients(config, deps).identity();
  if (!identity.ok) return [tokenFault('SLACK_BOT_TOKEN', slackError(identity.failure), identity.failure.detail)];
  if (identity.value === null) return [];
  const { team, botUser } = identity.value;
  return [
    good('Slack', `SLACK_BOT_TOKEN is of the workspace ${team}, where the bot is ${botUser}`),
    ...scopeFindings(config, identity.value.scopes, 'Slack'),
  ];
};

const tokenFault = (what: string, error: string | null, detail: string): Finding => {
  switch (error) {
    case null:
      return fault('Slack', `Slack cannot be reached (${detail})`, 'Check the network, a proxy (NODE_USE_ENV_PROXY=1) and SLACK_API_URL');
    case 'invalid_auth':
    case 'not_authed':
      return fault(
        'Slack',
        `${what} is not a token that Slack knows (${error})`,
        'Copy the Bot User OAuth Token (xoxb-…) from api.slack.com/apps, OAuth & Permissions, into SLACK_BOT_TOKEN',
      );
    case 'account_inactive':
    case 'token_revoked':
    case 'token_expired':
      return fault(
        'Slack',
        `${what} is no longer valid (${error})`,
        'Install the app again at api.slack.com/apps, Install App, and copy the new token',
      );
    default:
      return fault('Slack', `Slack refuses ${what} (${error})`, 'Look the word up at docs.slack.dev/reference/methods/auth.test');
  }
};

const scopeFindings = (config: SlackConfig, scopes: Identity['scopes'], of: string): readonly Finding[] => {
  // Not every server in front of Slack hands the scopes on.
  if (scopes.length === 0)
    return [advice(of, 'Slack did not say which scopes the token has', `Compare them with docs/slack.md at ${SCOPES_PAGE}`)];
  const missing = scopesFor(config.app).filter(({ scope }) => !scopes.includes(scope));
  if (missing.length === 0) return [good(of, `all ${scopesFor(config.app).length} scopes are granted`)];
  return missing.map(({ scope, why }) =>
    fault(
      of,
      `the scope ${scope} is missing: without it ${why}`,
      `Add ${scope} at ${SCOPES_PAGE}, then install the app again at Install App`,
    ),
  );
};

const checkInstallations = async (config: SlackConfig, deps: CheckDeps): Promise<readonly Finding[]> => {
  const names = await deps.secrets.list(INSTALLATIONS);
  if (!names.ok)
    return [
      fault('Slack', `the stored installations cannot be listed (${names.failure.detail})`, 'Check REDIS_URL and HEKTOR_ENCRYPTION_KEY'),
    ];
  const install = config.credentials.kind === 'oauth' ? `${config.credentials.publicUrl}/slack/install` : '';
  if (names.value.length === 0) return [advice('Slack', 'the app is not installed in any workspace yet', `Open ${install} in a browser`)];
  const clients = createClients(config, deps);
  const findings = await Promise.all(
    names.value.slice(0, 20).map(async (name): Promise<readonly Finding[]> => {
      const workspace = name.slice(INSTALLATIONS.length);
      const of = `Slack (${workspace})`;
      const client = await clients.of(workspace);
      if (!client.ok) return [fault(of, `its token cannot be read (${client.failure.detail})`, `Install the app there again: ${install}`)];
      const asked = await attempt(() => client.value.read.auth.test());
      if (!asked.ok) return [fault(of, `Slack refuses its token (${asked.failure.detail})`, `Install the app there again: ${install}`)];
      return [
        good(of, `installed in ${asked.value.team ?? workspace}`),
        ...scopeFindings(config, asked.value.response_metadata?.scopes ?? [], of),
      ];
    }),
  );
  return findings.flat();
};

const checkTransport = async (config: SlackConfig, deps: CheckDeps): Promise<readonly Finding[]> => {
  if (config.transport.kind === 'http')
    return [
      advice(
        'Slack',
        'events come by HTTP, which only Slack can try',
        'At api.slack.com/apps, Event Subscriptions, the Request URL must end in /slack/events and be marked Verified; the same URL stands at Interactivity and at the slash command',
      ),
    ];
  const { appToken } = config.transport;
  const opened = await attempt(() => webClient(config.apiUrl, deps.log, appToken).apps.connections.open({}));
  if (opened.ok) return [good('Slack', 'SLACK_APP_TOKEN opens a socket')];
  const error = slackError(opened.failure);
  const fixes: { readonly [error: string]: string } = {
    missing_scope: 'At api.slack.com/apps, Basic Information, App-Level Tokens, make a token with the scope connections:write',
    not_allowed_token_type: 'SLACK_APP_TOKEN must be an app-level token (xapp-…), not a bot token',
    invalid_auth: 'Copy the app-level token (xapp-…) from api.slack.com/apps, Basic Information, App-Level Tokens',
    link_disabled: 'Switch Socket Mode on at api.slack.com/apps, Socket Mode',
  };
  return [
    fault(
      'Slack',
      `SLACK_APP_TOKEN opens no socket (${error ?? opened.failure.detail})`,
      (error === null ? undefined : fixes[error]) ?? 'Check Socket Mode at api.slack.com/apps, and the network',
    ),
  ];
};

/** Slack tells no app what it is subscribed to; the gateway notes what has come in. */
const checkEvents = async (config: SlackConfig, deps: CheckDeps): Promise<readonly Finding[]> => {
  const expected = eventsFor(config.app).filter(({ event }) => /^(app_mention|message\.|app_home_opened)/.test(event));
  const seen = await Promise.all(expected.map(async ({ event }) => deps.shared.get(`seen/${event}`)));
  // Where Redis does not say, there is nothing to be told; that it is away is told elsewhere.
  if (seen.some((fact) => !fact.ok)) return [];
  const never = expected.filter((_, index) => {
    const fact = seen[index];
    return fact !== undefined && fact.ok && fact.value === null;
  });
  const page = 'api.slack.com/apps, Event Subscriptions, Subscribe to bot events';
  if (never.length === expected.length)
    return [
      advice(
        'Slack',
        'no event has come in yet',
        `Mention the bot in a channel that it is in. If nothing comes, compare ${page} with docs/slack.md, and install the app again after a change`,
      ),
    ];
  if (never.length === 0) return [good('Slack', 'every kind of message event has come in')];
  return never.map(({ event, why }) =>
    advice(
      'Slack',
      `no event ${event} has come in yet; if it is not subscribed, ${why}`,
      `Add ${event} at ${page}, then install the app again`,
    ),
  );
};
