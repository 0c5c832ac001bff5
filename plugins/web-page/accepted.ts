import { PAGE_BYTES } from '../../src/core/fetch.ts';

const PDF_BYTES = 10 * 1024 * 1024;

/** The media types that are read, with their caps. Untyped bytes are looked at: they may be a PDF. */
export const ACCEPTED: { readonly [type: string]: number } = {
  'text/html': PAGE_BYTES,
  'application/xhtml+xml': PAGE_BYTES,
  'text/*': PAGE_BYTES,
  'application/json': PAGE_BYTES,
  'application/ld+json': PAGE_BYTES,
  'application/xml': PAGE_BYTES,
  'application/rss+xml': PAGE_BYTES,
  'application/atom+xml': PAGE_BYTES,
  'application/feed+json': PAGE_BYTES,
  'application/pdf': PDF_BYTES,
  'application/octet-stream': PDF_BYTES,
};
