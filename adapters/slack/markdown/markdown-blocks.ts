/**
 * A tree as Block Kit blocks. Text is rich text: the same form that people's own messages have, with real lists, and the only one that shows
 * every sign as it stands. The first table that fits is a table block (a message may have one); others are columns in preformatted text. Pure.
 */
import type { KnownBlock, RichTextBlock, RichTextBlockElement, RichTextElement, TableBlock } from '@slack/types';
import { recordsOf } from '../../../src/core/markdown/cut-block.ts';
import { WIDE_TABLE } from '../../../src/core/markdown/files.ts';
import { plainInline } from '../../../src/core/markdown/nodes.ts';
import type { Block, Cell, Heading, Inline, Root, Table } from '../../../src/core/markdown/nodes.ts';
import { tableLines, tableWidth } from '../../../src/core/markdown/table-text.ts';
import { preformatted, richBlock, richInline, richList, section } from './markdown-rich.ts';

/** One block for each block of the tree. */
export const toBlocks = (root: Root): KnownBlock[] => {
  let tables = 0;
  return root.children.flatMap((block): readonly KnownBlock[] => {
    switch (block.type) {
      case 'heading':
        return [headingBlock(block)];
      case 'thematicBreak':
        return [{ type: 'divider' }];
      case 'table':
        if (tables === 0 && fitsTable(block)) {
          tables++;
          return [tableBlock(block)];
        }
        return [richBlock(elementsOf(block))];
      case 'paragraph':
      case 'blockquote':
      case 'code':
      case 'list': {
        const elements = elementsOf(block);
        return elements.length === 0 ? [] : [richBlock(elements)];
      }
      default:
        return block satisfies never;
    }
  });
};

const elementsOf = (block: Block): readonly RichTextBlockElement[] => {
  switch (block.type) {
    case 'paragraph':
      return [section(richInline(block.children))];
    case 'heading':
      return [section(richInline(block.children, { bold: true }))];
    case 'code':
      return [preformatted(block.value)];
    case 'table':
      return tableWidth(block) > WIDE_TABLE ? richList(recordsOf(block), 0, elementsOf) : [preformatted(tableLines(block).join('\n'))];
    case 'list':
      return richList(block, 0, elementsOf);
    case 'blockquote':
      return quoteElements(block.children);
    case 'thematicBreak':
      return [];
    default:
      return block satisfies never;
  }
};

/** A quote holds text; code and lists in it get the quote's line at their side. */
const quoteElements = (blocks: readonly Block[]): readonly RichTextBlockElement[] => {
  const out: RichTextBlockElement[] = [];
  let words: RichTextElement[] = [];
  const flush = (): void => {
    if (words.length > 0) out.push({ type: 'rich_text_quote', elements: words });
    words = [];
  };
  for (const block of blocks) {
    if (block.type === 'paragraph' || block.type === 'heading') {
      if (words.length > 0) words.push({ type: 'text', text: '\n\n' });
      words.push(...richInline(block.children, block.type === 'heading' ? { bold: true } : {}));
      continue;
    }
    flush();
    if (block.type === 'code') out.push(preformatted(block.value, 1));
    else if (block.type === 'list') out.push(...richList(block, 0, (inner) => quoteElements([inner]), 1));
    else if (block.type === 'blockquote') out.push(...quoteElements(block.children));
    else if (block.type === 'table') out.push(preformatted(tableLines(block).join('\n'), 1));
  }
  flush();
  return out;
};

/** Large headings of plain words are headers; all others are bold lines, which keep links and code. */
const headingBlock = (heading: Heading): KnownBlock => {
  const words = plainInline(heading.children).replace(/\s+/g, ' ').trim();
  const plain = heading.children.every((node) => node.type === 'text' || node.type === 'strong' || node.type === 'emphasis');
  if (heading.depth <= 2 && plain && words !== '' && words.length <= MOST_HEADER && !/[<>&@:]/.test(words)) {
    return { type: 'header', text: { type: 'plain_text', text: words, emoji: false } };
  }
  return richBlock([section(richInline(heading.children, { bold: true }))]);
};
const MOST_HEADER = 150;

/** The sheet's limits, with room: cells count for about 10,000 characters in all. */
const fitsTable = (table: Table): boolean =>
  table.rows.length <= 100 &&
  table.align.length <= 20 &&
  table.rows.flat().reduce((sum, cell) => sum + plainInline(cell).length, 0) <= 9_000;

const tableBlock = (table: Table): TableBlock => ({
  type: 'table',
  column_settings: table.align.map((align) => ({ is_wrapped: true, ...(align === null ? {} : { align }) })),
  rows: table.rows.map((row, index) => row.map((cell) => cellBlock(cell, index === 0))),
});

const cellBlock = (cell: Cell, header: boolean): RichTextBlock => {
  const nodes: readonly Inline[] = cell.map((node) => (node.type === 'break' ? { type: 'text', value: ' ' } : node));
  return richBlock([section(richInline(nodes, header ? { bold: true } : {}))]);
};
