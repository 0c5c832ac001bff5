/** How stored bytes are served: so that nothing a person or a run made can act in the page's name. */
import { create as contentDisposition } from 'content-disposition';
import { cleanFileName } from '../decode.ts';

/** Headers for a blob. Only pictures are shown in place, by what the bytes are and never by what the name says; all else is a download. */
export const blobHeaders = (name: string, bytes: Uint8Array): Readonly<Record<string, string>> => {
  const picture = pictureType(bytes);
  return {
    'content-type': picture ?? 'application/octet-stream',
    'content-disposition': contentDisposition(cleanFileName(name), { type: picture === null ? 'attachment' : 'inline' }),
    'content-security-policy': "default-src 'none'; sandbox",
    // The address holds the digest of the bytes, so what it names never changes.
    'cache-control': 'private, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
  };
};

const pictureType = (bytes: Uint8Array): string | null => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'image/webp' : null;
};
