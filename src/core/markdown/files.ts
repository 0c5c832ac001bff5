/** What of an answer goes as a file beside the message. Pure. */
import { paragraphOf, plainBlocks, rootOf, textOf } from './nodes.ts';
import type { Block, Inline, Root } from './nodes.ts';
import { splitMarkdown } from './split.ts';
import { tableCsv, tableWidth } from './table-text.ts';

export type TextFile = { readonly name: string; readonly content: string };

/** A table wider than this is unreadable in a code block of a chat, because its lines wrap. */
export const WIDE_TABLE = 80;
/** A wide table of more rows than this would be a wall of text as a list. */
const FEW_ROWS = 12;
/** Code of more messages than this is a file. */
const CODE_MESSAGES = 4;
/** An answer of more messages than this is a file with its beginning as the message. */
const MOST_MESSAGES = 10;
const MOST_FILES = 10;

const ENDINGS: { readonly [lang: string]: string } = {
  python: 'py',
  py: 'py',
  javascript: 'js',
  js: 'js',
  typescript: 'ts',
  ts: 'ts',
  bash: 'sh',
  sh: 'sh',
  json: 'json',
  yaml: 'yaml',
  html: 'html',
  css: 'css',
  sql: 'sql',
  c: 'c',
  cpp: 'cpp',
  java: 'java',
  go: 'go',
  rust: 'rs',
  ruby: 'rb',
  csv: 'csv',
  xml: 'xml',
  latex: 'tex',
};

/** The tree without what became files, each replaced by a line that names its file. */
export const toFiles = (root: Root, source: string, limit: number): { readonly root: Root; readonly files: readonly TextFile[] } => {
  const files: TextFile[] = [];
  const note = (before: string, name: string): Block => {
    const children: readonly Inline[] = [textOf(before), { type: 'inlineCode', value: name }];
    return paragraphOf([{ type: 'emphasis', children }]);
  };
  const blocks = root.children.map((block): Block => {
    if (files.length >= MOST_FILES - 1) return block;
    if (block.type === 'table' && block.rows.length - 1 > FEW_ROWS && tableWidth(block) > WIDE_TABLE) {
      const name = `table-${files.length + 1}.csv`;
      files.push({ name, content: tableCsv(block) });
      return note(`Table of ${block.rows.length - 1} rows and ${block.align.length} columns: `, name);
    }
    if (block.type === 'code' && block.value.length > CODE_MESSAGES * limit) {
      const name = `code-${files.length + 1}.${ENDINGS[block.lang.toLowerCase()] ?? 'txt'}`;
      files.push({ name, content: `${block.value}\n` });
      return note(`Code of ${block.value.split('\n').length.toLocaleString('en')} lines: `, name);
    }
    return block;
  });
  if (source.length <= MOST_MESSAGES * limit || files.reduce((sum, file) => sum + file.content.length, 0) > source.length / 2) {
    return { root: rootOf(blocks), files };
  }
  return {
    root: rootOf(beginning(blocks, limit, note('The whole answer: ', 'answer.md'))),
    files: [{ name: 'answer.md', content: source }, ...files].slice(0, MOST_FILES),
  };
};

/** About a message of the beginning, and the note. */
const beginning = (blocks: readonly Block[], limit: number, note: Block): readonly Block[] => {
  const [first = rootOf([])] = splitMarkdown(rootOf(blocks), (part) => plainBlocks(part.children).length * 1.3, limit);
  return [...first.children, note];
};
