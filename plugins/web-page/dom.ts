import { parseHTML } from 'linkedom';

/** The little of a document that reading needs. The parser's own types want a browser's whole library. */
export type Dom = {
  readonly body: DomElement | null;
  readonly querySelector: (selector: string) => DomElement | null;
  readonly querySelectorAll: (selector: string) => Iterable<DomElement> & { readonly length: number };
  readonly toString: () => string;
};
export type DomElement = {
  readonly textContent: string | null;
  readonly innerHTML: string;
  readonly getAttribute: (name: string) => string | null;
  readonly setAttribute: (name: string, value: string) => void;
  readonly removeAttribute: (name: string) => void;
  readonly remove: () => void;
};

/** A document from HTML, or from a piece of HTML. */
export const parseDom = (html: string): Dom => {
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- see above
  const { document }: { readonly document: Dom } = parseHTML(whole);
  return document;
};
