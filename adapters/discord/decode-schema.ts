/**
 * The parts of Discord's objects that are read, out of raw gateway events and REST answers. Unknown fields are dropped, and a field that is
 * missing where Discord may leave it out has a default: only what makes a message a message is required.
 * https://docs.discord.com/developers/resources/message
 */
import { z } from 'zod';

const id = z.string().regex(/^\d{1,25}$/);

export const userSchema = z.object({
  id,
  username: z.string().default(''),
  global_name: z.string().nullish(),
  bot: z.boolean().default(false),
  system: z.boolean().default(false),
});
export const memberSchema = z.object({ nick: z.string().nullish(), roles: z.array(id).default([]), permissions: z.string().optional() });

export const attachmentSchema = z.object({
  id,
  filename: z.string(),
  title: z.string().nullish(),
  content_type: z.string().nullish(),
  size: z.number().int().nonnegative(),
  url: z.string(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

const embedSchema = z.object({
  type: z.string().default('rich'),
  title: z.string().nullish(),
  description: z.string().nullish(),
  url: z.string().nullish(),
  author: z.object({ name: z.string().default('') }).nullish(),
  fields: z.array(z.object({ name: z.string().default(''), value: z.string().default('') })).default([]),
  footer: z.object({ text: z.string().default('') }).nullish(),
});
export type Embed = z.infer<typeof embedSchema>;

const pollSchema = z.object({
  question: z.object({ text: z.string().nullish() }),
  answers: z.array(z.object({ poll_media: z.object({ text: z.string().nullish() }) })).default([]),
});
export type Poll = z.infer<typeof pollSchema>;

/** What both a message and the snapshot of a forwarded one hold. */
const bodyFields = {
  content: z.string().default(''),
  attachments: z.array(attachmentSchema).default([]),
  embeds: z.array(embedSchema).default([]),
  sticker_items: z.array(z.object({ name: z.string() })).default([]),
  poll: pollSchema.nullish(),
  mentions: z.array(userSchema.extend({ member: memberSchema.nullish() })).default([]),
};
const bodySchema = z.object(bodyFields);
export type Body = z.infer<typeof bodySchema>;

const messageFields = {
  ...bodyFields,
  id,
  channel_id: id,
  guild_id: id.optional(),
  author: userSchema,
  member: memberSchema.nullish(),
  type: z.number().int().default(0),
  timestamp: z.string().default(''),
  edited_timestamp: z.string().nullish(),
  webhook_id: id.nullish(),
  mention_everyone: z.boolean().default(false),
  flags: z.number().int().default(0),
  message_reference: z.object({ type: z.number().int().default(0), message_id: id.optional(), channel_id: id.optional() }).nullish(),
  message_snapshots: z.array(z.object({ message: bodySchema })).default([]),
};
const plainMessageSchema = z.object(messageFields);
/** `referenced_message`: null where it was deleted, absent where Discord did not look. */
export const messageSchema = z.object({ ...messageFields, referenced_message: plainMessageSchema.nullish() });
export type Message = z.infer<typeof messageSchema>;
export type PlainMessage = z.infer<typeof plainMessageSchema>;

/** An update may be partial: an unfurled link comes without author. */
export const updateSchema = z.object({ ...messageFields, author: userSchema.optional(), content: z.string().optional() });
export type Update = z.infer<typeof updateSchema>;

export const deletedSchema = z.object({ id, channel_id: id, guild_id: id.optional() });
export const bulkDeletedSchema = z.object({ ids: z.array(id), channel_id: id, guild_id: id.optional() });

/** A channel or thread; `parent_id` of a thread is the channel it stands in. */
export const channelSchema = z.object({
  id,
  type: z.number().int(),
  guild_id: id.optional(),
  parent_id: id.nullish(),
  name: z.string().nullish(),
  owner_id: id.nullish(),
  last_message_id: id.nullish(),
  applied_tags: z.array(id).default([]),
  available_tags: z.array(z.object({ id, name: z.string() })).default([]),
  thread_metadata: z.object({ archived: z.boolean().default(false), locked: z.boolean().default(false) }).nullish(),
});
export type Channel = z.infer<typeof channelSchema>;
