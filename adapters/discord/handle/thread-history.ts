/**
 * What was said in a thread before the bot was spoken to in it: read once, when the bot comes late. Without it the bot answers from the message
 * alone. The message that a text channel's thread hangs on stands in the channel, a forum post's in the post itself.
 */
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import { eventKey } from '../../../src/core/ids.ts';
import type { EarlierMessage } from '../../../src/core/message.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { decodeEarlier, timeOf } from '../decode.ts';
import { filesOf } from '../decode-body.ts';
import type { Attachment } from '../decode-schema.ts';
import { messageSchema } from '../decode-schema.ts';
import type { Names } from '../decode-text.ts';
import { inboundLimits } from '../limits.ts';
import type { Place } from '../place.ts';
import type { Calls } from '../rest/calls.ts';

export type History = { readonly messages: readonly EarlierMessage[]; readonly files: readonly HistoryFile[] };
/** `channel` and `message`: where a fresh address of the file is to be had. */
export type HistoryFile = { readonly file: Attachment; readonly channel: string; readonly message: string };
export const noHistory: History = { messages: [], files: [] };

const PAGE = 100;
const idSchema = z.object({ id: z.string() });

/** Reads the thread up to the message, its starter first. A failure: Discord does not let us. */
export const readHistory = async (calls: Calls, place: Place, before: string, names: Names): Promise<Result<History, Failure>> => {
  const raw: unknown[] = [];
  for (let end = before; raw.length < inboundLimits.earlierMessages;) {
    const page = await calls.messages(place.id, { before: end, limit: PAGE });
    if (!page.ok) return page;
    raw.push(...page.value);
    const last = idSchema.safeParse(page.value.at(-1)).data?.id;
    if (page.value.length < PAGE || last === undefined) break;
    end = last;
  }
  // A forum post is its own first message: there is nothing before it.
  const starter = before === place.id ? null : await starterOf(calls, place, raw);
  const whole = [...(starter === null ? [] : [starter]), ...raw.toReversed()];
  return ok(historyOf(place, whole, names));
};

/** The message that the thread began with; null where it is gone, or among what was read. */
const starterOf = async (calls: Calls, place: Place, read: readonly unknown[]): Promise<unknown> => {
  if (read.some((one) => idSchema.safeParse(one).data?.id === place.id)) return null;
  const inThread = await calls.message(place.id, place.id);
  if (inThread.ok) return inThread.value;
  if (place.parent === null) return null;
  const inParent = await calls.message(place.parent, place.id);
  return inParent.ok ? inParent.value : null;
};

const historyOf = (place: Place, raw: readonly unknown[], names: Names): History => {
  const files = raw.flatMap((one) => {
    const message = messageSchema.safeParse(one).data;
    return message === undefined ? [] : filesOf(message).map((file) => ({ file, channel: message.channel_id, message: message.id }));
  });
  const said = raw.flatMap((one) => decodeEarlier(one, names, inboundLimits.earlierChars) ?? []);
  return { messages: [...titleOf(place, said), ...bounded(said)], files };
};

/** What a thread or post is called and how it is tagged is part of what it says. `said`: messages in it, by which its author may be known. */
export const titleOf = (place: Place, said: readonly EarlierMessage[]): readonly EarlierMessage[] => {
  if (place.kind !== 'thread' || place.name === '') return [];
  const tags = place.tags.length === 0 ? '' : ` (tags: ${place.tags.join(', ')})`;
  const author = said.find(({ author: one }) => one.id === place.owner)?.author ?? { id: place.owner ?? 'unknown', name: 'somebody' };
  return [
    { key: eventKey(`title:${place.id}`), at: timeOf(place.id), author, text: `Title of this thread: ${place.name}${tags}`, files: [] },
  ];
};

/** The first message says what the thread is about, the last ones what is asked. */
const bounded = (messages: readonly EarlierMessage[]): readonly EarlierMessage[] =>
  messages.length <= inboundLimits.earlierMessages
    ? messages
    : [...messages.slice(0, 1), ...messages.slice(-(inboundLimits.earlierMessages - 1))];
