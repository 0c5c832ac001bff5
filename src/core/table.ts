/** What can be said of an uploaded table without running anything: its columns and rows. Pure, and bounded in what it looks at. */
import { z } from 'zod';

export const tableFactsSchema = z.object({ columns: z.array(z.string()).readonly(), rows: z.number().int().nonnegative() }).readonly();
export type TableFacts = z.infer<typeof tableFactsSchema>;

const MOST_COLUMNS = 60;
const HEADER_CHARS = 8_000;

/** Facts about a CSV or TSV file with a header line; null for anything else. `rows` counts lines after the header (quoted line breaks too). */
export const tableFacts = (name: string, type: string, bytes: Uint8Array): TableFacts | null => {
  const tabs = /\.tsv$/i.test(name) || type === 'text/tab-separated-values';
  if (!tabs && !/\.csv$/i.test(name) && type !== 'text/csv') return null;
  if (bytes.includes(0)) return null;
  const start = new TextDecoder().decode(bytes.subarray(0, HEADER_CHARS)).replace(/^\ufeff/, '');
  const header = start.split(/\r?\n|\r/, 1)[0] ?? '';
  if (header.trim() === '' || header.length >= HEADER_CHARS) return null;
  const separator = tabs ? '\t' : likeliest(header);
  return { columns: splitLine(header, separator).slice(0, MOST_COLUMNS), rows: Math.max(0, lines(bytes) - 1) };
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
