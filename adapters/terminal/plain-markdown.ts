/** The project's own short Markdown (answers of commands) for a terminal: tables in columns, code without its backticks. Pure. */

const ROW = /^\| (.*) \|$/;
const RULE = /^\|(?: --- \|)+$/;

/** `code` paints a code span. Everything else stays as it is. */
export const plainMarkdown = (text: string, code: (words: string) => string): string => {
  const out: string[] = [];
  let table: string[][] = [];
  const endTable = (): void => {
    const widths = (table[0] ?? []).map((_cell, column) => Math.max(...table.map((row) => widthOf(plain(row[column] ?? '', asIs)))));
    for (const row of table)
      out.push(
        row
          .map((cell, column) => padded(cell, widths[column] ?? 0, code))
          .join('  ')
          .trimEnd(),
      );
    table = [];
  };
  for (const line of text.split('\n')) {
    const row = ROW.exec(line)?.[1];
    if (row === undefined) {
      endTable();
      out.push(plain(line, code));
    } else if (!RULE.test(line)) {
      table.push(row.split(/(?<!\\) \| /).map((cell) => cell.replaceAll(String.raw`\|`, '|')));
    }
  }
  endTable();
  return out.join('\n');
};

const asIs = (words: string): string => words;
const padded = (cell: string, width: number, code: (words: string) => string): string =>
  plain(cell, code) + ' '.repeat(Math.max(0, width - widthOf(plain(cell, asIs))));

/** Code spans lose their marks, other text its escapes. */
const plain = (text: string, code: (words: string) => string): string =>
  text
    .split(/(?<!`)(`+)(?!`)((?:(?!\1)[^]|\1`+)*?)(?<!`)\1(?!`)/)
    .map((part, index) => (index % 3 === 0 ? unescaped(part) : index % 3 === 1 ? '' : code(part.replace(/^ (.*`.*) $/, '$1'))))
    .join('');
const unescaped = (text: string): string => text.replace(/\\([\\`*_{}[\]<>#|~])/g, '$1');

/** Columns that a text takes, roughly: wide East Asian characters and emoji take two, marks none. */
const widthOf = (text: string): number => {
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
};
const WIDE = /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
