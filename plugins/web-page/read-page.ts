/** Bytes of a page -> its text, by media type. The parsers are loaded when they are needed: each page has a thread of its own. */
import { decodeText } from './decode-text.ts';
import type { Page, Reading } from './reading.ts';
import { unreadable } from './reading.ts';
import { tidy } from './tidy.ts';

export const readPage = async (page: Page): Promise<Reading> => {
  if (page.body.byteLength === 0) return plain('');
  if (startsWith(page.body, '%PDF-')) return (await import('./read-pdf.ts')).readPdf(page.body);
  if (page.type === 'application/pdf') return unreadable('it says that it is a PDF, and is none.');
  if (page.type === 'application/octet-stream') return unreadable('it is a file of a kind that cannot be read.');
  const text = decodeText(page.body, page.charset);
  if (page.type === 'text/html' || page.type === 'application/xhtml+xml') return (await import('./read-html.ts')).readHtml(text, page.url);
  if (/\0/.test(text.slice(0, 4_096))) return unreadable('it is a file of a kind that cannot be read.');
  return plain(page.type.endsWith('json') ? laidOut(text) : text);
};

const plain = (text: string): Reading => ({ kind: 'read', title: '', text: tidy(text), notes: [], login: false });

const startsWith = (body: Uint8Array, mark: string): boolean =>
  Buffer.from(body.subarray(0, 1_024)).toString('latin1').trimStart().startsWith(mark);

/** JSON on one line is hard to read and cannot be cut into parts well. */
const laidOut = (text: string): string => {
  if (text.trim().includes('\n')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
};
