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

/** The longest persona, in characters. */
export const PERSONA_CHARS = 1_000;

export const defaultChannelSettings: ChannelSettings = channelSettingsSchema.parse({});

type Own = { readonly model: string | null; readonly persona: string | null };

/** The model that a thread asks for: its own choice, else its channel's; null: as the installation has it. */
export const modelIn = (thread: Own, channel: ChannelSettings): string | null => thread.model ?? channel.model;
/** The persona in a thread: its own, else its channel's; empty: none. */
export const personaIn = (thread: Own, channel: ChannelSettings): string => thread.persona ?? channel.persona;
