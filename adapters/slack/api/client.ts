/**
 * Slack's Web API for one workspace. Both halves get their clients here, so that tokens, time limits and the handling of rate limits are
 * decided once.
 *
 * A client never waits out a rate limit (one call's limit would hold up every other call) and never repeats a write: whoever writes knows
 * whether writing twice does harm. What a call can throw is turned into a failure by `attempt`.
 */
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError, WebClient } from '@slack/web-api';
import type { Failure } from '../../../src/core/failure.ts';
import { failure } from '../../../src/core/failure.ts';
import type { Result } from '../../../src/core/result.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { Secrets } from '../../../src/ports/secrets.ts';
import type { SlackConfig } from '../config.ts';
import type { StoredInstallation } from '../install/installation.ts';
import { decodeInstallation, installationName, isExpiring, refreshed } from '../install/installation.ts';
import { slackLog } from './slack-log.ts';

export type SlackClient = {
  /** For everything that changes something: nothing is tried twice. */
  readonly web: WebClient;
  /** For reading: a lost reply is asked for again, twice at most. */
  readonly read: WebClient;
  /** For downloads; goes to Slack's own hosts only. */
  readonly token: string;
  /** The bot's own user id, where it is known without asking; '' otherwise (see `identity`). */
  readonly botUser: string;
};

/** Who the one token of a single workspace belongs to. */
export type Identity = {
  readonly team: string;
  readonly enterprise: string | null;
  readonly botUser: string;
  readonly scopes: readonly string[];
};

export type Clients = {
  /**
   * The client for a workspace: a team id, or an enterprise id where the app is installed for an organisation; then `team` names the
   * workspace that calls are about. Takes no network where the token is at hand and fresh. A failure: not installed there
   * (`config-invalid`), or the store does not answer.
   */
  readonly of: (workspace: string, team?: string) => Promise<Result<SlackClient, Failure>>;
  /** Who the token of the one workspace is, from `auth.test`, asked once; null with OAuth, where there is no such token. */
  readonly identity: () => Promise<Result<Identity | null, Failure>>;
  /** Drops what is remembered of a workspace: its app was removed or installed anew. */
  readonly forget: (workspace: string) => void;
};

type ClientDeps = { readonly secrets: Secrets; readonly log: Log; readonly clock: Clock };

const TIMEOUT_MS = 15_000;
/** How long an installation is used without looking at the stored one: another process may have exchanged its token or removed it. */
const REMEMBER_MS = 60_000;

/** A client for the Web API with a token, or without one for the calls that need none. */
export const webClient = (
  apiUrl: string,
  log: Log,
  token?: string,
  options: { readonly retries?: number; readonly teamId?: string } = {},
): WebClient =>
  new WebClient(token, {
    slackApiUrl: apiUrl,
    timeout: TIMEOUT_MS,
    retryConfig: { retries: options.retries ?? 0, minTimeout: 300, maxTimeout: 2_000 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: slackLog(log),
    ...(options.teamId === undefined ? {} : { teamId: options.teamId }),
  });

export const createClients = (config: SlackConfig, deps: ClientDeps): Clients => {
  const made = new Map<string, SlackClient>();
  /** One client for each token and workspace; a token that is no longer used goes with the next that takes its place. */
  const clientOf = (workspace: string, token: string, botUser: string, teamId: string | undefined): SlackClient => {
    const key = `${workspace}/${teamId ?? ''}`;
    const known = made.get(key);
    if (known !== undefined && known.token === token) return known;
    const scope = teamId === undefined ? {} : { teamId };
    const client = {
      web: webClient(config.apiUrl, deps.log, token, scope),
      read: webClient(config.apiUrl, deps.log, token, { retries: 2, ...scope }),
      token,
      botUser,
    };
    made.set(key, client);
    return client;
  };
  return config.credentials.kind === 'token'
    ? ofOneWorkspace(config, deps, config.credentials.botToken, clientOf)
    : ofInstallations(config, deps, config.credentials, clientOf, made);
};

type ClientOf = (workspace: string, token: string, botUser: string, teamId: string | undefined) => SlackClient;

const ofOneWorkspace = (config: SlackConfig, deps: ClientDeps, token: string, clientOf: ClientOf): Clients => {
  let known: Identity | undefined;
  /** An organisation's token names the workspace that a call is about. */
  const mine = (team?: string): SlackClient => clientOf('', token, known?.botUser ?? '', team);
  return {
    of: async (workspace, team) => {
      // Not asked for here: an event tells of its workspace itself, and waiting for Slack would hold up its acknowledgement.
      if (known !== undefined && workspace !== known.team && workspace !== known.enterprise) return err(notInstalled(workspace));
      return ok(mine(team === workspace ? undefined : team));
    },
    identity: async () => {
      if (known !== undefined) return ok(known);
      const asked = await attempt(() => mine().read.auth.test());
      if (!asked.ok) return asked;
      const { team_id: team = '', user_id: botUser = '', enterprise_id: enterprise, response_metadata: meta } = asked.value;
      known = { team, botUser, enterprise: enterprise ?? null, scopes: meta?.scopes ?? [] };
      return ok(known);
    },
    forget: () => {},
  };
};

const ofInstallations = (
  config: SlackConfig,
  deps: ClientDeps,
  oauth: { readonly clientId: string; readonly clientSecret: string },
  clientOf: ClientOf,
  made: Map<string, SlackClient>,
): Clients => {
  const remembered = new Map<string, { readonly installation: StoredInstallation; readonly until: number }>();

  const stored = async (workspace: string): Promise<Result<StoredInstallation, Failure>> => {
    const text = await deps.secrets.get(installationName(workspace));
    if (!text.ok) return text;
    const installation = text.value === null ? null : decodeInstallation(text.value);
    return installation === null ? err(notInstalled(workspace)) : ok(installation);
  };

  /** Exchanges the token, one process at a time: a refresh token is good for one exchange. */
  const refresh = async (workspace: string): Promise<Result<StoredInstallation, Failure>> => {
    const exchanged = await deps.secrets.withLock(installationName(workspace), async () => {
      const now = await stored(workspace);
      if (!now.ok || !isExpiring(now.value, deps.clock.now())) return now;
      const reply = await attempt(() =>
        webClient(config.apiUrl, deps.log).oauth.v2.access({
          client_id: oauth.clientId,
          client_secret: oauth.clientSecret,
          grant_type: 'refresh_token',
          refresh_token: now.value.bot.refreshToken ?? '',
        }),
      );
      if (!reply.ok) return reply;
      const fresh = refreshed(now.value, reply.value, deps.clock.now());
      if (fresh === null) return err(failure('delivery-refused', {}, 'oauth.v2.access gave no new token'));
      const kept = await deps.secrets.put(installationName(workspace), JSON.stringify(fresh));
      return kept.ok ? ok(fresh) : kept;
    });
    return exchanged.ok ? exchanged.value : exchanged;
  };

  const current = async (workspace: string): Promise<Result<StoredInstallation, Failure>> => {
    const now = deps.clock.now();
    const known = remembered.get(workspace);
    if (known !== undefined && known.until > now && !isExpiring(known.installation, now)) return ok(known.installation);
    const read = await stored(workspace);
    if (!read.ok) return read;
    if (!isExpiring(read.value, now)) return remember(workspace, read.value);
    const fresh = await refresh(workspace);
    if (fresh.ok) return remember(workspace, fresh.value);
    // The old token is good for a while yet; only when it has expired is there nothing left to use.
    deps.log.warn({ workspace, detail: fresh.failure.detail }, 'a Slack token could not be exchanged for a new one');
    return (read.value.bot.expiresAt ?? 0) > now / 1000 ? ok(read.value) : fresh;
  };
  const remember = (workspace: string, installation: StoredInstallation): Result<StoredInstallation, Failure> => {
    remembered.set(workspace, { installation, until: deps.clock.now() + REMEMBER_MS });
    return ok(installation);
  };

  return {
    of: async (workspace, team) => {
      const installation = await current(workspace);
      if (!installation.ok) return installation;
      const { bot, isEnterpriseInstall: org } = installation.value;
      return ok(clientOf(workspace, bot.token, bot.userId, org === true && team !== workspace ? team : undefined));
    },
    identity: () => Promise.resolve(ok(null)),
    forget: (workspace) => {
      remembered.delete(workspace);
      for (const key of made.keys()) if (key.startsWith(`${workspace}/`)) made.delete(key);
    },
  };
};

const notInstalled = (workspace: string): Failure => {
  const problem = `the app is not installed in the Slack workspace ${workspace}`;
  return failure('config-invalid', { problems: [problem] }, problem);
};

/** What Slack said no with (`channel_not_found`), or null where a failure is of another kind. */
export const slackError = (of: Failure): string | null => (of.cause instanceof WebAPIPlatformError ? of.cause.data.error : null);
/** Seconds to wait, where Slack limited the rate of a call; null otherwise. */
export const retryAfterOf = (of: Failure): number | null => (of.cause instanceof WebAPIRateLimitedError ? of.cause.retryAfter : null);

/**
 * Makes a call and turns what it throws into a failure whose `cause` keeps Slack's error: `rate-limited` with the time to wait,
 * `delivery-refused` where Slack said no, `delivery-unknown` where no answer came or the server failed.
 */
export const attempt = async <T>(call: () => Promise<T>): Promise<Result<T, Failure>> => {
  try {
    return ok(await call());
  } catch (error) {
    if (error instanceof WebAPIRateLimitedError)
      return err(failure('rate-limited', { waitSeconds: error.retryAfter }, error.message, error));
    if (error instanceof WebAPIPlatformError) {
      // Slack's own trouble, which passes.
      const passing = /^(internal_error|fatal_error|service_unavailable|request_timeout|ratelimited)$/.test(error.data.error);
      return err(failure(passing ? 'delivery-unknown' : 'delivery-refused', {}, error.data.error, error));
    }
    if (error instanceof WebAPIHTTPError) {
      const passing = error.statusCode >= 500;
      return err(failure(passing ? 'delivery-unknown' : 'delivery-refused', {}, `HTTP ${error.statusCode}`, error));
    }
    if (error instanceof WebAPIRequestError) return err(failure('delivery-unknown', {}, error.original.message, error));
    throw error;
  }
};
