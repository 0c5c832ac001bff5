/** Messages of a post, in order, each once. */
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { patience, refusal, replies } from '../api/api.ts';
import type { Place } from '../api/api.ts';
import { toEphemeralArgs } from '../encode.ts';
import type { OutMessage } from '../encode.ts';
import { once } from './once.ts';
import type { OnceDeps } from './once.ts';
import { findPosted } from './read-back.ts';
import { isResponseUrl, respond } from './respond.ts';
import { sendMessage } from './send.ts';
import type { SendDeps } from './send.ts';

export type DeliverDeps = OnceDeps & SendDeps & { readonly apiUrl: string };

/**
 * Sends messages number `first` and up of the post `key`: the next one only when the one before is there. Resolves with the `ts` of the last
 * one, '' where there was none.
 */
export const deliverMessages = async (
  deps: DeliverDeps,
  conversation: ConversationId,
  place: Place,
  key: string,
  messages: readonly OutMessage[],
  first: number,
): Promise<Result<string, Failure>> => {
  let last = '';
  for (const [index, message] of messages.entries()) {
    const mark = `${key}:${first + index}`;
    const sent = await once(
      deps,
      conversation,
      `sent:${mark}`,
      () => sendMessage(deps, place, message, mark),
      (since) => findPosted(deps.api, place, mark, since),
    );
    if (!sent.ok) return sent;
    last = sent.value;
  }
  return ok(last);
};

/** Who alone should see it, and the address that a slash command brought along. */
export type Hidden = { readonly user: string; readonly responseUrl: string };

/** Messages that only one person sees. Nobody can look whether they arrived: they may come twice, which does no harm. */
export const deliverHidden = async (
  deps: DeliverDeps,
  conversation: ConversationId,
  place: Place,
  key: string,
  messages: readonly OutMessage[],
  { user, responseUrl }: Hidden,
): Promise<Result<string, Failure>> => {
  for (const [index, message] of messages.entries()) {
    const sent = await once(
      deps,
      conversation,
      `sent:${key}:${index}`,
      () => whisper(deps, place, message, user, responseUrl),
      async () => ok(null),
    );
    if (!sent.ok) return sent;
  }
  return ok('');
};

const whisper = async (
  deps: DeliverDeps,
  place: Place,
  message: OutMessage,
  user: string,
  responseUrl: string,
): Promise<Result<string, Failure>> => {
  if (isResponseUrl(responseUrl, deps.apiUrl)) {
    const said = await respond(responseUrl, message, false);
    if (said.ok) return ok('');
  }
  const said = await deps.api.call('chat.postEphemeral', place, toEphemeralArgs(place, user, message), replies.done, patience.answer);
  if (said.ok) return ok('');
  const refused = refusal(said.failure);
  if (refused === null) return said;
  deps.log.info({ refused }, 'an answer for one person goes to their direct messages');
  const plain = { text: message.text, blocks: [] };
  return sendMessage(deps, { ...place, channel: user, thread: '' }, /block/.test(refused) ? plain : message, '');
};

/** The answer to a slash command that everybody may see: through its address where that still works, else as any message. */
export const deliverResponse = async (
  deps: DeliverDeps,
  conversation: ConversationId,
  place: Place,
  key: string,
  messages: readonly OutMessage[],
  responseUrl: string,
): Promise<Result<string, Failure>> => {
  for (const [index, message] of messages.entries()) {
    const mark = `${key}:${index}`;
    const sent = await once(
      deps,
      conversation,
      `sent:${mark}`,
      async () => {
        const said = await respond(responseUrl, message, true);
        return said.ok ? ok('') : sendMessage(deps, place, message, mark);
      },
      (since) => findPosted(deps.api, place, mark, since),
    );
    if (!sent.ok) return sent;
  }
  return ok('');
};
