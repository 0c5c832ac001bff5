/** How the bot behaves in one channel. Set by `settings`; the config file's own choice of a model comes after it. Pure. */
import { z } from 'zod';

export const ruleSchema = z.enum(['mention', 'strict', 'all']);

/** Stored as it is. A field that a record of an older version lacks has its default. */
export const channelSettingsSchema = z
  .object({
    /** Whom the bot answers without being mentioned (speaking.ts). */
    speak: ruleSchema.default('mention'),
    /** The name of the model that answers here; null: as the installation has it. */
    model: z.string().nullable().default(null),
    /** How the bot is to present itself here; empty: as itself. Written by people: words about tone and role, never a right. */
    persona: z.string().default(''),
    /** `thread`: an answer to a mention opens a thread. `reply`: it is a reply in the channel. */
    threads: z.enum(['thread', 'reply']).default('thread'),
    /** People of other organisations may talk here. */
    outsiders: z.boolean().default(false),
  })
  .readonly();
export type ChannelSettings = z.infer<typeof channelSettingsSchema>;

export const defaultChannelSettings: ChannelSettings = channelSettingsSchema.parse({});
