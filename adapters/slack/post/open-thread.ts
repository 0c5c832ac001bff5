/** A thread that the bot begins by itself: a message in the channel, whose replies are the new conversation. */
import { failure } from '../../../src/core/failure.ts';
import type { Failure } from '../../../src/core/failure.ts';
import { addressOf } from '../../../src/core/ids.ts';
import type { Address, ConversationId } from '../../../src/core/ids.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { ThreadRequest } from '../../../src/ports/adapter.ts';
import type { Place } from '../api/api.ts';
import { deliverMessages } from './deliver.ts';
import { encodeRoot } from '../encode.ts';
import type { PostDeps } from './post.ts';

/** The same key opens one thread. */
export const openThread = async (
  deps: PostDeps,
  from: ConversationId,
  place: Place,
  request: ThreadRequest,
): Promise<Result<Address, Failure>> => {
  const address = addressOf(from);
  const [root, ...more] = encodeRoot(request.title, request.text, deps.renderFor(request.origin));
  if (address === undefined || root === undefined) return err(failure('delivery-refused', {}, 'no thread to open'));
  const key = `open:${request.key}`;
  const opened = await deliverMessages(deps, from, { ...place, thread: '' }, key, [root], 0);
  if (!opened.ok) return opened;
  const thread = opened.value;
  const said = await deliverMessages(deps, from, { ...place, thread }, key, more, 1);
  return said.ok ? ok({ ...address, thread }) : said;
};
