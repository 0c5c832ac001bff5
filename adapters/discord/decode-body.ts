/** What a message says beyond its text: forwards, stickers, polls, embeds. Pure. */
import type { Attachment, Body, Embed, Message, PlainMessage, Poll } from './decode-schema.ts';
import { readText } from './decode-text.ts';
import type { Names } from './decode-text.ts';

/** The words of a message or of a forwarded one, names in the place of ids. Empty where there are none. */
const wordsOf = (body: Body, names: Names): string => {
  const known = withMentions(body, names);
  return [
    readText(body.content, known).trim(),
    ...body.sticker_items.map((sticker) => `[sticker: ${sticker.name}]`),
    body.poll === null || body.poll === undefined ? '' : poll(body.poll),
    // What Discord unfurled from a link is no word of the author's, but it is what the reader sees.
    ...body.embeds.map((embed) => readText(embedText(embed), known)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

/** The words of a message with those that it forwards. */
export const wholeWordsOf = (message: PlainMessage, names: Names): string =>
  [
    wordsOf({ ...message, embeds: message.author.bot ? message.embeds : message.embeds.filter((embed) => embed.type === 'rich') }, names),
    ...message.message_snapshots.map(({ message: forwarded }) => quoted('Forwarded message', wordsOf(forwarded, names))),
  ]
    .filter((part) => part !== '')
    .join('\n\n');

/** The files of a message, and of those it forwards, in order. */
export const filesOf = (message: PlainMessage): readonly Attachment[] => [
  ...message.attachments,
  ...message.message_snapshots.flatMap(({ message: forwarded }) => forwarded.attachments),
];

/** Whether Discord has held back what the message says, as it does without the Message Content intent. A message always holds something. */
export const isWithheld = (message: Message): boolean =>
  message.content === '' &&
  message.attachments.length === 0 &&
  message.embeds.length === 0 &&
  message.sticker_items.length === 0 &&
  message.message_snapshots.length === 0 &&
  (message.poll === null || message.poll === undefined);

const quoted = (title: string, words: string): string => (words === '' ? '' : `${title}:\n${words.replace(/^/gm, '> ')}`);

const withMentions = (body: Body, names: Names): Names => ({
  ...names,
  user: (id) => {
    const one = body.mentions.find((user) => user.id === id);
    return one === undefined ? names.user(id) : one.member?.nick || one.global_name || one.username || names.user(id);
  },
});

const poll = ({ question, answers }: Poll): string =>
  [`Poll: ${question.text ?? ''}`, ...answers.map((answer) => `- ${answer.poll_media.text ?? ''}`)].join('\n');

const embedText = ({ author, title, url, description, fields, footer }: Embed): string =>
  [
    author?.name ?? '',
    title === null || title === undefined || title === '' ? '' : url === null || url === undefined ? title : `[${title}](${url})`,
    description ?? '',
    ...fields.map((field) => `${field.name}: ${field.value}`),
    footer?.text ?? '',
  ]
    .filter((part) => part !== '')
    .join('\n');
