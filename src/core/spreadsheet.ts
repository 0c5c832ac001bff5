/**
 * What can be said of an uploaded .xlsx workbook: its sheets, their header lines and sizes. Pure, and bounded: the parts are inflated
 * piece by piece and only as far as they are of interest, so a file that would swell to gigabytes costs no more than an honest one.
 */
import { Inflate, Unzip } from 'fflate';
import type { AsyncFlateStreamHandler, UnzipDecoder } from 'fflate';

export type SheetFacts = {
  readonly name: string;
  /** The cells of the first line. */
  readonly columns: readonly string[];
  /** Lines after the first; null where the sheet does not say and is too long to count. */
  readonly rows: number | null;
};

const MOST_SHEETS = 20;
const MOST_COLUMNS = 60;
const MOST_CELL_CHARS = 200;
const PIECE_BYTES = 16 << 10;
/** Of one part, inflated. Header lines and the texts they refer to stand at the front. */
const PART_BYTES = 256 << 10;
const wanted = /^xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/[^/]+\.xml)$/u;

const DEFLATE = 8;
/** Compressed bytes at a time; they may become a thousand times as many. */
const SIP_BYTES = 512;

/** Inflates until there is enough of a part, and only swallows what comes after it. */
class FirstOfPart implements UnzipDecoder {
  static readonly compression = DEFLATE;
  ondata: AsyncFlateStreamHandler = () => {};
  #left = PART_BYTES;
  readonly #inflate = new Inflate((data, final) => {
    this.#left -= data.length;
    this.ondata(null, data, final || this.#left <= 0);
  });

  push(data: Uint8Array, final: boolean): void {
    for (let at = 0; this.#left > 0 && (at < data.length || final); at += SIP_BYTES) {
      const last = at + SIP_BYTES >= data.length;
      this.#inflate.push(data.subarray(at, at + SIP_BYTES), final && last);
      if (last) return;
    }
  }
}

type Part = { readonly text: string; readonly whole: boolean };

/** Null for anything that is not such a workbook. */
export const workbookSheets = (bytes: Uint8Array): readonly SheetFacts[] | null => {
  const parts = readParts(bytes);
  const workbook = parts.get('xl/workbook.xml')?.text;
  if (workbook === undefined) return null;
  const targets = new Map(
    elements(parts.get('xl/_rels/workbook.xml.rels')?.text ?? '', 'Relationship').map(({ tag }) => [
      attribute(tag, 'Id'),
      attribute(tag, 'Target'),
    ]),
  );
  const shared = elements(parts.get('xl/sharedStrings.xml')?.text ?? '', 'si').map(({ body }) => textOf(body));
  return elements(workbook, 'sheet')
    .slice(0, MOST_SHEETS)
    .map(({ tag }) => {
      const target = (targets.get(attribute(tag, 'id')) ?? '').replace(/^\/?(?:xl\/)?/u, 'xl/');
      return { name: attribute(tag, 'name'), ...sheetFacts(parts.get(target) ?? { text: '', whole: false }, shared) };
    });
};

const readParts = (bytes: Uint8Array): ReadonlyMap<string, Part> => {
  const parts = new Map<string, Part>();
  const unzip = new Unzip((file) => {
    if (!wanted.test(file.name) || parts.has(file.name) || parts.size >= MOST_SHEETS + 3) return;
    const decoder = new TextDecoder();
    let text = '';
    let size = 0;
    file.ondata = (error, data, final) => {
      if (parts.has(file.name)) return;
      size += error === null ? data.length : 0;
      text += error === null ? decoder.decode(data.subarray(0, PART_BYTES), { stream: true }) : '';
      if (error !== null || final) parts.set(file.name, { text, whole: error === null && size < PART_BYTES });
    };
    file.start();
  });
  unzip.register(FirstOfPart);
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      unzip.push(bytes.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= bytes.length);
  } catch {
    // Damaged, or no zip at all: what was read until here counts.
  }
  return parts;
};

const sheetFacts = ({ text, whole }: Part, shared: readonly string[]): Omit<SheetFacts, 'name'> => {
  const rows = elements(text, 'row');
  const columns = elements(rows[0]?.body ?? '', 'c')
    .slice(0, MOST_COLUMNS)
    .map((cell) => cellText(cell, shared));
  const last = /<dimension\b[^>]*\bref="[A-Z]+\d+:[A-Z]+(\d+)"/u.exec(text)?.[1];
  if (last !== undefined) return { columns, rows: Math.max(0, Number(last) - 1) };
  return { columns, rows: whole ? Math.max(0, rows.length - 1) : null };
};

const cellText = ({ tag, body }: Element, shared: readonly string[]): string => {
  const value = elements(body, 'v')[0]?.body ?? '';
  const type = attribute(tag, 't');
  const text = type === 's' ? (shared[Number(value)] ?? '') : type === 'inlineStr' ? textOf(body) : unescape(value);
  return text.slice(0, MOST_CELL_CHARS);
};

type Element = { readonly tag: string; readonly body: string };

/** Elements of a name in document order. They never nest within themselves in these parts; one that is cut off is left out. */
const elements = (xml: string, name: string): readonly Element[] => {
  const found: Element[] = [];
  const opening = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])[^>]*>`, 'gu');
  const closing = new RegExp(`</(?:\\w+:)?${name}>`, 'gu');
  for (let open = opening.exec(xml); open !== null; open = opening.exec(xml)) {
    if (open[0].endsWith('/>')) {
      found.push({ tag: open[0], body: '' });
      continue;
    }
    closing.lastIndex = opening.lastIndex;
    const close = closing.exec(xml);
    if (close === null) break;
    found.push({ tag: open[0], body: xml.slice(opening.lastIndex, close.index) });
    opening.lastIndex = closing.lastIndex;
  }
  return found;
};

const attribute = (tag: string, name: string): string => unescape(new RegExp(`[\\s:]${name}="([^"]*)"`, 'u').exec(tag)?.[1] ?? '');
/** The runs of a text, without phonetic hints. */
const textOf = (xml: string): string =>
  elements(xml.replaceAll(/<rPh\b[\s\S]*?<\/rPh>/gu, ''), 't')
    .map(({ body }) => unescape(body))
    .join('');

const named: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescape = (text: string): string =>
  text.replaceAll(/&(#x?)?(\w{1,8});/giu, (whole: string, sign: string | undefined, word: string) => {
    if (sign === undefined) return named[word] ?? whole;
    const code = Number.parseInt(word, sign.length === 2 ? 16 : 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
