/** The few media types that the tests and the page need. */
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  py: 'text/x-python',
  json: 'application/json',
  pdf: 'application/pdf',
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  ipynb: 'application/x-ipynb+json',
  zip: 'application/zip',
};

export const mimeOf = (name: string): string => TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
