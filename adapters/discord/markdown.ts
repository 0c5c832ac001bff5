/**
 * Answers in Discord's dialect of Markdown. Pure.
 *
 * What Discord lacks is said otherwise: tables are columns in a code block, or a list where they are wide; small headings are bold;
 * rules go; pictures are links; quotes in quotes are one quote; code in a list stands by itself.
 */
import { filterOutput, strictPolicy } from '../../src/core/markdown/filter.ts';
import type { OutputPolicy } from '../../src/core/markdown/filter.ts';
import { toFiles, WIDE_TABLE } from '../../src/core/markdown/files.ts';
import type { TextFile } from '../../src/core/markdown/files.ts';
import { recordsOf } from '../../src/core/markdown/cut-block.ts';
import { plainBlocks } from '../../src/core/markdown/nodes.ts';
import type { Block, Code, Item, List, Root, Table } from '../../src/core/markdown/nodes.ts';
import { parseMarkdown } from '../../src/core/markdown/parse.ts';
import { splitMarkdown } from '../../src/core/markdown/split.ts';
import { tableLines, tableWidth } from '../../src/core/markdown/table-text.ts';
import { escapeFence } from './markdown-escape.ts';
import { inlineText } from './markdown-inline.ts';

/** A tree as the `content` of a message. Converting the result again gives the same. */
export const toDiscord = (root: Root): string => blocksText(root.children);

/**
 * An answer as the contents of messages, each of at most `limit` UTF-16 units, and files for what is no reading matter in a chat (wide
 * tables, very long code, an answer of many messages). Mentions and links obey the policy. No part is empty.
 */
export const partsForDiscord = (
  text: string,
  limit = 2000,
  policy: OutputPolicy = strictPolicy,
): { readonly parts: readonly string[]; readonly files: readonly TextFile[] } => {
  const { root, files } = toFiles(filterOutput(parseMarkdown(text), policy), text, limit);
  const parts = splitMarkdown(root, (part) => toDiscord(part).length, limit).map((part) => toDiscord(part).trimEnd());
  return { parts: parts.filter((part) => part.trim() !== ''), files };
};

/** A name for a thread (1 to 100 characters) from the message that it is opened on: its first words, on one line, without marks. */
export const threadName = (text: string): string => {
  const words = plainBlocks(parseMarkdown(text).children)
    .replace(/<(?:[@#][!&]?\d+|a?:(\w+):\d+|t:-?\d+(?::\w)?)>/g, '$1')
    .replace(/[*_~|>#[\]()`\\\p{Cc}\p{Cs}\p{Co}\p{Cn}\u200b\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/@(?=everyone|here)/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (words === '') return 'New chat';
  const graphemes = [...new Intl.Segmenter('en').segment(words)].map(({ segment }) => segment);
  let name = '';
  for (const grapheme of graphemes) {
    if (name.length + grapheme.length > MOST_NAME)
      return `${name.slice(0, name.lastIndexOf(' ') > MOST_NAME / 2 ? name.lastIndexOf(' ') : undefined).trim()}…`;
    name += grapheme;
  }
  return name;
};
/** Discord takes 100; longer than this no channel list shows. */
const MOST_NAME = 80;

const blocksText = (blocks: readonly Block[]): string => {
  let out = '';
  let previous: Block | undefined;
  // Lists side by side would run into one, so every second has the other mark.
  let other = false;
  for (const each of blocks) {
    const block = each.type === 'table' && isWide(each) ? recordsOf(each) : each;
    other = block.type === 'list' && previous?.type === 'list' && previous.ordered === block.ordered && !other;
    const text = block.type === 'list' ? listText(block, other) : blockText(block);
    if (text === '') continue;
    out += previous === undefined ? text : separator(previous, block) + text;
    previous = block;
  }
  return out;
};

/** Discord sets headings, fences and lists apart by itself; an empty line more would be a hole. */
const separator = (before: Block, after: Block): string => {
  if (isFence(before) || isFence(after) || isLarge(before)) return '\n';
  // A small heading is a bold line right over its text.
  if (before.type === 'heading' && after.type === 'paragraph') return '\n';
  if (after.type === 'heading') return after.depth > 3 ? '\n\n' : '\n';
  if (after.type === 'list' && (before.type === 'paragraph' || before.type === 'heading') && (!after.ordered || after.start === 1))
    return '\n';
  return '\n\n';
};
const isLarge = (block: Block): boolean => block.type === 'heading' && block.depth <= 3;
const isFence = (block: Block): boolean => block.type === 'code' || (block.type === 'table' && !isWide(block));

const blockText = (block: Block): string => {
  switch (block.type) {
    case 'paragraph':
      return linesOf(inlineText(block.children));
    case 'heading':
      return headingText(block.depth, inlineText(block.children, false));
    case 'code':
      return codeText(block);
    case 'table':
      return isWide(block) ? listText(recordsOf(block), false) : codeText({ type: 'code', lang: '', value: tableLines(block).join('\n') });
    case 'list':
      return listText(block, false);
    case 'blockquote':
      return quoteText(block.children);
    case 'thematicBreak':
      return '';
    default:
      return block satisfies never;
  }
};

/** No blanks at a line's ends: they would mean something to a reader of Markdown. */
const linesOf = (text: string): string => text.replace(/[ \t]*\n[ \t]*/g, '\n').trim();

const headingText = (depth: number, text: string): string => {
  const line = text.replace(/\s*\n\s*/g, ' ').trim();
  if (line === '') return '';
  return depth <= 3 ? `${'#'.repeat(depth)} ${line}` : `**${line.replaceAll('**', '')}**`;
};

const codeText = (code: Code): string => `\`\`\`${code.lang}\n${escapeFence(code.value).replace(/`$/, '`\u200b') || ' '}\n\`\`\``;

/** A table wider than a code block on a desktop is unreadable when its lines wrap. */
const isWide = (table: Table): boolean => tableWidth(table) > WIDE_TABLE;

const quoteText = (blocks: readonly Block[]): string =>
  blocksText(flat(blocks))
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
const flat = (blocks: readonly Block[]): readonly Block[] =>
  blocks.flatMap((block) => (block.type === 'blockquote' ? flat(block.children) : [block]));

/** Lists nest by the width of their marks. Code in them stands at the margin: Discord would show its indentation as part of it. */
const listText = (list: List, other: boolean): string => {
  let number = list.start;
  return list.children
    .map((item) => {
      const mark = list.ordered ? `${number}${other ? ')' : '.'}` : other ? '*' : '-';
      if (!item.rest) number++;
      return itemText(item, mark);
    })
    .join('\n');
};

const itemText = (item: Item, mark: string): string => {
  const indent = ' '.repeat(mark.length + 1);
  const box = item.checked === null ? '' : item.checked ? '☑ ' : '☐ ';
  let out = '';
  item.children.forEach((block, index) => {
    const text =
      index === 0 && !item.rest && block.type === 'paragraph' ? box + linesOf(inlineText(block.children, box === '')) : blockText(block);
    if (text === '') return;
    if (out !== '') out += '\n';
    out += isFence(block) ? text : text.replaceAll(/^(?=.)/gm, indent);
  });
  if (item.rest) return out;
  if (out.startsWith(indent)) return `${mark} ${out.slice(indent.length)}`;
  return out === '' ? mark : `${mark}\n${out}`;
};
