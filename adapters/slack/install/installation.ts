/** One installation of the app in a workspace or a whole organisation, as it is stored among the secrets. Pure. */
import { z } from 'zod';

/**
 * What is read of Slack's own `Installation` record; the rest of it is stored too and passed through. `expiresAt` in seconds since the
 * epoch, set with `refreshToken` where the app's tokens are rotated.
 */
const installationSchema = z.looseObject({
  team: z.looseObject({ id: z.string(), name: z.string().optional() }).nullish(),
  enterprise: z.looseObject({ id: z.string(), name: z.string().optional() }).nullish(),
  isEnterpriseInstall: z.boolean().nullish(),
  bot: z.looseObject({
    token: z.string(),
    userId: z.string(),
    id: z.string().nullish(),
    scopes: z.array(z.string()).nullish(),
    refreshToken: z.string().nullish(),
    expiresAt: z.number().nullish(),
  }),
});
export type StoredInstallation = z.infer<typeof installationSchema>;

/** Where installations stand among the secrets. */
export const INSTALLATIONS = 'slack/installation/';
/** The name of the secret for a workspace (team id) or organisation (enterprise id). */
export const installationName = (workspace: string): string => `${INSTALLATIONS}${workspace}`;

/** The id under which everything of an installation is kept: an organisation's where it was installed for all its workspaces. */
export const workspaceOf = (installation: {
  readonly team?: { readonly id: string } | null | undefined;
  readonly enterprise?: { readonly id: string } | null | undefined;
  readonly isEnterpriseInstall?: boolean | null | undefined;
}): string | null => (installation.isEnterpriseInstall === true ? installation.enterprise?.id : installation.team?.id) ?? null;

export const decodeInstallation = (text: string): StoredInstallation | null => {
  try {
    const read = installationSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};

/** Two hours, as Slack's own packages have it: long enough that a token outlives the longest turn. */
const EARLY_S = 2 * 60 * 60;
/** Whether the token must be exchanged for a new one. `now` in milliseconds. */
export const isExpiring = ({ bot }: StoredInstallation, now: number): boolean =>
  typeof bot.refreshToken === 'string' && typeof bot.expiresAt === 'number' && bot.expiresAt - now / 1000 <= EARLY_S;

const refreshSchema = z.looseObject({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number() });

/** The installation with the tokens that `oauth.v2.access` gave for its refresh token; null where that reply holds none. */
export const refreshed = (installation: StoredInstallation, reply: unknown, now: number): StoredInstallation | null => {
  const read = refreshSchema.safeParse(reply);
  if (!read.success) return null;
  const { access_token: token, refresh_token: refreshToken, expires_in: lasts } = read.data;
  return { ...installation, bot: { ...installation.bot, token, refreshToken, expiresAt: Math.floor(now / 1000) + lasts } };
};
