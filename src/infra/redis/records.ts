/** Records as they stand in Redis: JSON, decoded by the schemas of the core. Pure. */
import { z } from 'zod';
import { channelSettingsSchema } from '../../core/channel-settings.ts';
import { entrySchema, sessionSchema } from '../../core/conversation.ts';
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import { fence } from '../../core/ids.ts';
import { mailboxItemSchema, personSchema } from '../../core/message.ts';
import { postSchema } from '../../core/outbound.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import { turnEventSchema } from '../../core/turn-event.ts';
import type { TurnEvent } from '../../core/turn-event.ts';
import type { Claim, EntryPage } from '../../ports/conversation-store.ts';

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('not JSON');
    return z.NEVER;
  }
});
const recordOf = <T extends z.ZodType>(schema: T) => json.pipe(schema);

const mailboxReply = z.array(recordOf(mailboxItemSchema));
const sessionReply = recordOf(sessionSchema);

/** One write of the journal: its name, a space, the events. */
const journalWrite = z
  .string()
  .transform((write) => write.slice(write.indexOf(' ') + 1))
  .pipe(recordOf(z.array(turnEventSchema)));

const claimReply = z.tuple([
  z.string().regex(/^\d{1,15}$/),
  z.union([z.literal('').transform(() => null), sessionReply]),
  mailboxReply,
  // A journal that cannot be read (another version wrote it) is no reason to be stuck: the turn begins anew.
  z.array(journalWrite).catch([]),
  z.array(recordOf(postSchema)),
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

export const decodeMailbox = (reply: unknown) => decode(mailboxReply, 'mailbox', reply);
export const decodeSession = (reply: unknown) => decode(sessionReply, 'session', reply);
export const decodeChannelSettings = (reply: unknown) => decode(recordOf(channelSettingsSchema), 'channel settings', reply);
export const decodeStop = (reply: unknown): Result<StopRequest, Failure> => decode(stopReply, 'stop request', reply);

export const decodeClaim = (reply: unknown): Result<Claim, Failure> => {
  const decoded = decode(claimReply, 'claim', reply);
  if (!decoded.ok) return decoded;
  const [number, session, mailbox, journal, outbox] = decoded.value;
  return ok({ fence: fence(Number(number)), session, mailbox, journal: journal.flat(), outbox });
};

export const decodePage = (reply: unknown): Result<EntryPage, Failure> => {
  const decoded = decode(pageReply, 'entries', reply);
  if (!decoded.ok) return decoded;
  const [from, total, entries] = decoded.value;
  return ok({ from, total, entries });
};
