/** Records as they stand in Redis: JSON, decoded by the schemas of the core. Pure. */
import { z } from 'zod';
import { channelSettingsSchema } from '../../core/channel-settings.ts';
import { entrySchema, sessionSchema } from '../../core/conversation.ts';
import type { Entry } from '../../core/conversation.ts';
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import { eventKey, fence } from '../../core/ids.ts';
import { mailboxItemSchema, personSchema } from '../../core/message.ts';
import type { MailboxItem } from '../../core/message.ts';
import { postSchema } from '../../core/outbound.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import { turnEventSchema } from '../../core/turn-event.ts';
import type { TurnEvent, TurnEventOf } from '../../core/turn-event.ts';
import type { Claim, EntryPage, Spoiled } from '../../ports/conversation-store.ts';

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('not JSON');
    return z.NEVER;
  }
});
const recordOf = <T extends z.ZodType>(schema: T) => json.pipe(schema);

/** Who is to be told of an item that cannot be read, as far as it can. */
const addresseeSchema = z.object({ author: personSchema.nullable().catch(null), origin: z.record(z.string(), z.string()).catch({}) });
const nobody = { author: null, origin: {} };

const sessionReply = recordOf(sessionSchema);

/** One write of the journal: its name, a space, the events. */
const journalWrite = z
  .string()
  .transform((write) => write.slice(write.indexOf(' ') + 1))
  .pipe(recordOf(z.array(turnEventSchema)));

const claimReply = z.tuple([
  z.string().regex(/^\d{1,15}$/),
  z.union([z.literal('').transform(() => null), sessionReply]),
  z.array(z.string()),
  z.array(z.string()),
  // A journal that cannot be read (another version wrote it) is no reason to be stuck: the turn begins anew.
  z.array(journalWrite).catch([]),
  z.array(recordOf(postSchema)),
  z.string(),
]);
const pageReply = z.tuple([z.number(), z.number(), z.array(recordOf(entrySchema))]);

/** A stop request. `id` tells two of them apart; `at` is when it was made. */
const stopReply = recordOf(z.object({ id: z.string(), at: z.number(), by: personSchema }).readonly());
export type StopRequest = z.infer<typeof stopReply>;

const decode = <T extends z.ZodType>(schema: T, what: string, reply: unknown): Result<z.infer<T>, Failure> => {
  const parsed = schema.safeParse(reply);
  // Paths and reasons only: a record's content has no place in a log.
  return parsed.success
    ? ok(parsed.data)
    : err(
        failure(
          'entry-unreadable',
          {},
          `${what}: ${parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')}`,
        ),
      );
};

export const encode = (record: object): string => JSON.stringify(record);
export const encodeJournalWrite = (events: readonly TurnEvent[]): string => JSON.stringify(events);

/** The items up to the first that cannot be read: what comes after it waits until that one is put aside. */
const readableOf = (items: readonly string[]): readonly MailboxItem[] => {
  const read = items.map((item) => recordOf(mailboxItemSchema).safeParse(item));
  const spoiled = read.findIndex((one) => !one.success);
  return read.slice(0, spoiled === -1 ? read.length : spoiled).flatMap((one) => (one.success ? [one.data] : []));
};
const spoiledOf = (key: string | undefined, item: string | undefined): Spoiled | null => {
  if (key === undefined || item === undefined || recordOf(mailboxItemSchema).safeParse(item).success) return null;
  const addressee = recordOf(addresseeSchema).safeParse(item);
  return { key: eventKey(key), ...(addressee.success ? addressee.data : nobody) };
};

export const decodeMailbox = (reply: unknown): Result<readonly MailboxItem[], Failure> => {
  const decoded = decode(z.array(z.string()), 'mailbox', reply);
  return decoded.ok ? ok(readableOf(decoded.value)) : decoded;
};
export const decodeEntry = (reply: unknown): Result<Entry, Failure> => decode(recordOf(entrySchema), 'entry', reply);
export const decodeSession = (reply: unknown) => decode(sessionReply, 'session', reply);
export const decodeChannelSettings = (reply: unknown) => decode(recordOf(channelSettingsSchema), 'channel settings', reply);
const ratingSchema = z.object({ at: z.number(), by: personSchema, verdict: z.enum(['up', 'down']), words: z.string() }).readonly();
export const decodeRatings = (reply: unknown) => decode(z.array(recordOf(ratingSchema)).readonly(), 'ratings', reply);
export const decodeStop = (reply: unknown): Result<StopRequest, Failure> => decode(stopReply, 'stop request', reply);

export const decodeClaim = (reply: unknown): Result<Claim, Failure> => {
  const decoded = decode(claimReply, 'claim', reply);
  if (!decoded.ok) return decoded;
  const [number, session, keys, items, journal, outbox, withdrawn] = decoded.value;
  return ok({
    fence: fence(Number(number)),
    session,
    mailbox: readableOf(items),
    spoiled: spoiledOf(keys[0], items[0]),
    journal: journal.flat(),
    outbox,
    withdrawn: beginningIn(withdrawn),
  });
};

const beginningIn = (write: string): TurnEventOf<'turn-started'> | null => {
  const events = write === '' ? undefined : journalWrite.safeParse(write).data;
  return events?.find((event) => event.type === 'turn-started') ?? null;
};

export const decodePage = (reply: unknown): Result<EntryPage, Failure> => {
  const decoded = decode(pageReply, 'entries', reply);
  if (!decoded.ok) return decoded;
  const [from, total, entries] = decoded.value;
  return ok({ from, total, entries });
};
