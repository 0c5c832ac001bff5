/** The link by which somebody who manages a server adds the bot to it. Pure. */
import type { Failure } from '../../src/core/failure.ts';
import { failure } from '../../src/core/failure.ts';
import type { Result } from '../../src/core/result.ts';
import { err, ok } from '../../src/core/result.ts';
import { readDiscordConfig } from './config.ts';

/** What the bot needs to be allowed: the sentence says what does not work without it. https://docs.discord.com/developers/topics/permissions */
export const permissionsWanted = [
  { bit: 6n, name: 'Add Reactions', why: 'nothing is marked with a reaction' },
  { bit: 10n, name: 'View Channel', why: 'nothing in the channel is seen' },
  { bit: 11n, name: 'Send Messages', why: 'nothing can be answered in the channel itself' },
  { bit: 14n, name: 'Embed Links', why: 'links in answers never show a preview' },
  { bit: 15n, name: 'Attach Files', why: 'plots and files cannot be shown' },
  { bit: 16n, name: 'Read Message History', why: 'what was missed while the bot was away is not answered' },
  { bit: 31n, name: 'Use Application Commands', why: 'slash commands are not offered' },
  { bit: 34n, name: 'Manage Threads', why: 'locked threads and private threads that it was not invited to stay closed' },
  { bit: 35n, name: 'Create Public Threads', why: 'answers come as replies in the channel' },
  { bit: 36n, name: 'Create Private Threads', why: 'private threads cannot be opened' },
  { bit: 38n, name: 'Send Messages in Threads', why: 'nothing can be answered in threads' },
] as const;

export const PERMISSIONS = permissionsWanted.reduce((all, { bit }) => all | (1n << bit), 0n);
export const SCOPES = 'bot applications.commands';
/** Right to everything. */
const ADMINISTRATOR = 1n << 3n;

/** Which of the wanted permissions are not among these. */
export const missingPermissions = (granted: bigint) =>
  (granted & ADMINISTRATOR) !== 0n ? [] : permissionsWanted.filter(({ bit }) => (granted & (1n << bit)) === 0n);

export const inviteLink = (application: string): string =>
  `https://discord.com/oauth2/authorize?${new URLSearchParams({ client_id: application, scope: SCOPES, permissions: String(PERMISSIONS) }).toString()}`;

/**
 * The id of the application that a token belongs to: its first part is that id in base 64. Null where it is of a form that is not known; Discord
 * promises none.
 */
const applicationIn = (token: string): string | null => {
  const text = Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString('latin1');
  return /^\d{15,21}$/.test(text) ? text : null;
};

/** The link for the token in the environment; where it does not tell the application, how to find it. */
export const inviteText = (env: { readonly [name: string]: string | undefined }): Result<string, Failure> => {
  const config = readDiscordConfig(env);
  if (!config.ok) return config;
  if (config.value === null) {
    const problem = 'DISCORD_TOKEN: must be set, because the invitation is made for one bot';
    return err(failure('config-invalid', { problems: [problem] }, problem));
  }
  const application = applicationIn(config.value.token);
  if (application !== null) return ok(inviteLink(application));
  return ok(
    `${inviteLink('APPLICATION_ID').replace('APPLICATION_ID', '<APPLICATION ID>')}\n(in the place of <APPLICATION ID> put the one that stands in the Developer Portal, your app, General Information)`,
  );
};
