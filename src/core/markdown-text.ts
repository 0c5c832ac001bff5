/** Foreign text inside Markdown that the project writes. Pure; nothing put through these can end its own span, cell or block. */
import { clean } from './trust.ts';

/** One line of text as a code span; empty text gives an empty string. */
export const codeSpan = (text: string): string => {
  const line = clean(text).replace(/\s+/g, ' ');
  if (line.trim() === '') return '';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length));
  const mark = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${line}${pad}${mark}`;
};

/** Text as a fenced block, its fence longer than any in the text. */
export const codeBlock = (text: string, language = ''): string => {
  const longest = Math.max(2, ...[...text.matchAll(/^\s*(`{3,})/gm)].map((run) => run[1]?.length ?? 0));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.endsWith('\n') ? text.slice(0, -1) : text}\n${fence}`;
};

/** Words of somebody else within a sentence (a name, a title): one line, with Markdown's own characters escaped. */
export const plainWords = (text: string): string =>
  clean(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~]/g, String.raw`\$&`);

/** A table; cells are Markdown already (`codeSpan`, `plainWords`, numbers). */
export const markdownTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
// A bar ends a cell even inside a code span, unless it is escaped; `plainWords` has escaped its own.
const cell = (text: string): string => text.replace(/(?<!\\)\|/g, String.raw`\|`);

/** A size as people read it. */
export const sizeWords = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1e3, 'kB'] : bytes < 999_500_000 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
};
