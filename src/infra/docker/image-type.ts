/** What kind of picture some bytes are, by their first bytes: names and claims of somebody's code are not believed. Pure. */
const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  bytes.length >= at + text.length && Buffer.from(bytes.buffer, bytes.byteOffset + at, text.length).toString('latin1') === text;

const imageTypeOf = (bytes: Uint8Array): string | null => {
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (startsWith(bytes, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'image/gif';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'image/webp';
  return null;
};

/** Whether these bytes are a PNG that a viewer can take: the right signature, a header, and a side and area within reason. */
export const isFairPng = (bytes: Uint8Array): boolean => {
  if (imageTypeOf(bytes) !== 'image/png' || bytes.length < 33 || !startsWith(bytes, 'IHDR', 12)) return false;
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const width = header.readUInt32BE(16);
  const height = header.readUInt32BE(20);
  return width > 0 && height > 0 && width <= 20_000 && height <= 20_000 && width * height <= 50_000_000;
};

const typesByExtension: { readonly [extension: string]: string } = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  py: 'text/x-python',
  json: 'application/json',
  ipynb: 'application/x-ipynb+json',
  html: 'text/html',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  zip: 'application/zip',
  gz: 'application/gzip',
};

/** A file's MIME type: pictures by their bytes where those are at hand, all others by their extension, never as a picture. */
export const fileTypeOf = (name: string, bytes: Uint8Array | undefined): string => {
  const image = bytes === undefined ? null : imageTypeOf(bytes);
  if (image !== null) return image;
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  return (Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined) ?? 'application/octet-stream';
};
