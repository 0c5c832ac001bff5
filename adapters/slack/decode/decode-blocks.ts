/**
 * The words of a message whose `text` lacks them: apps write blocks and attachments, a forwarded message is an attachment. They are
 * brought into the form of `text` (escaped, with references between angle brackets), so that `readText` reads all alike. Pure.
 */
import { z } from 'zod';

const json = z.json();
type Json = z.infer<typeof json>;
type Fields = { readonly [key: string]: Json };

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Nothing that people write is nested deeper; what is goes unread. */
const DEPTH = 12;
const MAX_CHARS = 40_000;

/** What Slack itself would have written as the message's text, with forwarded messages and the content of alerts quoted below it. */
export const rawText = (message: {
  readonly text?: string | null | undefined;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
}): string => {
  const text = message.text ?? '';
  const blocks = fieldsIn(message.blocks);
  // Slack makes a text of everything that people write, tables aside.
  const own = text.trim() === '' ? [ofBlocks(blocks)] : [text, ofBlocks(blocks.filter(({ type }) => type === 'table'))];
  return [...own, ...fieldsIn(message.attachments).map(ofAttachment)]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
    .slice(0, MAX_CHARS);
};

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `&gt; ${line}`)
    .join('\n');

/** A link's own preview says nothing that its author wrote. */
const ofAttachment = (attachment: Fields): string => {
  const isPreview = textIn(attachment['from_url']) !== '' && attachment['is_share'] !== true && attachment['is_msg_unfurl'] !== true;
  if (isPreview) return '';
  const blocks = ofBlocks(attachment['message_blocks']) || ofBlocks(attachment['blocks']);
  const fields = fieldsIn(attachment['fields']).map((field) => `${textIn(field['title'])}: ${textIn(field['value'])}`);
  const parts = [
    textIn(attachment['pretext']),
    textIn(attachment['author_name']),
    textIn(attachment['title']),
    textIn(attachment['text']) || blocks,
    ...fields,
  ];
  const said = parts.filter((part) => part !== '').join('\n') || textIn(attachment['fallback']);
  return said === '' ? '' : quoted(said);
};

const ofBlocks = (blocks: unknown): string =>
  fieldsIn(blocks)
    .map((block) => ofBlock(block, 0))
    .filter((text) => text !== '')
    .join('\n');

const ofBlock = (block: Fields, depth: number): string => {
  if (depth > DEPTH) return '';
  switch (textIn(block['type'])) {
    case 'rich_text':
      return fieldsIn(block['elements'])
        .map((element) => ofRich(element, depth + 1))
        .join('\n');
    case 'section':
      return [ofTextObject(block['text']), ...fieldsIn(block['fields']).map(ofTextObject)].filter((text) => text !== '').join('\n');
    case 'header':
      return ofTextObject(block['text']);
    case 'context':
      return fieldsIn(block['elements'])
        .map(ofTextObject)
        .filter((text) => text !== '')
        .join(' ');
    case 'markdown':
      return escape(textIn(block['text']));
    case 'table':
      return (Array.isArray(block['rows']) ? block['rows'] : [])
        .map((row) =>
          fieldsIn(row)
            .map((cell) => (cell['type'] === 'rich_text' ? ofBlock(cell, depth + 1) : escape(textIn(cell['text']))))
            .join(' | '),
        )
        .join('\n');
    default:
      return '';
  }
};

const ofTextObject = (value: unknown): string => {
  if (!isFields(value)) return '';
  const text = textIn(value['text']);
  return value['type'] === 'plain_text' ? escape(text) : text;
};

const ofRich = (element: Fields, depth: number): string => {
  if (depth > DEPTH) return '';
  const inner = (): string => fieldsIn(element['elements']).map(ofInline).join('');
  switch (textIn(element['type'])) {
    case 'rich_text_section':
      return inner();
    case 'rich_text_quote':
      return quoted(inner());
    case 'rich_text_preformatted':
      return `\`\`\`${[textIn(element['language']), inner()].filter((part) => part !== '').join('\n')}\`\`\``;
    case 'rich_text_list': {
      const indent = '  '.repeat(typeof element['indent'] === 'number' ? Math.min(Math.max(element['indent'], 0), 8) : 0);
      return fieldsIn(element['elements'])
        .map((item, index) => `${indent}${element['style'] === 'ordered' ? `${index + 1}.` : '-'} ${ofRich(item, depth + 1)}`)
        .join('\n');
    }
    default:
      return '';
  }
};

const ofInline = (element: Fields): string => {
  switch (textIn(element['type'])) {
    case 'text': {
      const text = escape(textIn(element['text']));
      return isFields(element['style']) && element['style']['code'] === true ? `\`${text}\`` : text;
    }
    case 'link': {
      const [url, label] = [escape(textIn(element['url'])), escape(textIn(element['text']))];
      return label === '' ? `<${url}>` : `<${url}|${label}>`;
    }
    case 'user':
      return `<@${textIn(element['user_id'])}>`;
    case 'channel':
      return `<#${textIn(element['channel_id'])}>`;
    case 'usergroup':
      return `<!subteam^${textIn(element['usergroup_id'])}>`;
    case 'broadcast':
      return `<!${textIn(element['range'])}>`;
    case 'emoji':
      return `:${textIn(element['name'])}:`;
    case 'date':
      return escape(textIn(element['fallback']));
    default:
      return '';
  }
};
