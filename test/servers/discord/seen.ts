/** Messages as people see them: names instead of tokens, what can be pressed, whom it pinged. */
import { ComponentType as C } from './numbers.ts';
import { listIn, numberIn, textIn } from './json.ts';
import type { Json, Mentions, Message } from './model.ts';
import { attachmentShape } from './shapes.ts';
import { guildOf } from './world.ts';
import type { World } from './world.ts';

export type SeenButton = {
  readonly label: string;
  readonly id: string;
  readonly style: number;
  readonly disabled: boolean;
  readonly url: string;
};

export type SeenMessage = {
  readonly id: string;
  readonly channel: string;
  readonly type: number;
  readonly author: string;
  readonly name: string;
  readonly bot: boolean;
  /** As it was written. */
  readonly content: string;
  /** With names instead of mentions, and the words of layout parts. */
  readonly text: string;
  readonly flags: number;
  /** The place-holder "… is thinking". */
  readonly loading: boolean;
  readonly edited: boolean;
  readonly pinned: boolean;
  readonly at: number;
  readonly replyTo: string | null;
  readonly forwarded: readonly string[];
  readonly buttons: readonly SeenButton[];
  readonly components: readonly Json[];
  readonly embeds: readonly Json[];
  readonly files: readonly {
    readonly id: string;
    readonly name: string;
    readonly size: number;
    readonly description: string;
    readonly type: string;
    readonly url: string;
  }[];
  readonly stickers: readonly string[];
  readonly reactions: Readonly<Record<string, readonly string[]>>;
  /** Who was notified: ids of people, `@everyone`, `@&` and a role's id. */
  readonly pings: readonly string[];
  /** Whom its edits would mention, had they been new messages: what an edit without `allowed_mentions` does. */
  readonly editPings: readonly string[];
  readonly earlier: readonly string[];
  readonly nonce: string | number | null;
  /** Shown to this person alone. */
  readonly onlyFor: string | null;
  readonly interaction: string | null;
  /** The thread under it. */
  readonly thread: string | null;
};

/** Text with mentions as they are shown. */
export const shownText = (world: World, guild: string | null, text: string): string =>
  text
    .replaceAll(/<@!?(\d+)>/g, (_, id: string) => `@${nameOf(world, guild, id)}`)
    .replaceAll(/<@&(\d+)>/g, (_, id: string) => `@${guildOf(world, guild)?.roles.get(id)?.name ?? 'unknown-role'}`)
    .replaceAll(/<#(\d+)>/g, (_, id: string) => `#${world.channels.get(id)?.name ?? 'unknown'}`);

export const nameOf = (world: World, guild: string | null, id: string): string => {
  const user = world.users.get(id);
  return guildOf(world, guild)?.members.get(id)?.nick ?? user?.globalName ?? user?.username ?? 'unknown-user';
};

export const namesOf = ({ users, roles, everyone }: Mentions): readonly string[] => [
  ...(everyone ? ['@everyone'] : []),
  ...roles.map((id) => `@&${id}`),
  ...users,
];

/** Every part of a message at any depth. */
const parts = (components: readonly Json[]): readonly Json[] =>
  components.flatMap((one) => [
    one,
    ...(typeof one['accessory'] === 'object' ? [one['accessory'] as Json] : []),
    ...parts(listIn(one, 'components')),
  ]);

export const buttonsOf = (message: Pick<Message, 'components'>): readonly SeenButton[] =>
  parts(message.components)
    .filter((one) => one['type'] === C.Button)
    .map((one) => ({
      label: textIn(one, 'label'),
      id: textIn(one, 'custom_id'),
      style: numberIn(one, 'style'),
      disabled: one['disabled'] === true,
      url: textIn(one, 'url'),
    }));

export const seenMessage = (world: World, message: Message): SeenMessage => {
  const words = parts(message.components)
    .filter((one) => one['type'] === C.TextDisplay)
    .map((one) => textIn(one, 'content'));
  const user = world.users.get(message.author);
  return {
    id: message.id,
    channel: message.channel,
    type: message.type,
    author: message.author,
    name: message.webhookName ?? nameOf(world, message.guild, message.author),
    bot: user?.bot === true || message.webhook !== null,
    content: message.content,
    text: shownText(world, message.guild, [message.content, ...words].filter((one) => one !== '').join('\n')),
    flags: message.flags,
    loading: (message.flags & 128) !== 0,
    edited: message.editedAt !== null,
    pinned: message.pinned,
    at: message.at,
    replyTo: message.reference?.type === 0 && message.type === 19 ? message.reference.message : null,
    forwarded: message.snapshots.map((one) => textIn(one, 'content')),
    buttons: buttonsOf(message),
    components: message.components,
    embeds: (message.flags & 4) === 0 ? message.embeds : [],
    files: message.attachments.map((one) => ({
      id: one.id,
      name: one.filename,
      size: one.bytes.length,
      description: one.description ?? '',
      type: one.contentType,
      url: String(attachmentShape(world, one)['url']),
    })),
    stickers: message.stickers.map((one) => textIn(one, 'name')),
    reactions: Object.fromEntries([...message.reactions].map(([name, users]) => [name, [...users]])),
    pings: namesOf(message.pinged),
    editPings: [...new Set(message.editMentions.flatMap(namesOf))],
    earlier: message.earlier,
    nonce: message.nonce,
    onlyFor: message.onlyFor,
    interaction: message.interaction,
    thread: message.id !== message.channel && world.channels.get(message.id)?.deleted === false ? message.id : null,
  };
};
