/** What can be said of an uploaded table without running anything: its columns and rows. Pure, and bounded in what it looks at. */
import { z } from 'zod';
import { workbookSheets } from './spreadsheet.ts';

const columnsSchema = z.array(z.string()).readonly();
const sheetFactsSchema = z.object({ name: z.string(), columns: columnsSchema, rows: z.number().int().nonnegative().nullable() }).readonly();
/** `sheets`: those of a workbook, and then `columns` and `rows` are the first one's; empty for every other table. */
export const tableFactsSchema = z
  .object({
    columns: columnsSchema,
    rows: z.number().int().nonnegative().nullable(),
    sheets: z.array(sheetFactsSchema).readonly().default([]),
  })
  .readonly();
export type TableFacts = z.infer<typeof tableFactsSchema>;

const MOST_COLUMNS = 60;
const HEADER_CHARS = 8_000;
const FIRST_RECORD_CHARS = 64_000;
const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const recordSchema = z.record(z.string(), z.unknown());

/**
 * Facts about a table: a CSV or TSV file with a header line, JSON lines, or an Excel workbook; null for anything else. `rows` counts lines
 * after the header (quoted line breaks too), and is null where a workbook does not say.
 */
export const tableFacts = (name: string, type: string, bytes: Uint8Array): TableFacts | null => {
  if (/\.xls[xm]$/iu.test(name) || type === WORKBOOK) return workbookFacts(bytes);
  if (/\.(?:jsonl|ndjson)$/iu.test(name)) return jsonLinesFacts(bytes);
  return separatedFacts(name, type, bytes);
};

const workbookFacts = (bytes: Uint8Array): TableFacts | null => {
  const sheets = workbookSheets(bytes);
  const first = sheets?.[0];
  return sheets === null || first === undefined ? null : { columns: first.columns, rows: first.rows, sheets };
};

/** The first line tells the columns. */
const jsonLinesFacts = (bytes: Uint8Array): TableFacts | null => {
  const first = new TextDecoder().decode(bytes.subarray(0, FIRST_RECORD_CHARS)).split('\n', 1)[0] ?? '';
  try {
    const record = recordSchema.safeParse(JSON.parse(first));
    return record.success ? { columns: Object.keys(record.data).slice(0, MOST_COLUMNS), rows: lines(bytes), sheets: [] } : null;
  } catch {
    return null;
  }
};

const separatedFacts = (name: string, type: string, bytes: Uint8Array): TableFacts | null => {
  const tabs = /\.tsv$/i.test(name) || type === 'text/tab-separated-values';
  if (!tabs && !/\.csv$/i.test(name) && type !== 'text/csv') return null;
  if (bytes.includes(0)) return null;
  const start = new TextDecoder().decode(bytes.subarray(0, HEADER_CHARS)).replace(/^\ufeff/, '');
  const header = start.split(/\r?\n|\r/, 1)[0] ?? '';
  if (header.trim() === '' || header.length >= HEADER_CHARS) return null;
  const separator = tabs ? '\t' : likeliest(header);
  return { columns: splitLine(header, separator).slice(0, MOST_COLUMNS), rows: Math.max(0, lines(bytes) - 1), sheets: [] };
};

const likeliest = (header: string): string =>
  [',', ';', '\t', '|'].toSorted((a, b) => header.split(b).length - header.split(a).length)[0] ?? ',';

const splitLine = (line: string, separator: string): readonly string[] => {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (const sign of line) {
    if (sign === '"') quoted = !quoted;
    else if (sign === separator && !quoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell.trim()];
};

const NEWLINE = 10;
const lines = (bytes: Uint8Array): number => {
  let count = 0;
  for (const byte of bytes) if (byte === NEWLINE) count += 1;
  return bytes.length > 0 && bytes.at(-1) !== NEWLINE ? count + 1 : count;
};
