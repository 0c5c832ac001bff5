/** What everything that works off deliveries stands on, and the small values that all of it makes. */
import type { Failure } from '../../../src/core/failure.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { InboundDeps } from '../../../src/ports/adapter.ts';
import { askedText } from '../asked.ts';
import type { DiscordConfig } from '../config.ts';
import type { Interaction } from '../decode-interaction.ts';
import type { Me, Names } from '../decode-text.ts';
import type { Delivery } from '../delivery.ts';
import { threadName } from '../markdown.ts';
import type { Place } from '../place.ts';
import type { Calls } from '../rest/calls.ts';
import type { Answerable, Tell, To } from './tell.ts';
import type { Where } from './where.ts';

export type Desk = Pick<InboundDeps, 'gateway' | 'shared' | 'notes' | 'log' | 'clock'> & {
  readonly config: DiscordConfig;
  readonly calls: Calls;
  readonly where: Where;
  readonly tell: Tell;
};

/** Commands that concern no thread have one of this name; it holds no session. */
export const NO_THREAD = '-';

export const meIn = ({ me }: Delivery): Me => ({ id: me.id, roles: new Set(me.roles) });
export const namesIn = ({ channels, roles }: Delivery): Names => ({
  user: () => undefined,
  role: (id) => roles[id],
  channel: (id) => channels[id],
});

type Origin = { readonly [key: string]: string };

/**
 * What the sending half needs to answer this very event. All values are texts, '' where there is none. `threads`: whether an answer may open a
 * thread on the message; `title` is what it would be called. `asked`: what the channel is to read above the thread of a command's answer.
 */
export const originOfMessage = (place: Place, message: string, user: string, threads: 'thread' | 'reply', text: string): Origin => ({
  channel: place.id,
  message,
  guild: place.guild ?? '',
  user,
  title: place.kind === 'channel' ? threadName(text) : '',
  threads: place.threads ? threads : 'reply',
  member: 'yes',
});

export const originOfInteraction = (
  place: Place,
  interaction: Interaction,
  answered: Delivery['answered'],
  threads: 'thread' | 'reply',
  text: string,
): Origin => ({
  ...originOfMessage(place, interaction.under, interaction.user.id, threads, text),
  asked: place.kind === 'channel' ? askedText(text) : '',
  interaction: interaction.id,
  application: interaction.application,
  token: interaction.token,
  at: String(interaction.at),
  answered,
  ...(answered === 'private' ? { ephemeral: 'yes' } : {}),
  member: interaction.member ? 'yes' : 'no',
});

/** Where a person is told something about what they wrote. `session`: the thread of its address. */
export const toWriter = (place: Place, message: string, user: string, session = ''): To => ({
  user,
  channel: place.id,
  message,
  session: place.kind === 'thread' ? '' : session,
  interaction: null,
});

export const toActor = (place: Place, interaction: Interaction, answered: Delivery['answered'], session = ''): To => ({
  user: interaction.user.id,
  channel: place.id,
  message: interaction.under,
  session: place.kind === 'thread' ? '' : session,
  interaction: answerable(interaction, answered),
});

const answerable = (interaction: Interaction, answered: Delivery['answered']): Answerable => ({
  application: interaction.application,
  token: interaction.token,
  at: interaction.at,
  answered,
  member: interaction.member,
});

/**
 * What is left of a failure once the person was told: nothing, unless the store was away. Then the delivery is worked off again, and
 * nobody need write again.
 */
export const settle = async (desk: Desk, to: To, why: Failure): Promise<Result<void, Failure>> => {
  if (why.code === 'store-unreachable') return err(why);
  await desk.tell.failure(to, why);
  return ok(undefined);
};
