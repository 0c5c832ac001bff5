/** What every delivery says of the installation that it is for. Pure. */
import { z } from 'zod';

/** Whose installation a delivery is for, and where it happened. */
export type Installed = {
  /** The id under which everything of the installation is kept: a team's, or an organisation's where it was installed for all of them. */
  readonly workspace: string;
  /** The workspace that this is about; the same as `workspace` unless the app is installed for an organisation. */
  readonly team: string;
  /** The bot's user id; '' where the delivery does not say. */
  readonly botUser: string;
};

const id = z.string().min(1).nullish();
const authorization = z.looseObject({
  enterprise_id: id,
  team_id: id,
  user_id: id,
  is_bot: z.boolean().nullish(),
  is_enterprise_install: z.boolean().nullish(),
});

export const eventEnvelope = z.looseObject({
  type: z.literal('event_callback'),
  team_id: id,
  context_team_id: id,
  context_enterprise_id: id,
  api_app_id: id,
  event_id: z.string().min(1),
  authorizations: z.array(authorization).nullish(),
  is_ext_shared_channel: z.boolean().nullish(),
  event: z.looseObject({ type: z.string().min(1) }),
});
export type EventEnvelope = z.infer<typeof eventEnvelope>;

/**
 * The installation behind an event: that of its first authorisation. The team at the top is where the event happened, which in a shared
 * channel may be another organisation's workspace.
 */
export const installedFor = (envelope: EventEnvelope): Installed | null => {
  const [first] = envelope.authorizations ?? [];
  const team = first?.team_id ?? envelope.context_team_id ?? envelope.team_id ?? null;
  const enterprise = first?.enterprise_id ?? envelope.context_enterprise_id ?? null;
  const workspace = first?.is_enterprise_install === true && enterprise !== null ? enterprise : team;
  if (workspace === null) return null;
  return { workspace, team: team ?? workspace, botUser: first?.is_bot === true ? (first.user_id ?? '') : '' };
};

/** What a command, a shortcut, a press or a view says of its installation; `is_enterprise_install` is text in commands. */
export const interactionInstallation = z.looseObject({
  team: z.looseObject({ id: z.string().min(1) }).nullish(),
  enterprise: z.looseObject({ id: z.string().min(1) }).nullish(),
  team_id: id,
  enterprise_id: id,
  is_enterprise_install: z.union([z.boolean(), z.string()]).nullish(),
  user: z.looseObject({ team_id: id }).nullish(),
});

export const installedForInteraction = (body: z.infer<typeof interactionInstallation>): Installed | null => {
  const team = body.team?.id ?? body.team_id ?? body.user?.team_id ?? null;
  const enterprise = body.enterprise?.id ?? body.enterprise_id ?? null;
  const forAll = body.is_enterprise_install === true || body.is_enterprise_install === 'true';
  const workspace = forAll && enterprise !== null ? enterprise : team;
  return workspace === null ? null : { workspace, team: team ?? workspace, botUser: '' };
};
