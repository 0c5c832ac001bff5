/**
 * A tree as mrkdwn, for `text`, sections and context. mrkdwn has no escapes, headings or tables; what it lacks is said otherwise. Pure.
 */
import { recordsOf } from '../../../src/core/markdown/cut-block.ts';
import { WIDE_TABLE } from '../../../src/core/markdown/files.ts';
import { imageLink } from '../../../src/core/markdown/marks.ts';
import { plainInline } from '../../../src/core/markdown/nodes.ts';
import type { Block, Inline, Item, Link, List, Root } from '../../../src/core/markdown/nodes.ts';
import { tableLines, tableWidth } from '../../../src/core/markdown/table-text.ts';
import { escapeSigns, escapeWords, keepFence, linkAddress } from './markdown-escape.ts';

const JOINER = '\u2060';

export const toMrkdwn = (root: Root): string => blocksText(root.children, 0).trim();

const blocksText = (blocks: readonly Block[], depth: number): string => {
  let out = '';
  let previous: Block | undefined;
  for (const block of blocks) {
    const text = blockText(block, depth);
    if (text === '') continue;
    out += previous === undefined ? text : (isTight(previous, block) ? '\n' : '\n\n') + text;
    previous = block;
  }
  return out;
};
const isTight = (before: Block, after: Block): boolean =>
  before.type === 'heading' || (after.type === 'list' && before.type === 'paragraph');

const blockText = (block: Block, depth: number): string => {
  switch (block.type) {
    case 'paragraph':
      return inlineText(block.children).trim();
    case 'heading':
      return wrapLines('*', inlineText(block.children.map(unbold)).replaceAll('\n', ' ').trim());
    case 'code':
      return fence(block.value);
    case 'table':
      return tableWidth(block) > WIDE_TABLE ? listText(recordsOf(block), depth) : fence(tableLines(block).join('\n'));
    case 'list':
      return listText(block, depth);
    case 'blockquote':
      return quoted(blocksText(block.children, depth));
    case 'thematicBreak':
      return '———';
    default:
      return block satisfies never;
  }
};

/** Slack would show the language as code, so there is none. */
const fence = (code: string): string => `\`\`\`\n${escapeSigns(keepFence(code)).replace(/`$/, `\`${JOINER}`) || ' '}\n\`\`\``;

/** A fence in a quote stands without the quote's marks, which Slack would show as code. */
const quoted = (text: string): string =>
  text
    .split(/\n*(```\n[^]*?\n```)\n*/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('```\n') ? part : part.replaceAll(/^(?:> )?/gm, '> ')))
    .join('\n');

const BULLETS = ['•', '◦', '▪'];

const listText = (list: List, depth: number): string => {
  let number = list.start;
  return list.children
    .map((item) => {
      const mark = list.ordered ? `${number}.` : (BULLETS[depth % BULLETS.length] ?? '•');
      if (!item.rest) number++;
      return itemText(item, mark, depth);
    })
    .join('\n');
};

const itemText = (item: Item, mark: string, depth: number): string => {
  const box = item.checked === null ? '' : item.checked ? '☑ ' : '☐ ';
  const indent = '    '.repeat(depth);
  const lines = item.children.map((block) => blockText(block, depth + 1)).filter((text) => text !== '');
  const [first = '', ...rest] = lines;
  const begins = item.children[0]?.type === 'list' ? `\n${first}` : ` ${box}${first}`;
  return [item.rest ? `${indent}${first}` : `${indent}${mark}${begins}`, ...rest].join('\n');
};

/** Inline content as mrkdwn. */
const inlineText = (nodes: readonly Inline[]): string => {
  let out = '';
  for (const node of nodes) {
    const piece = pieceOf(node);
    const marked = node.type === 'strong' || node.type === 'emphasis' || node.type === 'delete';
    // Marks count only where no letter or digit touches them from outside.
    const joint =
      (marked && /[\p{L}\p{N}*_~]$/u.test(out)) || (/[*_~]$/.test(out) && !out.endsWith(JOINER) && /^[\p{L}\p{N}]/u.test(piece));
    out += joint ? JOINER + piece : piece;
  }
  return out;
};

const pieceOf = (node: Inline): string => {
  switch (node.type) {
    case 'text':
      return escapeWords(plainMarks(node.value));
    case 'strong':
      return wrapLines('*', inlineText(node.children.map(unbold)));
    case 'emphasis':
      return wrapLines('_', inlineText(node.children));
    case 'delete':
      return wrapLines('~', inlineText(node.children));
    case 'inlineCode':
      return codeSpan(node.value);
    case 'break':
      return '\n';
    case 'link':
      return linkText(node);
    case 'image':
      return linkText(imageLink(node));
    case 'mention':
      return node.token;
    default:
      return node satisfies never;
  }
};

/** Bold in bold would end it. */
const unbold = (node: Inline): Inline => (node.type === 'strong' && node.children.length === 1 ? (node.children[0] ?? node) : node);

/** Marks hold for one line only, and stand close to the words. */
const wrapLines = (mark: string, text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line.replace(/^(\s*)(\S|\S[^]*\S)(\s*)$/, (_all, left: string, words: string, right: string) => left + mark + words + mark + right),
    )
    .join('\n');

const codeSpan = (value: string): string => {
  // One kind of code span only, and nothing escapes a backtick in it.
  const code = escapeSigns(value.replace(/\s*\n\s*/g, ' ').replaceAll('`', 'ˋ'));
  return code.trim() === '' ? code : `\`${code}\``;
};

const linkText = (link: Link): string => {
  const label = plainInline(link.children).replace(/\s+/g, ' ').trim();
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(link.url)) return `${escapeWords(label)} (${codeSpan(link.url)})`;
  const url = escapeSigns(linkAddress(link.url));
  return label === '' || label === link.url ? `<${url}>` : `<${url}|${escapeWords(label).replaceAll('|', '¦')}>`;
};

/** Signs that would format by accident, or begin a quote, are parted from their words; all others stay as they are. */
const plainMarks = (text: string): string =>
  text.replace(/(^|[^\p{L}\p{N}])([*_~`])(?=\S)(?=[^\n]*?\S\2(?:$|[^\p{L}\p{N}]))/gmu, `$1$2${JOINER}`).replace(/^(?=>)/gm, JOINER);
