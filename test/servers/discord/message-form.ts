/** Reads and checks what is sent to create or edit a message, whichever route it comes by. */
import { MessageFlags as F } from './numbers.ts';
import { mimeOf } from '../support/mime.ts';
import { componentProblems } from './components.ts';
import { isObject, listIn, numberIn, textIn, textOf } from './json.ts';
import type { Attachment, Channel, Json } from './model.ts';
import type { SentFile } from './request.ts';
import { badLength, invalidForm, refused, tooLong } from './rest-fault.ts';
import type { Problem } from './rest-fault.ts';
import { guildOf } from './world.ts';
import type { World } from './world.ts';

/** A field that is null here was not given. */
export type MessageForm = {
  readonly content: string | null;
  readonly embeds: readonly Json[] | null;
  readonly components: readonly Json[] | null;
  readonly flags: number | null;
  /** The files that come with the request. */
  readonly newFiles: readonly Attachment[];
  /** Ids of the attachments that stay; null where the list was not given. */
  readonly keep: readonly string[] | null;
  readonly poll: Json | null;
};

const FILES = 10;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const embedProblems = (embeds: readonly Json[]): readonly Problem[] => {
  const problems: Problem[] = embeds.length > 10 ? [badLength('embeds', 0, 10)] : [];
  let total = 0;
  embeds.forEach((embed, n) => {
    const limited = (at: string, value: unknown, max: number): void => {
      total += text(value).length;
      if (text(value).length > max) problems.push(tooLong(`embeds.${n}.${at}`, max));
    };
    limited('title', embed['title'], 256);
    limited('description', embed['description'], 4096);
    limited('footer.text', isObject(embed['footer']) ? embed['footer']['text'] : '', 2048);
    limited('author.name', isObject(embed['author']) ? embed['author']['name'] : '', 256);
    const fields = listIn(embed, 'fields');
    if (fields.length > 25) problems.push(badLength(`embeds.${n}.fields`, 0, 25));
    fields.forEach((field, m) => {
      limited(`fields.${m}.name`, field['name'], 256);
      limited(`fields.${m}.value`, field['value'], 1024);
      if (textIn(field, 'name') === '') problems.push(badLength(`embeds.${n}.fields.${m}.name`, 1, 256));
      if (textIn(field, 'value') === '') problems.push(badLength(`embeds.${n}.fields.${m}.value`, 1, 1024));
    });
  });
  if (total > 6000) problems.push({ at: 'embeds', code: 'MAX_EMBED_SIZE_EXCEEDED', message: 'Embed size exceeds maximum size of 6000' });
  return problems;
};

type Given = { readonly body: Json; readonly files: readonly SentFile[]; readonly channel: Channel; readonly ephemeral?: boolean };

const readFiles = (world: World, { body, files, channel, ephemeral = false }: Given): readonly Attachment[] => {
  const most = guildOf(world, channel.guild)?.fileBytes ?? 10 * 1024 * 1024;
  const described = listIn(body, 'attachments');
  return files.map((file) => {
    const n = /^files\[(\d+)\]$/.exec(file.field)?.[1];
    if (file.bytes.length > most) throw refused(40005);
    const meta = described.find((one) => String(one['id']) === n) ?? {};
    const description = textIn(meta, 'description');
    if (description.length > 1024) throw invalidForm(tooLong(`attachments.${n}.description`, 1024));
    const name = textIn(meta, 'filename') || file.name;
    const spoiler = name.startsWith('SPOILER_') || meta['is_spoiler'] === true;
    return {
      id: world.newId(),
      // Discord keeps word characters, dots and dashes.
      filename: name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_') || 'unknown',
      description: description === '' ? null : description,
      contentType: mimeOf(name) === 'application/octet-stream' && file.type !== '' ? file.type : mimeOf(name),
      bytes: file.bytes,
      toldSize: file.bytes.length,
      channel: channel.id,
      ephemeral,
      status: null,
      spoiler,
    };
  });
};

/** Reads the body; refuses it where a field is too long or of the wrong kind. */
export const readMessageForm = (world: World, given: Given): MessageForm => {
  const { body, files } = given;
  const problems: Problem[] = [];
  const content = body['content'] === undefined ? null : body['content'] === null ? '' : textOf(body['content']);
  // Counted in UTF-16 units, after the ends were trimmed.
  if (content !== null && content.trim().length > 2000) problems.push(tooLong('content', 2000));
  const embeds = body['embeds'] === undefined ? null : listIn(body, 'embeds');
  if (embeds !== null) problems.push(...embedProblems(embeds));
  const flags = body['flags'] === undefined ? null : numberIn(body, 'flags');
  const layout = ((flags ?? 0) & F.IsComponentsV2) !== 0;
  const components = body['components'] === undefined ? null : listIn(body, 'components');
  if (components !== null) problems.push(...componentProblems(components, layout));
  if (layout) {
    for (const name of ['content', 'embeds', 'poll', 'sticker_ids'])
      if (body[name] !== undefined && body[name] !== null && body[name] !== '' && !(Array.isArray(body[name]) && body[name].length === 0))
        problems.push({
          at: name,
          code: 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
          message: `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
        });
  }
  const nonce = body['nonce'];
  if (typeof nonce === 'string' && nonce.length > 25) problems.push(tooLong('nonce', 25));
  if (problems.length > 0) throw invalidForm(...problems);
  const kept = body['attachments'] === undefined ? null : listIn(body, 'attachments').map((one) => String(one['id']));
  if (files.length > FILES || (kept !== null && kept.length > FILES)) throw refused(30015);
  return {
    content: content === null ? null : content.trim(),
    embeds,
    components,
    flags,
    newFiles: readFiles(world, given),
    keep: kept,
    poll: isObject(body['poll']) ? body['poll'] : null,
  };
};

/** The attachments of an edited message: the list names those that stay; new files come to it. */
export const attachmentsAfter = (before: readonly Attachment[], form: MessageForm): readonly Attachment[] => {
  const stay = form.keep === null ? before : before.filter((one) => form.keep?.includes(one.id));
  const all = [...stay, ...form.newFiles];
  if (all.length > FILES) throw refused(30015);
  return all;
};

/** Nothing to show at all. */
export const isEmpty = (
  form: Pick<MessageForm, 'content' | 'embeds' | 'components' | 'poll' | 'flags'>,
  attachments: number,
  stickers: number,
): boolean =>
  (form.content ?? '') === '' &&
  (form.embeds ?? []).length === 0 &&
  attachments === 0 &&
  stickers === 0 &&
  form.poll === null &&
  ((form.components ?? []).length === 0 || ((form.flags ?? 0) & F.IsComponentsV2) === 0);
