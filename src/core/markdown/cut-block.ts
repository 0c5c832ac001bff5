/** One block cut in two. Fences are closed and opened again with their language, tables repeat their header, lists count on. Pure. */
import { cutInline } from './cut-inline.ts';
import type { Cut } from './cut-inline.ts';
import { largest } from './gallop.ts';
import { mergeTexts, paragraphOf, plainInline, textOf } from './nodes.ts';
import type { Block, Code, Inline, Item, List, Table } from './nodes.ts';

/** The first part that `fits`, as long as it may be, and the rest; null where no part fits. `most` as in `cutInline`. */
export const cutBlock = (block: Block, most: number, fits: (head: Block) => boolean): Cut<Block> | null => {
  switch (block.type) {
    case 'paragraph':
    case 'heading': {
      const cut = cutInline(block.children, most, (children) => fits({ ...block, children }));
      return cut && { head: { ...block, children: cut.head }, tail: { ...block, children: cut.tail } };
    }
    case 'code':
      return cutCode(block, most, fits);
    case 'table':
      return cutTable(block, most, fits);
    case 'list':
      return cutList(block, most, fits);
    case 'blockquote': {
      const cut = cutBlocks(block.children, most, (children) => fits({ ...block, children }));
      return cut && { head: { ...block, children: cut.head }, tail: { ...block, children: cut.tail } };
    }
    case 'thematicBreak':
      return null;
    default:
      return block satisfies never;
  }
};

const cutBlocks = (blocks: readonly Block[], most: number, fits: (head: readonly Block[]) => boolean): Cut<readonly Block[]> | null => {
  const n = largest(blocks.length, (count) => fits(blocks.slice(0, count)));
  if (n > 0) return { head: blocks.slice(0, n), tail: blocks.slice(n) };
  const [first, ...rest] = blocks;
  if (first === undefined) return null;
  const cut = cutBlock(first, most, (head) => fits([head]));
  return cut && { head: [cut.head], tail: [cut.tail, ...rest] };
};

const cutCode = (code: Code, most: number, fits: (head: Block) => boolean): Cut<Block> | null => {
  const lines = code.value.split('\n');
  const until = (n: number): Code => ({ ...code, value: lines.slice(0, n).join('\n') });
  const longest = largest(lines.length, (n) => fits(until(n)));
  if (longest > 0) {
    const n = goodLine(lines, longest);
    return { head: until(n), tail: { ...code, value: lines.slice(n).join('\n') } };
  }
  // A single line is too long: it goes on in the next fence.
  const cut = cutInline([textOf(code.value)], most, (nodes) => fits({ ...code, value: plainInline(nodes) }));
  return cut && { head: { ...code, value: plainInline(cut.head) }, tail: { ...code, value: plainInline(cut.tail) } };
};

/** After an empty line near the end, so that a function stays in one piece; the empty line stays with the head. */
const goodLine = (lines: readonly string[], longest: number): number => {
  if (longest === lines.length) return longest;
  for (let at = longest; at > longest * 0.7; at--) if (lines[at - 1]?.trim() === '') return at;
  return longest;
};

const cutTable = (table: Table, most: number, fits: (head: Block) => boolean): Cut<Block> | null => {
  const [header, ...rows] = table.rows;
  if (header === undefined) return null;
  const n = largest(rows.length, (count) => fits({ ...table, rows: [header, ...rows.slice(0, count)] }));
  if (n === 0) return cutList(recordsOf(table), most, fits);
  return { head: { ...table, rows: [header, ...rows.slice(0, n)] }, tail: { ...table, rows: [header, ...rows.slice(n)] } };
};

/** A table as a list: each row's first cell, and under it the others with their column's name. For tables too wide to be shown. */
export const recordsOf = (table: Table): List => {
  const [header = [], ...rows] = table.rows;
  const named = (name: readonly Inline[], cell: readonly Inline[]): readonly Inline[] =>
    plainInline(name).trim() === '' ? cell : mergeTexts([...name, textOf(': '), ...cell]);
  return {
    type: 'list',
    ordered: false,
    start: 1,
    children: (rows.length === 0 ? [header] : rows).map((row): Item => {
      const [first = [], ...others] = row;
      const lines: Item[] = others.flatMap((cell, index) =>
        plainInline(cell).trim() === ''
          ? []
          : [{ type: 'listItem' as const, checked: null, rest: false, children: [paragraphOf(named(header[index + 1] ?? [], cell))] }],
      );
      const head = rows.length === 0 ? first : [{ type: 'strong' as const, children: named(header[0] ?? [], first) }];
      const nested: readonly Block[] = lines.length === 0 ? [] : [{ type: 'list', ordered: false, start: 1, children: lines }];
      return { type: 'listItem', checked: null, rest: false, children: [paragraphOf(head), ...nested] };
    }),
  };
};
const cutList = (list: List, most: number, fits: (head: Block) => boolean): Cut<Block> | null => {
  const n = largest(list.children.length, (count) => fits({ ...list, children: list.children.slice(0, count) }));
  const counted = (items: readonly Item[]): number => items.filter((item) => !item.rest).length;
  if (n > 0) {
    const head = list.children.slice(0, n);
    return { head: { ...list, children: head }, tail: { ...list, start: list.start + counted(head), children: list.children.slice(n) } };
  }
  const [first, ...others] = list.children;
  if (first === undefined) return null;
  const cut = cutBlocks(first.children, most, (children) => fits({ ...list, children: [{ ...first, children }] }));
  if (cut === null) return null;
  return {
    head: { ...list, children: [{ ...first, children: cut.head }] },
    tail: {
      ...list,
      start: list.start + counted([first]),
      children: [{ ...first, rest: true, checked: null, children: cut.tail }, ...others],
    },
  };
};
