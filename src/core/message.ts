/**
 * What comes in. Adapters decode platform events to `Incoming`; `accept` authorises them and appends
 * `MailboxItem`s to the conversation's mailbox.
 *
 * Stored records have no optional fields: a value that may be absent is `null`, so that "absent" is decided once.
 */
import { z } from 'zod';
import type { BlobId, EventKey, SnapshotId } from './ids.ts';
import { isBlobId } from './ids.ts';
import { tableFactsSchema } from './table.ts';

export const keySchema = z.custom<EventKey>((value) => typeof value === 'string' && value !== '' && value.length <= 300);
export const blobIdSchema = z.custom<BlobId>((value) => typeof value === 'string' && isBlobId(value));
export const snapshotIdSchema = z.custom<SnapshotId>((value) => typeof value === 'string' && isBlobId(value));

/** Who said or did something. `id` is the platform's own; `name` is what others see, untrusted. */
export const personSchema = z.object({ id: z.string(), name: z.string() }).readonly();
export type Person = z.infer<typeof personSchema>;

/** A file whose bytes are already in the blob store. `size` in bytes; `type` a MIME type; `table`: what is known of it as a table. */
export const storedFileSchema = z
  .object({
    name: z.string(),
    type: z.string(),
    size: z.number().int().nonnegative(),
    blob: blobIdSchema,
    table: tableFactsSchema.nullable().default(null),
  })
  .readonly();
export type StoredFile = z.infer<typeof storedFileSchema>;

/**
 * A message of the thread that the bot was not told when it was written, or the message that somebody asks about; the adapter read it
 * later. Nobody said it to the bot: it is quoted, and whoever wrote it is outside. `at` in milliseconds; `files` are names only.
 */
export const earlierMessageSchema = z
  .object({ key: keySchema, at: z.number(), author: personSchema, text: z.string(), files: z.array(z.string()).readonly() })
  .readonly();
export type EarlierMessage = z.infer<typeof earlierMessageSchema>;

/** Where a person stands to the installation: an `outsider` belongs to another organisation (Slack Connect). The gate decides on it. */
export type Standing = 'member' | 'outsider';

/** What the platform needs to answer this very event (a message to reply to, an interaction's token). Opaque to everybody else. */
const originSchema = z.record(z.string(), z.string()).readonly();

const base = { key: keySchema, at: z.number(), author: personSchema, origin: originSchema };

/** One accepted event, waiting for its turn. `at` in milliseconds since the epoch. */
export const mailboxItemSchema = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('ask'),
      ...base,
      text: z.string(),
      files: z.array(storedFileSchema).readonly(),
      /** Goes to the model before the question, quoted. Items of before there was such a thing have none. */
      earlier: z.array(earlierMessageSchema).readonly().default([]),
    })
    .readonly(),
  z.object({ kind: z.literal('run'), ...base, text: z.string(), code: z.string(), files: z.array(storedFileSchema).readonly() }).readonly(),
  z.object({ kind: z.literal('command'), ...base, name: z.string(), args: z.string() }).readonly(),
  /** A person's yes or no to a call that waits (`approve`, `deny`). Its key is made from the approval's id, so that there is one at most. */
  z.object({ kind: z.literal('decision'), ...base, approval: z.string(), verdict: z.enum(['approve', 'deny']) }).readonly(),
]);
export type MailboxItem = z.infer<typeof mailboxItemSchema>;
export type ItemOf<K extends MailboxItem['kind']> = Extract<MailboxItem, { kind: K }>;
