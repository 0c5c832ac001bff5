/**
 * A tree as the Markdown that Slack takes in `markdown_text`, markdown blocks and stream chunks. Tokens are live there too, so every `<` and
 * `>` that is not a quote's mark is escaped, in code as well. Pure.
 */
import { recordsOf } from '../../../src/core/markdown/cut-block.ts';
import { escapeMarks } from '../../../src/core/markdown/escape.ts';
import { WIDE_TABLE } from '../../../src/core/markdown/files.ts';
import { imageLink, marked, ticked } from '../../../src/core/markdown/marks.ts';
import { plainInline } from '../../../src/core/markdown/nodes.ts';
import type { Block, Inline, Item, Link, List, Root } from '../../../src/core/markdown/nodes.ts';
import { tableLines, tableWidth } from '../../../src/core/markdown/table-text.ts';
import { escapeSigns, escapeWords, keepFence, linkAddress, partTicks } from './markdown-escape.ts';

export const toSlackMarkdown = (root: Root): string => blocksText(root.children);

const blocksText = (blocks: readonly Block[]): string =>
  blocks
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n\n');

const blockText = (block: Block): string => {
  switch (block.type) {
    case 'paragraph':
      return inlineText(block.children, true).trim();
    case 'heading': {
      const line = inlineText(block.children, false)
        .replace(/\s*\n\s*/g, ' ')
        .trim();
      return line === '' ? '' : `${'#'.repeat(block.depth)} ${line}`;
    }
    case 'code':
      return fence(block.value);
    case 'table':
      return tableWidth(block) > WIDE_TABLE ? listText(recordsOf(block)) : fence(tableLines(block).join('\n'));
    case 'list':
      return listText(block);
    case 'blockquote':
      return blocksText(block.children)
        .split('\n')
        .map((line) => (line === '' ? '>' : `> ${line}`))
        .join('\n');
    case 'thematicBreak':
      return '---';
    default:
      return block satisfies never;
  }
};

const fence = (code: string): string => `\`\`\`\n${escapeSigns(keepFence(code)).replace(/`$/, '`\u2060') || ' '}\n\`\`\``;

const listText = (list: List): string => {
  let number = list.start;
  return list.children
    .map((item) => {
      const mark = list.ordered ? `${number}.` : '-';
      if (!item.rest) number++;
      return itemText(item, mark);
    })
    .join('\n');
};

const itemText = (item: Item, mark: string): string => {
  const indent = ' '.repeat(mark.length + 1);
  const box = item.checked === null ? '' : item.checked ? '☑ ' : '☐ ';
  const text = item.children
    .map((block, index) => (index === 0 ? box : '') + blockText(block))
    .filter((part) => part !== '')
    .join('\n');
  const body = text.replaceAll(/^(?=.)/gm, indent);
  return item.rest ? body : `${mark} ${body.slice(indent.length)}`.trimEnd();
};

const inlineText = (nodes: readonly Inline[], lineStart: boolean): string => {
  let out = '';
  for (const node of nodes) {
    const piece = pieceOf(node, out === '' ? lineStart : out.endsWith('\n'));
    if (node.type === 'link' && out.endsWith('!')) out = `${out.slice(0, -1)}\\!`;
    out += out.endsWith('*') && piece.startsWith('*') && !out.endsWith(String.raw`\*`) ? `\u2060${piece}` : piece;
  }
  return out;
};

const pieceOf = (node: Inline, lineStart: boolean): string => {
  switch (node.type) {
    case 'text':
      return escapeWords(escapeMarks(node.value, lineStart));
    case 'strong':
      return wrap('**', node.children);
    case 'emphasis':
      return wrap('*', node.children);
    case 'delete':
      return wrap('~~', node.children);
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

const wrap = (mark: string, children: readonly Inline[]): string => marked(mark, inlineText(children, false));

const codeSpan = (value: string): string => ticked(escapeSigns(partTicks(value.replace(/\s*\n\s*/g, ' '))));

/** Always with its label: a bare address takes the marks behind it along. */
const linkText = (link: Link): string => {
  const label = plainInline(link.children).trim();
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(link.url)) return `${escapeWords(escapeMarks(label, false))} (${codeSpan(link.url)})`;
  const words =
    label === '' || label === link.url ? escapeSigns(link.url).replaceAll(/[[\]*_~`\\]/g, String.raw`\$&`) : bracketed(link.children);
  return `[${words}](${escapeSigns(linkAddress(link.url))})`;
};
const bracketed = (children: readonly Inline[]): string =>
  inlineText(children, false)
    .replace(/\s*\n\s*/g, ' ')
    .replace(/(?<!\\)[[\]]/g, String.raw`\$&`)
    .trim();
