/** The text of a PDF. No picture of it is looked at: a scan has no text. */
import { extractText, getDocumentProxy, getMeta } from 'unpdf';
import type { Reading } from './reading.ts';
import { unreadable } from './reading.ts';
import { tidy } from './tidy.ts';

const MAX_PAGES = 300;

export const readPdf = async (body: Uint8Array): Promise<Reading> => {
  try {
    // The parser takes the bytes over, so it gets a copy.
    const pdf = await getDocumentProxy(new Uint8Array(body));
    if (pdf.numPages > MAX_PAGES) return unreadable(`it is a PDF of ${pdf.numPages} pages, and up to ${MAX_PAGES} are read.`);
    const { text } = await extractText(pdf, { mergePages: false });
    const { info } = await getMeta(pdf);
    const pages = text.map((page) => tidy(page));
    if (pages.every((page) => page === '')) return unreadable(`it is a PDF of ${pdf.numPages} pages without text; it may be a scan.`);
    return {
      kind: 'read',
      title: typeof info['Title'] === 'string' ? tidy(info['Title']).slice(0, 300) : '',
      text: pages.map((page, index) => `[page ${index + 1}]\n${page}`).join('\n\n'),
      notes: [`A PDF of ${pdf.numPages} ${pdf.numPages === 1 ? 'page' : 'pages'}.`],
      login: false,
    };
  } catch (cause) {
    return unreadable(
      cause instanceof Error && cause.name === 'PasswordException'
        ? 'it is a PDF with a password.'
        : 'it is a PDF that is damaged or of an unknown kind.',
    );
  }
};
