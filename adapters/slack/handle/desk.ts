/** What everything that works off deliveries stands on, and the small values that all of it makes. */
import type { Failure } from '../../../src/core/failure.ts';
import { conversationIdOf } from '../../../src/core/ids.ts';
import type { Address, ConversationId } from '../../../src/core/ids.ts';
import type { Standing } from '../../../src/core/message.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { InboundDeps } from '../../../src/ports/adapter.ts';
import type { Clients, SlackClient } from '../api/client.ts';
import type { SlackConfig } from '../config.ts';
import type { Installed } from '../decode/decode-envelope.ts';
import type { Place } from '../decode/decode-message.ts';
import type { Names } from '../decode/decode-text.ts';
import type { People } from './people.ts';
import type { Tell, To } from './tell.ts';

export type Desk = Pick<InboundDeps, 'gateway' | 'shared' | 'notes' | 'secrets' | 'log' | 'clock'> & {
  readonly config: SlackConfig;
  readonly clients: Clients;
  readonly people: People;
  readonly tell: Tell;
};

/** Where a session lives: an installation, a channel, and the root of the thread. */
export const addressIn = (by: Installed, channel: string, thread: string): Address => ({
  platform: 'slack',
  workspace: by.workspace,
  channel,
  thread,
});
export const conversationIn = (by: Installed, channel: string, thread: string): ConversationId =>
  conversationIdOf(addressIn(by, channel, thread));

/** Slash commands that concern no thread have one of this name; it holds no session. */
export const NO_THREAD = '-';

export const standingOf = ({ outsider }: { readonly outsider: boolean }): Standing => (outsider ? 'outsider' : 'member');

/**
 * What the sending half needs in order to answer this very event: the place, the person and their own team (streams name both), and the
 * workspace that calls are about where the app is installed for an organisation. All values are texts; '' where there is none.
 */
export const originOf = (
  who: { readonly by: Installed; readonly user: string; readonly userTeam: string },
  place: Pick<Place, 'channel' | 'ts' | 'root' | 'threaded'>,
  more: { readonly [key: string]: string } = {},
): { readonly [key: string]: string } => ({
  channel: place.channel,
  ts: place.ts,
  thread_ts: place.threaded ? place.root : '',
  user: who.user,
  team: who.userTeam,
  installed: who.by.team,
  ...more,
});

/** Where a person is told something about what they wrote there. A thread that nobody has answered in shows nothing to one person alone. */
export const toWriter = (who: { readonly by: Installed; readonly user: string }, place: Place): To => ({
  by: who.by,
  user: who.user,
  channel: place.channel,
  thread: place.threaded ? place.root : '',
  responseUrl: '',
});

/** The client of an installation and the bot's own user id, asked for where the delivery did not name it. */
export const clientFor = async (
  desk: Desk,
  by: Installed,
): Promise<Result<{ readonly client: SlackClient; readonly botUser: string }, Failure>> => {
  const client = await desk.clients.of(by.workspace, by.team);
  if (!client.ok) return client;
  const named = by.botUser || client.value.botUser;
  if (named !== '') return ok({ client: client.value, botUser: named });
  const identity = await desk.clients.identity();
  return identity.ok ? ok({ client: client.value, botUser: identity.value?.botUser ?? '' }) : identity;
};

export const namesOf = (known: ReadonlyMap<string, string>): Names => ({ user: (id) => known.get(id), channel: () => undefined });

/**
 * What is left of a failure once the person was told: nothing, unless the store was away. Then the delivery is worked off again, and
 * nobody need write again.
 */
export const settle = async (desk: Desk, to: To, why: Failure): Promise<Result<void, Failure>> => {
  if (why.code === 'store-unreachable') return err(why);
  await desk.tell.failure(to, why);
  return ok(undefined);
};
