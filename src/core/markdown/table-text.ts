/** Tables where a platform has none: in columns by display width, or as a file. Pure. */
import stringWidth from 'string-width';
import { plainInline } from './nodes.ts';
import type { Align, Table } from './nodes.ts';

/** Display cells of a text in a fixed-width font: East Asian characters and emoji take two. */
const displayWidth = (text: string): number => stringWidth(text);

/** A cell's words on one line. */
const cellText = (cell: Table['rows'][number][number]): string => plainInline(cell).replace(/\s+/g, ' ').trim();

/** The table in aligned columns, a rule under its header. Columns of numbers stand to the right, unless the author said otherwise. */
export const tableLines = (table: Table): readonly string[] => {
  const rows = table.rows.map((row) => row.map(cellText));
  const widths = table.align.map((_align, column) => Math.max(1, ...rows.map((row) => displayWidth(row[column] ?? ''))));
  const aligns = table.align.map((align, column) => align ?? (isNumeric(rows.slice(1).map((row) => row[column] ?? '')) ? 'right' : 'left'));
  const lines = rows.map((row) =>
    widths
      .map((width, column) => padded(row[column] ?? '', width, aligns[column] ?? null))
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [lines[0] ?? '', rule, ...lines.slice(1)];
};

/** Columns that `tableLines` takes. */
export const tableWidth = (table: Table): number => Math.max(...tableLines(table).map(displayWidth));

const isNumeric = (cells: readonly string[]): boolean =>
  cells.some((cell) => cell !== '') &&
  cells.every((cell) => cell === '' || /^[-+−]?[$€£¥]?[\d.,\u00a0\u202f ]*\d\s?[%A-Za-z€°]{0,3}$/.test(cell));

const padded = (text: string, width: number, align: Align): string => {
  const blank = Math.max(0, width - displayWidth(text));
  if (align === 'right') return ' '.repeat(blank) + text;
  if (align === 'center') return ' '.repeat(Math.floor(blank / 2)) + text + ' '.repeat(Math.ceil(blank / 2));
  return text + ' '.repeat(blank);
};

/** The table as CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe. */
export const tableCsv = (table: Table): string =>
  `${table.rows.map((row) => row.map((cell) => csvCell(cellText(cell))).join(',')).join('\r\n')}\r\n`;
const csvCell = (text: string): string => {
  const safe = /^[=@\t\r]|^[+-](?![\d.])/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
