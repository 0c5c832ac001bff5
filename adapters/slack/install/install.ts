/**
 * Installation by OAuth: `/slack/install` sends a browser to Slack, `/slack/oauth_redirect` takes it back and stores the tokens, sealed. The
 * state that goes round is signed, lives ten minutes and is tied to the browser by a cookie, so that nobody can be made to install what
 * somebody else began.
 */
import { InstallProvider } from '@slack/oauth';
import type { Installation, InstallationStore } from '@slack/oauth';
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import type { HttpMount } from '../../../src/ports/adapter.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { Secrets } from '../../../src/ports/secrets.ts';
import type { Clients } from '../api/client.ts';
import type { Credentials, SlackConfig } from '../config.ts';
import { decodeInstallation, installationName, workspaceOf } from './installation.ts';
import { INSTALL, REDIRECT } from './manifest.ts';
import { scopesFor } from './scopes.ts';
import { slackLog } from '../api/slack-log.ts';

type InstallDeps = { readonly secrets: Secrets; readonly clients: Clients; readonly log: Log };
type OAuth = Credentials & { readonly kind: 'oauth' };

/** Thrown where Slack's package wants a rejection. */
class StoreError extends Error {
  constructor(why: Failure) {
    super(`${why.code}: ${why.detail}`);
  }
}

/** Installations among the secrets, under the id of the team, or of the organisation where it is for all its workspaces. */
const createInstallationStore = ({ secrets, clients, log }: InstallDeps): InstallationStore => {
  const keyOf = (query: {
    readonly teamId?: string | undefined;
    readonly enterpriseId?: string | undefined;
    readonly isEnterpriseInstall: boolean;
  }): string => (query.isEnterpriseInstall ? query.enterpriseId : query.teamId) ?? '';
  return {
    storeInstallation: async (installation) => {
      const workspace = workspaceOf(installation);
      if (workspace === null) throw new Error('an installation of no workspace');
      const stored = await secrets.put(installationName(workspace), JSON.stringify(installation));
      if (!stored.ok) throw new StoreError(stored.failure);
      clients.forget(workspace);
      log.info({ workspace, scopes: installation.bot?.scopes }, 'the app was installed in a Slack workspace');
    },
    fetchInstallation: async (query) => {
      const text = await secrets.get(installationName(keyOf(query)));
      if (!text.ok) throw new StoreError(text.failure);
      if (text.value === null) throw new Error('not installed');
      return storedInstallation.parse(JSON.parse(text.value));
    },
    deleteInstallation: async (query) => {
      const removed = await secrets.remove(installationName(keyOf(query)));
      if (!removed.ok) throw new StoreError(removed.failure);
      clients.forget(keyOf(query));
    },
  };
};

/** What this store wrote itself. */
const storedInstallation = z.custom<Installation>((value) => decodeInstallation(JSON.stringify(value)) !== null);

/** The handler of both paths; false where the request is for neither. */
export const createInstallPages = (
  config: SlackConfig,
  oauth: OAuth,
  deps: InstallDeps,
): ((...args: Parameters<HttpMount['handle']>) => boolean) => {
  const provider = new InstallProvider({
    clientId: oauth.clientId,
    clientSecret: oauth.clientSecret,
    stateSecret: oauth.stateSecret,
    installationStore: createInstallationStore(deps),
    // Slack's pages stand beside its Web API.
    authorizationUrl: new URL('/oauth/v2/authorize', config.apiUrl).href,
    directInstall: true,
    logger: slackLog(deps.log),
    clientOptions: { slackApiUrl: config.apiUrl, timeout: 15_000, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true },
  });
  const options = { scopes: scopesFor(config.app).map(({ scope }) => scope), redirectUri: `${oauth.publicUrl}${REDIRECT}` };
  return (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0];
    if (request.method !== 'GET' || (path !== INSTALL && path !== REDIRECT)) return false;
    const answered =
      path === INSTALL ? provider.handleInstallPath(request, response, {}, options) : provider.handleCallback(request, response);
    answered.catch((error: unknown) => {
      deps.log.error({ error: error instanceof Error ? error.message : String(error) }, 'a page of the Slack installation failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
    return true;
  };
};
