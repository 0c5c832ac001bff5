import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainBlocks, rootOf } from '../../../src/core/markdown/nodes.ts';
import type { Block, Root } from '../../../src/core/markdown/nodes.ts';
import { parseMarkdown } from '../../../src/core/markdown/parse.ts';
import { splitMarkdown } from '../../../src/core/markdown/split.ts';
import { documents } from '../../support/markdown-samples.ts';

/** A measure of its own: the words, and ten for each block. */
const measure = (root: Root): number => plainBlocks(root.children).length + 10 * root.children.length;
const signs = (blocks: readonly Block[]): string => plainBlocks(blocks).replace(/\s+/g, '');

/** The blocks of all parts, without the headers that were repeated. */
const rejoined = (parts: readonly Root[]): readonly Block[] => {
  let header: string | null = null;
  return parts.flatMap((part) => {
    const [first, ...rest] = part.children;
    const last = part.children.at(-1);
    const repeated = first?.type === 'table' && header !== null && signs([{ ...first, rows: first.rows.slice(0, 1) }]) === header;
    header = last?.type === 'table' ? signs([{ ...last, rows: last.rows.slice(0, 1) }]) : null;
    return repeated && first.type === 'table' ? [{ ...first, rows: first.rows.slice(1) }, ...rest] : part.children;
  });
};

describe('splitMarkdown', () => {
  it('U059: loses, doubles and reorders no character, and keeps every part within the limit', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 400, max: 2000 }), (text, limit) => {
        const root = parseMarkdown(text);
        // Two tables of one header side by side look like one that was cut.
        fc.pre(!root.children.some((block, index) => block.type === 'table' && root.children[index + 1]?.type === 'table'));
        const parts = splitMarkdown(root, measure, limit);
        for (const part of parts) expect(measure(part)).toBeLessThanOrEqual(limit);
        expect(signs(rejoined(parts))).toBe(signs(root.children));
      }),
      { numRuns: 60 },
    );
  });

  it('keeps one part where all fits, and makes none of nothing', () => {
    const root = parseMarkdown('# A\n\nb\n\n- c');
    expect(splitMarkdown(root, measure, 1000)).toEqual([root]);
    expect(splitMarkdown(rootOf([]), measure, 1000)).toEqual([]);
  });

  it('U061: closes and reopens a fence with its language', () => {
    const code = Array.from({ length: 300 }, (_none, index) => `v_${index} = f(0)`).join('\n');
    const parts = splitMarkdown(parseMarkdown(`\`\`\`py\n${code}\n\`\`\``), measure, 500);
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) expect(part.children).toMatchObject([{ type: 'code', lang: 'py' }]);
    expect(parts.map((part) => plainBlocks(part.children)).join('\n')).toBe(code);
  });

  it('U062: takes a line of three backticks within four for code', () => {
    const text = '````md\n```py\nx\n```\n````\n\nafter';
    expect(parseMarkdown(text).children).toMatchObject([{ type: 'code', lang: 'md', value: '```py\nx\n```' }, { type: 'paragraph' }]);
  });

  it('U064: never cuts a grapheme', () => {
    const [head, tail] = splitMarkdown(parseMarkdown(`${'a'.repeat(199)}👩‍👩‍👧`), (root) => plainBlocks(root.children).length, 200);
    expect(plainBlocks(head?.children ?? [])).toBe('a'.repeat(199));
    expect(plainBlocks(tail?.children ?? [])).toBe('👩‍👩‍👧');
  });

  it('U058: cuts the tree, so that emphasis beside a fence stays balanced', () => {
    const prose = `*${'word_with_marks and more '.repeat(60).trim()}*`;
    const parts = splitMarkdown(parseMarkdown(`${prose}\n\n\`\`\`py\nx = 1\n\`\`\``), measure, 600);
    expect(parts.at(-1)?.children.at(-1)).toEqual({ type: 'code', lang: 'py', value: 'x = 1' });
    for (const part of parts)
      for (const block of part.children)
        if (block.type === 'paragraph') expect(block.children.every((node) => node.type === 'emphasis')).toBe(true);
  });

  it('repeats the header of a table and counts an ordered list on', () => {
    const rows = Array.from({ length: 40 }, (_none, index) => `| r${index} | ${index} |`).join('\n');
    const tables = splitMarkdown(parseMarkdown(`| Name | Number |\n|---|---|\n${rows}`), measure, 120);
    expect(tables.length).toBeGreaterThan(2);
    for (const part of tables) expect(plainBlocks(part.children).startsWith('Name\tNumber\nr')).toBe(true);
    const items = Array.from({ length: 40 }, (_none, index) => `${index + 1}. item number ${index + 1}`).join('\n');
    const lists = splitMarkdown(parseMarkdown(items), measure, 200);
    for (const part of lists) {
      const [block] = part.children;
      if (block?.type !== 'list') throw new Error('a list was expected');
      expect(plainBlocks(block.children[0]?.children ?? [])).toBe(`item number ${block.start}`);
    }
  });

  it('goes on with a long item as the same item', () => {
    const [, second] = splitMarkdown(parseMarkdown(`7. ${'word '.repeat(80)}\n8. next`), measure, 250);
    expect(second?.children[0]).toMatchObject({ type: 'list', ordered: true, start: 8, children: [{ rest: true }, { rest: false }] });
  });

  it('keeps links and code spans whole, and a heading with what it heads', () => {
    const link = '[see the page](https://example.org/a)';
    const parts = splitMarkdown(
      parseMarkdown(`${'word '.repeat(19)}${link} ${'word '.repeat(10)}`),
      (root) => plainBlocks(root.children).length,
      100,
    );
    expect(
      parts.flatMap((part) =>
        part.children.flatMap((block) => (block.type === 'paragraph' ? block.children.filter((node) => node.type === 'link') : [])),
      ),
    ).toHaveLength(1);
    const headed = splitMarkdown(parseMarkdown(`${'a '.repeat(40)}\n\n# Head\n\n${'b '.repeat(40)}`), measure, 140);
    expect(headed.map((part) => part.children[0]?.type)).toEqual(['paragraph', 'heading']);
  });

  it('cuts even what has no good place: one long word, one long link, one grapheme of many marks', () => {
    for (const text of ['x'.repeat(1000), `[${'x'.repeat(1000)}](https://e.org)`, `a${'\u0301'.repeat(1000)}`, `\`${'x'.repeat(1000)}\``]) {
      const parts = splitMarkdown(parseMarkdown(text), measure, 200);
      for (const part of parts) expect(measure(part)).toBeLessThanOrEqual(200);
      expect(parts.map((part) => signs(part.children)).join('')).toContain(signs(parseMarkdown(text).children).slice(0, 1000));
    }
  });
});
