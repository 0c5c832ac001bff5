/** One message into a thread, however it has to be said: plainer where its form is refused, without the thread where that is gone. */
import { failure } from '../../../src/core/failure.ts';
import type { Failure } from '../../../src/core/failure.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Log } from '../../../src/ports/log.ts';
import { patience, refusal, replies } from '../api/api.ts';
import type { Api, Place } from '../api/api.ts';
import { plainer } from '../encode/encode-plainer.ts';
import { toPostArgs } from '../encode.ts';
import type { OutMessage } from '../encode.ts';

/** The form is refused; another form may be taken. */
const FORM = /block|too_long|too_large|metadata|invalid_arg|no_text|attachment|markdown|http_413|http_400/;
/** The message that the thread hangs on is gone, or cannot be replied to. */
const THREAD = new Set([
  'thread_not_found',
  'message_not_found',
  'cannot_reply_to_message',
  'invalid_thread_ts',
  'parent_message_not_found',
]);

export type SendDeps = { readonly api: Api; readonly log: Log };

/** Resolves with the `ts` of the (last) message. Refused in every form: `delivery-refused`, its detail Slack's word. */
export const sendMessage = async (
  { api, log }: SendDeps,
  place: Place,
  message: OutMessage,
  mark: string,
): Promise<Result<string, Failure>> => {
  const post = async (at: Place, one: OutMessage, marked: string | null): Promise<Result<string, Failure>> => {
    const said = await api.call('chat.postMessage', at, toPostArgs(at, one, marked), replies.message, patience.answer);
    return said.ok ? ok(said.value.ts) : said;
  };
  let said = await post(place, message, mark);
  let at = place;
  if (!said.ok && THREAD.has(refusal(said.failure) ?? '')) {
    log.info({ refused: refusal(said.failure) }, 'the thread is gone; the answer goes to the channel');
    at = { ...place, thread: '' };
    said = await post(at, message, mark);
  }
  if (said.ok) return said;
  let refused = refusal(said.failure);
  if (refused === null || !FORM.test(refused)) return said;
  log.warn({ refused }, 'a message was refused for its form; it is said more plainly');
  if (/metadata/.test(refused)) {
    said = await post(at, message, null);
    if (said.ok) return said;
    refused = refusal(said.failure);
    if (refused === null || !FORM.test(refused)) return said;
  }
  // Without a mark from here on: it may be the reason, and the pieces of one message have no mark of their own.
  for (const rung of plainer(message)) {
    said = await inOrder(rung, (one) => post(at, one, null));
    if (said.ok) return said;
    const why = refusal(said.failure);
    if (why === null || !FORM.test(why)) return said;
  }
  return said;
};

const inOrder = async (
  messages: readonly OutMessage[],
  post: (message: OutMessage) => Promise<Result<string, Failure>>,
): Promise<Result<string, Failure>> => {
  let last: Result<string, Failure> = err(failure('delivery-refused', {}, 'nothing to say'));
  for (const message of messages) {
    last = await post(message);
    if (!last.ok) return last;
  }
  return last;
};
