/** Messages as people see them: names instead of tokens, the words of blocks, what can be pressed. */
import { isObject, textIn } from './args.ts';
import type { Ephemeral, Json, Message } from './model.ts';
import { messageShape } from './shapes.ts';
import type { World } from './world.ts';

export type SeenButton = {
  readonly text: string;
  readonly actionId: string;
  readonly blockId: string;
  readonly value: string;
  readonly element: Json;
};

export type SeenMessage = {
  readonly ts: string;
  readonly channel: string;
  readonly thread: string | null;
  readonly user: string;
  readonly name: string;
  readonly fromBot: boolean;
  /** What stands in the channel: the blocks where there are any, else the text. */
  readonly text: string;
  /** What notifications and screen readers get. */
  readonly fallback: string;
  readonly blocks: readonly Json[];
  readonly attachments: readonly Json[];
  readonly buttons: readonly SeenButton[];
  readonly files: readonly {
    readonly id: string;
    readonly name: string;
    readonly title: string;
    readonly altText: string;
    readonly mimetype: string;
    readonly size: number;
  }[];
  readonly edited: boolean;
  readonly broadcast: boolean;
  readonly stream: string | null;
  readonly streamCalls: number;
  readonly metadata: Json | null;
  readonly reactions: Readonly<Record<string, readonly string[]>>;
  /** Whom it pings: people, `here`, `channel`, `everyone`, groups. */
  readonly pings: readonly string[];
  readonly earlier: readonly string[];
  /** Shown to this person alone. */
  readonly onlyFor: string | null;
};

const decode = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Text with tokens, as it is shown. */
export const shown = (world: World, text: string): string =>
  decode(
    text.replaceAll(/<([@#!]?)([^>|]*)(?:\|([^>]*))?>/g, (_, kind: string, body: string, label: string | undefined) => {
      if (kind === '@') return `@${world.people.get(body)?.name ?? body}`;
      if (kind === '#') return `#${world.channels.get(body)?.name ?? label ?? body}`;
      if (kind === '!') return label ?? `@${body.replace(/^subteam\^/, '')}`;
      return label ?? body;
    }),
  );

export const pingsIn = (text: string): readonly string[] =>
  [...text.matchAll(/<(@[UW][A-Z0-9]+|!here|!channel|!everyone|!subteam\^[A-Z0-9]+)(?:\|[^>]*)?>/g)].map((match) =>
    (match[1] ?? '').replace(/^[@!]/, ''),
  );

/** Every text of a block, one below the other; cells of a row beside each other. */
const words = (world: World, value: unknown): string => {
  if (Array.isArray(value))
    return value
      .map((one) => words(world, one))
      .filter((one) => one !== '')
      .join('\n');
  if (!isObject(value)) return '';
  const type = String(value['type']);
  const text = typeof value['text'] === 'string' ? value['text'] : null;
  if (type === 'user') return `@${world.people.get(String(value['user_id']))?.name ?? String(value['user_id'])}`;
  if (type === 'broadcast') return `@${String(value['range'])}`;
  if (type === 'channel') return `#${world.channels.get(String(value['channel_id']))?.name ?? ''}`;
  if (type === 'link') return text ?? String(value['url']);
  if (type === 'rich_text_section' || type === 'rich_text_quote' || type === 'rich_text_preformatted')
    return Array.isArray(value['elements']) ? value['elements'].map((one) => words(world, one)).join('') : '';
  if (type === 'table' || type === 'data_table')
    return Array.isArray(value['rows'])
      ? value['rows'].map((row) => (Array.isArray(row) ? row.map((cell) => words(world, cell)).join(' | ') : '')).join('\n')
      : '';
  if (type === 'image') return String(value['alt_text']);
  if (type === 'raw_number') return String(value['text'] ?? value['value']);
  if (text !== null) return type === 'text' || type === 'plain_text' || type === 'raw_text' ? text : shown(world, text);
  return ['title', 'text', 'fields', 'details', 'output', 'tasks', 'elements', 'child_blocks', 'body', 'caption', 'accessory']
    .map((name) => (typeof value[name] === 'string' ? value[name] : words(world, value[name])))
    .filter((one) => one !== '')
    .join('\n');
};

const PRESSABLE = ['actions', 'context_actions'];

export const blockWords = (world: World, blocks: readonly Json[]): string =>
  words(
    world,
    blocks.filter((block) => !PRESSABLE.includes(String(block['type']))),
  );

const buttonsOf = (blocks: readonly Json[]): readonly SeenButton[] =>
  blocks.flatMap((block, n) => {
    const elements = [
      ...(Array.isArray(block['elements']) && PRESSABLE.includes(String(block['type'])) ? block['elements'] : []),
      block['accessory'],
    ].filter(isObject);
    const blockId = typeof block['block_id'] === 'string' ? block['block_id'] : `b${n}`;
    return elements.flatMap((element): readonly SeenButton[] => {
      const label = (value: unknown): string => (isObject(value) && typeof value['text'] === 'string' ? value['text'] : '');
      const actionId = textIn(element, 'action_id');
      if (element['type'] === 'feedback_buttons') {
        return [element['positive_button'], element['negative_button']]
          .filter(isObject)
          .map((side) => ({ text: label(side['text']), actionId, blockId, value: String(side['value']), element }));
      }
      return [{ text: label(element['text']), actionId, blockId, value: textIn(element, 'value'), element }];
    });
  });

/** As Slack shows a person: the name they chose, else their real one. */
const nameOf = (world: World, id: string): string => {
  const person = world.people.get(id);
  return person?.displayName || person?.realName || id;
};

export const seenMessage = (world: World, message: Message): SeenMessage => {
  const shape = messageShape(world, message, true);
  const blocks = Array.isArray(shape['blocks']) ? shape['blocks'].filter(isObject) : [];
  const fallback = typeof shape['text'] === 'string' ? shape['text'] : '';
  const inBlocks = blockWords(world, blocks);
  return {
    ts: message.ts,
    channel: message.channel,
    thread: message.threadTs,
    user: message.user,
    name: message.username ?? nameOf(world, message.user),
    fromBot: message.bot !== null,
    text: inBlocks === '' ? shown(world, fallback) : inBlocks,
    fallback,
    blocks,
    attachments: message.attachments,
    buttons: buttonsOf(blocks),
    files: message.files
      .flatMap((id) => world.files.get(id) ?? [])
      .map(({ id, name, title, altText, mimetype, bytes }) => ({ id, name, title, altText, mimetype, size: bytes?.length ?? 0 })),
    edited: message.edited !== null,
    broadcast: message.broadcast,
    stream: message.stream?.state ?? null,
    streamCalls: message.stream?.calls.length ?? 0,
    metadata: message.metadata,
    reactions: Object.fromEntries([...message.reactions].map(([name, users]) => [name, [...users]])),
    // A live token works wherever it stands, in Markdown too.
    pings: pingsIn(`${fallback}\n${JSON.stringify(blocks.filter((block) => block['type'] !== 'rich_text'))}`),
    earlier: message.earlier,
    onlyFor: null,
  };
};

export const seenEphemeral = (world: World, one: Ephemeral): SeenMessage => {
  const inBlocks = blockWords(world, one.blocks);
  return {
    ts: one.ts,
    channel: one.channel,
    thread: one.threadTs,
    user: one.by,
    name: one.by === 'app' ? world.app.name : 'Slackbot',
    fromBot: true,
    text: inBlocks === '' ? shown(world, one.text) : inBlocks,
    fallback: one.text,
    blocks: one.blocks,
    attachments: [],
    buttons: buttonsOf(one.blocks),
    files: [],
    edited: false,
    broadcast: false,
    stream: null,
    streamCalls: 0,
    metadata: null,
    reactions: {},
    pings: pingsIn(one.text),
    earlier: [],
    onlyFor: one.user,
  };
};
