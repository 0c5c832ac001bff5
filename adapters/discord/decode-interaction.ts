/** An interaction (slash command, button, menu entry, modal) -> what somebody wants. Pure. https://docs.discord.com/developers/interactions/receiving-and-responding */
import { z } from 'zod';
import type { Person } from '../../src/core/message.ts';
import { clean } from '../../src/core/trust.ts';
import { readModal, readPress, menuNames } from './actions.ts';
import type { Modal, Press } from './actions.ts';
import type { CommandHelp } from '../../src/core/command.ts';
import { readCalled, readTyped } from './commands.ts';
import type { Called } from './commands.ts';
import type { Attachment } from './decode-schema.ts';
import { attachmentSchema, channelSchema, memberSchema, userSchema } from './decode-schema.ts';
import { directPlace, placeOf } from './place.ts';
import type { Place } from './place.ts';
import { timeOf } from './decode.ts';

export type Interaction = {
  readonly id: string;
  readonly token: string;
  readonly application: string;
  /** When it came about, milliseconds: its token lives fifteen minutes from then. */
  readonly at: number;
  readonly user: Person;
  /** Null where Discord does not say enough of the channel. */
  readonly place: Place | null;
  readonly guild: string | null;
  readonly channel: string;
  /** Whether the bot itself is there, and can send messages; otherwise it can only answer the interaction. */
  readonly member: boolean;
  readonly locale: string;
  /** The message that the pressed button stands under; '' for none. */
  readonly under: string;
  readonly wish: Wish;
};

/** What somebody wants. */
export type Wish =
  | { readonly kind: 'command'; readonly called: Called; readonly file: Attachment | null }
  | { readonly kind: 'typing'; readonly command: string; readonly option: string; readonly partial: string }
  | { readonly kind: 'press'; readonly press: Press }
  /** An entry of a message's menu; `target` is the raw message. */
  | { readonly kind: 'menu'; readonly entry: 'ask' | 'run'; readonly target: unknown }
  | { readonly kind: 'modal'; readonly modal: Modal; readonly values: { readonly [field: string]: string } }
  | { readonly kind: 'ping' }
  /** A button or command of another version. */
  | { readonly kind: 'unknown' };

const id = z.string();
const schema = z.object({
  id,
  token: z.string(),
  application_id: id,
  type: z.number(),
  data: z.unknown().optional(),
  guild_id: id.nullish(),
  channel_id: id.nullish(),
  channel: z.unknown().optional(),
  member: memberSchema.extend({ user: userSchema }).nullish(),
  user: userSchema.nullish(),
  message: z.object({ id }).nullish(),
  locale: z.string().default(''),
  context: z.number().nullish(),
  authorizing_integration_owners: z.record(z.string(), z.unknown()).nullish(),
});

export const decodeInteraction = (event: unknown, commands: readonly CommandHelp[]): Interaction | null => {
  const read = schema.safeParse(event);
  if (!read.success) return null;
  const it = read.data;
  const user = it.member?.user ?? it.user;
  const channel = it.channel_id ?? null;
  if (user === null || user === undefined || channel === null) return null;
  const guild = it.guild_id ?? null;
  return {
    id: it.id,
    token: it.token,
    application: it.application_id,
    at: timeOf(it.id),
    user: { id: user.id, name: clean(it.member?.nick || user.global_name || user.username || user.id) },
    place: placeFrom(it.channel, channel, guild),
    guild,
    channel,
    member: isMember(it),
    locale: it.locale,
    under: it.message?.id ?? '',
    wish: wishOf(it.type, it.data, commands),
  };
};

const placeFrom = (raw: unknown, channel: string, guild: string | null): Place | null => {
  const read = channelSchema.safeParse(raw);
  if (read.success && read.data.id === channel) return placeOf(read.data, guild, null);
  return guild === null ? directPlace(channel) : null;
};

/* https://docs.discord.com/developers/resources/application#installation-context : 0 is the server (or the bot's own DM), 1 the user. */
const BOT_DM = 1;
const PRIVATE_CHANNEL = 2;
const isMember = ({ context, authorizing_integration_owners: owners }: z.infer<typeof schema>): boolean => {
  if (context === PRIVATE_CHANNEL) return false;
  if (context === BOT_DM || owners === null || owners === undefined) return true;
  return '0' in owners;
};

const menuSchema = z.object({
  type: z.number(),
  name: z.string(),
  target_id: id,
  resolved: z.object({ messages: z.record(z.string(), z.unknown()) }),
});
const filesSchema = z.object({ resolved: z.object({ attachments: z.record(z.string(), attachmentSchema) }) });
const MESSAGE_MENU = 3;

/* https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-type */
const [PING, COMMAND, COMPONENT, TYPING, MODAL] = [1, 2, 3, 4, 5] as const;

const wishOf = (type: number, data: unknown, commands: readonly CommandHelp[]): Wish => {
  switch (type) {
    case PING:
      return { kind: 'ping' };
    case COMMAND: {
      const menu = menuSchema.safeParse(data);
      if (menu.success && menu.data.type === MESSAGE_MENU) return menuWish(menu.data);
      const called = readCalled(data, commands);
      if (called === null) return { kind: 'unknown' };
      const files = filesSchema.safeParse(data).data?.resolved.attachments ?? {};
      return { kind: 'command', called, file: called.file === null ? null : (files[called.file] ?? null) };
    }
    case TYPING: {
      const typed = readTyped(data);
      return typed === null ? { kind: 'unknown' } : { kind: 'typing', ...typed };
    }
    case COMPONENT: {
      const press = readPress(customIdOf(data));
      return press === null ? { kind: 'unknown' } : { kind: 'press', press };
    }
    case MODAL: {
      const modal = readModal(customIdOf(data));
      return modal === null ? { kind: 'unknown' } : { kind: 'modal', modal, values: valuesIn(data) };
    }
    default:
      return { kind: 'unknown' };
  }
};

const menuWish = ({ name, target_id: target, resolved }: z.infer<typeof menuSchema>): Wish => {
  const entry = name === menuNames.ask ? 'ask' : name === menuNames.run ? 'run' : null;
  const message = resolved.messages[target];
  return entry === null || message === undefined ? { kind: 'unknown' } : { kind: 'menu', entry, target: message };
};

const customIdOf = (data: unknown): string => z.object({ custom_id: z.string() }).safeParse(data).data?.custom_id ?? '';

const field = z.object({ custom_id: z.string(), value: z.string().nullish(), values: z.array(z.string()).nullish() });
/** A field stands in a label, or in a row as older modals have it. */
const partSchema = z.object({ component: z.unknown().optional(), components: z.array(z.unknown()).default([]) });

/** What was written into a modal's fields. */
const valuesIn = (data: unknown): { readonly [field: string]: string } => {
  const parts = z.object({ components: z.array(partSchema) }).safeParse(data).data?.components ?? [];
  const fields = parts.flatMap((part) => [part.component, ...part.components]).flatMap((one) => field.safeParse(one).data ?? []);
  return Object.fromEntries(fields.map((one) => [one.custom_id, one.value ?? one.values?.[0] ?? '']));
};
