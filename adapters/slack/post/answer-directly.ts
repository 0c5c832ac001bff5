/** A post that may not stand in its conversation any more goes to whoever asked, as a direct message: nobody waits for an answer in vain. */
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import type { Post } from '../../../src/core/outbound.ts';
import type { Result } from '../../../src/core/result.ts';
import { patience, refusal, replies } from '../api/api.ts';
import type { Place } from '../api/api.ts';
import type { EncodedPost, OutMessage } from '../encode.ts';
import { deliverFiles } from './deliver-files.ts';
import type { FileDeps } from './deliver-files.ts';
import { deliverMessages } from './deliver.ts';
import type { DeliverDeps } from './deliver.ts';
import { isDirect } from './place.ts';

/** Slack's words for a conversation in which we may say nothing, whatever its form, and ours. */
const CLOSED: ReadonlyMap<string, string> = new Map([
  ['not_in_channel', 'I am not a member there any more (`/invite` me to go on)'],
  ['channel_not_found', 'I am not a member there any more (`/invite` me to go on)'],
  ['is_archived', 'it is archived'],
  ['restricted_action', 'I may not write there'],
  ['restricted_action_read_only_channel', 'I may not write there'],
  ['restricted_action_thread_locked', 'the thread is locked'],
  ['restricted_action_non_threadable_channel', 'it has no threads'],
]);

/** Null where this is not the reason, or nobody is known to whom it could be said. */
export const answerDirectly = async (
  deps: DeliverDeps & FileDeps,
  conversation: ConversationId,
  place: Place,
  post: Post,
  why: Failure,
  whole: EncodedPost,
): Promise<Result<void, Failure> | null> => {
  const reason = CLOSED.get(refusal(why) ?? '');
  const user = post.origin['user'] ?? '';
  // A question for approval is decided where it was asked.
  if (reason === undefined || user === '' || isDirect(place) || post.approval !== null) return null;
  const opened = await deps.api.call('conversations.open', place, { users: user }, replies.channel, patience.answer);
  if (!opened.ok) return null;
  deps.log.info({ refused: refusal(why) }, 'an answer goes to the direct messages of whoever asked');
  const direct: Place = { ...place, channel: opened.value.channel.id, thread: '' };
  const lead: OutMessage = {
    text: `I can say nothing in <#${place.channel}>: ${reason}. This is what I would have answered there:`,
    blocks: [],
  };
  const key = `${post.key}:direct`;
  const said = await deliverMessages(deps, conversation, direct, key, [lead, ...whole.messages.map(withoutButtons)], 0);
  return said.ok ? deliverFiles(deps, conversation, direct, key, post.files, whole.files) : said;
};

/** What they do concerns the thread, which is not here. */
const withoutButtons = (message: OutMessage): OutMessage => ({
  text: message.text,
  blocks: message.blocks.filter((block) => block.type !== 'actions' && block.type !== 'context_actions'),
});
