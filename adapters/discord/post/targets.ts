/** Finds where the answers of a conversation go, and opens its thread where it has none yet. One turn has one surface. */
import type { Failure } from '../../../src/core/failure.ts';
import { failure } from '../../../src/core/failure.ts';
import { addressOf } from '../../../src/core/ids.ts';
import type { Address, ConversationId } from '../../../src/core/ids.ts';
import type { Post } from '../../../src/core/outbound.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { OutboundDeps } from '../../../src/ports/adapter.ts';
import type { Calls } from '../rest/calls.ts';
import { openOn } from './open-on.ts';
import { tokenOf } from './target.ts';
import type { Origin, Target } from './target.ts';

export type TargetDeps = Pick<OutboundDeps, 'notes' | 'shared' | 'clock' | 'log'> & { readonly calls: Calls };

export type Targets = {
  /** `post` null: for what is shown of a running turn. Opens a thread where one is due; a failure is one that may pass. */
  readonly of: (
    conversation: ConversationId,
    origin: Origin,
    post: Pick<Post, 'kind' | 'privateTo'> | null,
  ) => Promise<Result<Target, Failure>>;
  /** A link that opens the conversation in Discord, in the browser or the app. */
  readonly linkTo: (conversation: ConversationId) => string | null;
};

const SNOWFLAKE = /^\d{5,25}$/;
/** The channel that the answers to questions outside of threads go to, once that was decided. */
const PLACE = 'place';
/** Conversations whose place is remembered, for links. */
const REMEMBERED = 10_000;

export const createTargets = (deps: TargetDeps): Targets => {
  const { notes, clock } = deps;

  const outside = async (conversation: ConversationId, address: Address, origin: Origin): Promise<Result<string, Failure>> => {
    const noted = await notes.get(conversation, PLACE);
    if (!noted.ok || noted.value !== null) return noted.ok ? ok(noted.value ?? '') : noted;
    if ((origin['channel'] ?? '') === '') return ok(SNOWFLAKE.test(address.thread) ? address.thread : address.channel);
    const opened = await openOn(deps, conversation, address, origin);
    if (!opened.ok) return opened;
    return notes.claim(conversation, PLACE, opened.value ?? address.channel);
  };

  const seen = new Map<ConversationId, Target>();
  const remember = (conversation: ConversationId, target: Target): Result<Target, Failure> => {
    seen.delete(conversation);
    seen.set(conversation, target);
    const [oldest] = seen.keys();
    if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest);
    return ok(target);
  };

  return {
    linkTo: (conversation) => {
      const address = addressOf(conversation);
      if (address === undefined || !SNOWFLAKE.test(address.channel)) return null;
      if (address.workspace === 'dm') return `https://discord.com/channels/@me/${address.channel}`;
      const known = seen.get(conversation);
      const place = known?.channel ?? address.thread;
      // A session that lives in the channel itself begins with the message that was asked.
      const path = place === address.channel && known !== undefined && known.question !== '' ? `${place}/${known.question}` : place;
      return `https://discord.com/channels/${address.workspace}/${path}`;
    },
    of: async (conversation, origin, post) => {
      const address = addressOf(conversation);
      if (address === undefined || !SNOWFLAKE.test(address.channel))
        return err(failure('delivery-refused', {}, 'not the id of a conversation in Discord'));
      const { channel: where = '', message = '', user = '', member = '' } = origin;
      const direct = address.workspace === 'dm';
      const parent = address.channel;
      const token = tokenOf(origin, post, clock.now());
      const common = { parent, direct, session: address.thread, user, token, question: message, member: member !== 'no' };
      // Direct messages are read one after another: replies would only be clutter there.
      if (direct || member === 'no') return ok({ ...common, channel: where || parent, parent: where || parent, reply: '' });
      if (SNOWFLAKE.test(where) && where !== parent) return remember(conversation, { ...common, channel: where, reply: message });
      const channel = await outside(conversation, address, origin);
      if (!channel.ok) return channel;
      return remember(conversation, { ...common, channel: channel.value, reply: channel.value === where ? message : '' });
    },
  };
};
