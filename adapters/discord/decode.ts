/**
 * What Discord tells -> what it means for the bot. Pure: unknown JSON of gateway events in, facts out. Where a message stands (which thread, of
 * which channel) is not in it; that is the shell's to find out (`where.ts`).
 */
import type { EarlierMessage, Person } from '../../src/core/message.ts';
import { eventKey } from '../../src/core/ids.ts';
import { clean } from '../../src/core/trust.ts';
import { filesOf, isWithheld, wholeWordsOf } from './decode-body.ts';
import type { Attachment, Message, PlainMessage, Update } from './decode-schema.ts';
import { messageSchema, updateSchema } from './decode-schema.ts';
import { isToOthers, mentionsMe, withoutLeading } from './decode-text.ts';
import type { Me, Names } from './decode-text.ts';

/** A person's message. */
export type Said = {
  readonly id: string;
  readonly channel: string;
  /** Null in a direct message. */
  readonly guild: string | null;
  readonly author: Person;
  /** Ids of the author's roles. */
  readonly roles: readonly string[];
  /** Without the mention it begins with. */
  readonly text: string;
  readonly files: readonly Attachment[];
  /** The bot is mentioned, by name or by its own role, or the message replies to one of its messages. */
  readonly mentioned: boolean;
  readonly toOthers: boolean;
  /** Discord has held back what it says: the Message Content intent is off, and the bot is not mentioned. */
  readonly withheld: boolean;
  /** The message that it replies to: what it says and its files. Null where there is none, or it was deleted. */
  readonly repliesTo: (EarlierMessage & { readonly byMe: boolean; readonly attachments: readonly Attachment[] }) | null;
  /** Version of its text: when it was last edited, or empty. */
  readonly version: string;
};
export type Ignored = { readonly kind: 'ignored'; readonly reason: string };
export type Decoded = Ignored | { readonly kind: 'said'; readonly said: Said };

/* Of all message types only these two are people speaking. https://docs.discord.com/developers/resources/message#message-object-message-types */
const SPOKEN = new Set([0, 19]);
const FORWARD = 1;
const ignored = (reason: string): Ignored => ({ kind: 'ignored', reason });

/** Reads a created message. `me`: the bot, and the managed roles that stand for it in this server. */
export const decodeMessage = (event: unknown, me: Me, names: Names): Decoded => {
  const read = messageSchema.safeParse(event);
  if (!read.success) return ignored(`not a message: ${read.error.issues[0]?.path.join('.') ?? ''}`);
  const message = read.data;
  const unspoken = whyUnspoken(message, me);
  return unspoken === null ? { kind: 'said', said: saidIn(message, me, names) } : ignored(unspoken);
};

/**
 * Reads a changed message. Discord also sends one when it unfurls a link or somebody pins it: only what bears a time of editing was edited, and
 * only an edit with its whole text is one.
 */
export const decodeUpdate = (event: unknown, me: Me, names: Names): Decoded => {
  const read = updateSchema.safeParse(event);
  if (!read.success) return ignored('not a message');
  const { author, content } = read.data;
  if (author === undefined || content === undefined) return ignored('nothing that its author changed');
  if (isUnset(read.data.edited_timestamp)) return ignored('not edited');
  return decodeMessage(event, me, names);
};
const isUnset = (time: Update['edited_timestamp']): boolean => time === null || time === undefined || time === '';

/** A message of before the bot came, as it is told to the model; null for one that says nothing. */
export const decodeEarlier = (event: unknown, names: Names, maxChars: number): EarlierMessage | null => {
  const read = messageSchema.safeParse(event);
  if (!read.success || !(SPOKEN.has(read.data.type) || read.data.type === 20)) return null;
  const earlier = toEarlier(read.data, names, maxChars);
  return earlier.text === '' && earlier.files.length === 0 ? null : earlier;
};

/** When a message was written, by its id; milliseconds. https://docs.discord.com/developers/reference#snowflakes */
export const timeOf = (id: string): number => Number((BigInt(id) >> 22n) + 1_420_070_400_000n);

const whyUnspoken = (message: Message, me: Me): string | null => {
  if (message.author.id === me.id) return 'own message';
  if (message.author.bot) return 'a bot';
  if (message.webhook_id !== null && message.webhook_id !== undefined) return 'a webhook';
  if (message.author.system) return 'the system';
  return SPOKEN.has(message.type) ? null : `message type ${message.type}`;
};

const saidIn = (message: Message, me: Me, names: Names): Said => {
  const replied = message.message_reference?.type === FORWARD ? null : (message.referenced_message ?? null);
  const byMe = replied?.author.id === me.id;
  const named = mentionsMe(message.content, me);
  const stripped = { ...message, content: withoutLeading(message.content, me) };
  return {
    id: message.id,
    channel: message.channel_id,
    guild: message.guild_id ?? null,
    author: personOf(message),
    roles: message.member?.roles ?? [],
    text: clean(wholeWordsOf(stripped, names)),
    files: filesOf(message),
    mentioned: named || byMe,
    toOthers: !named && (isToOthers(message.content, me) || (replied !== null && !byMe)),
    withheld: isWithheld(message),
    repliesTo: replied === null ? null : { ...toEarlier(replied, names, MOST_REPLIED), byMe, attachments: filesOf(replied) },
    version: message.edited_timestamp ?? '',
  };
};
/* Discord's own limit of a message, with room for what is written out. */
const MOST_REPLIED = 8_000;

const toEarlier = (message: PlainMessage, names: Names, maxChars: number): EarlierMessage => ({
  key: eventKey(message.id),
  at: timeOf(message.id),
  author: personOf(message),
  text: clean(wholeWordsOf(message, names)).slice(0, maxChars).toWellFormed(),
  files: filesOf(message).map((file) => file.title ?? file.filename),
});

const personOf = ({ author, member }: PlainMessage): Person => ({
  id: author.id,
  name: clean(member?.nick || author.global_name || author.username || author.id),
});
