/**
 * What was said in a thread before the bot was spoken to in it: read once, when the bot comes late. Slack may allow one such call a
 * minute, so it is optional: without it the bot answers from the message alone.
 */
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import { eventKey } from '../../../src/core/ids.ts';
import type { EarlierMessage } from '../../../src/core/message.ts';
import type { Result } from '../../../src/core/result.ts';
import { err, ok } from '../../../src/core/result.ts';
import { clean } from '../../../src/core/trust.ts';
import type { SharedFacts } from '../../../src/ports/shared-facts.ts';
import { attempt, retryAfterOf } from '../api/client.ts';
import type { SlackClient } from '../api/client.ts';
import { rawText } from '../decode/decode-blocks.ts';
import { filesIn, isProgram, messageSchema } from '../decode/decode-message.ts';
import type { Place, RawMessage, SharedFile } from '../decode/decode-message.ts';
import type { Names } from '../decode/decode-text.ts';
import { readText, usersIn } from '../decode/decode-text.ts';
import { inboundLimits } from '../limits.ts';

/** The messages before this one, oldest first, as Slack lists them. */
export type RawHistory = readonly RawMessage[];

const reply = z.looseObject({ messages: z.array(z.unknown()).nullish() });
const LIMITED = 'history-limited/';
/** One page: the most that Slack gives at once. */
const PAGE = 999;

/** Reads the thread up to the message. A failure: Slack does not let us now, or not at all. */
export const readHistory = async (
  workspace: string,
  client: SlackClient,
  place: Place,
  shared: SharedFacts,
): Promise<Result<RawHistory, Failure>> => {
  const limited = await shared.get(`${LIMITED}${workspace}`);
  if (limited.ok && limited.value !== null) return err({ code: 'rate-limited', waitSeconds: 60, detail: 'history is limited at present' });
  // Through the client that tries nothing twice: no answer waits for its history.
  const asked = await attempt(() =>
    client.web.conversations.replies({ channel: place.channel, ts: place.root, latest: place.ts, inclusive: false, limit: PAGE }),
  );
  if (!asked.ok) {
    const wait = retryAfterOf(asked.failure);
    if (wait !== null) await shared.set(`${LIMITED}${workspace}`, '1', wait * 1000);
    return asked;
  }
  const messages = (reply.safeParse(asked.value).data?.messages ?? []).flatMap((message) => {
    const read = messageSchema.safeParse(message);
    return read.success && isWords(read.data) && Number(read.data.ts) < Number(place.ts) ? [read.data] : [];
  });
  return ok(bounded(messages.toSorted((a, b) => Number(a.ts) - Number(b.ts))));
};

const isWords = ({ subtype, hidden }: RawMessage): boolean =>
  hidden !== true && new Set(['', 'file_share', 'thread_broadcast', 'me_message', 'bot_message', 'thread_starter']).has(subtype ?? '');

/** The first message says what the thread is about, the last ones what is asked. */
const bounded = (messages: RawHistory): RawHistory =>
  messages.length <= inboundLimits.earlierMessages
    ? messages
    : [...messages.slice(0, 1), ...messages.slice(-(inboundLimits.earlierMessages - 1))];

/** Everybody who is named in it. */
export const peopleInHistory = (history: RawHistory): readonly string[] => [
  ...new Set(history.flatMap((message) => [...(typeof message.user === 'string' ? [message.user] : []), ...usersIn(rawText(message))])),
];

/** The files in it, those of the first message first, then the newest ones. */
export const filesInHistory = (history: RawHistory): readonly SharedFile[] => {
  const [first, ...rest] = history.map((message) => filesIn(message.files));
  return [...(first ?? []), ...rest.toReversed().flat()];
};

/** As the model is told of it. */
export const toEarlier = (history: RawHistory, names: Names): readonly EarlierMessage[] =>
  history.map((message) => earlierOf(message, names));

export const earlierOf = (message: RawMessage, names: Names): EarlierMessage => ({
  key: eventKey(message.ts),
  at: Math.round(Number(message.ts) * 1000),
  author: authorOf(message, names),
  text: shortened(clean(readText(rawText(message), names))),
  files: filesIn(message.files).map((file) => file.name),
});

const authorOf = (message: RawMessage, names: Names): EarlierMessage['author'] => {
  const id = message.user ?? message.bot_id ?? 'unknown';
  const program = clean(message.bot_profile?.name ?? message.username ?? '');
  return { id, name: (isProgram(message, '') ? program : '') || (names.user(id) ?? (program || id)) };
};

const shortened = (text: string): string =>
  text.length <= inboundLimits.earlierChars ? text : `${text.slice(0, inboundLimits.earlierChars).toWellFormed()} …`;
