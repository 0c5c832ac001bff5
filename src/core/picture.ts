/** Pictures that go to a model: which kinds there are, and which of a context's are worth their tokens. Pure. */
import type { ContextItem } from './context-item.ts';
import type { BlobId } from './ids.ts';

/** The kinds that every server with pictures takes. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** Bounds on one request: the newest pictures, small enough for every server. */
export const PICTURES = { count: 4, bytes: 3_500_000, tokens: 1_000 } as const;

/**
 * The kind that the bytes are, whatever anybody says that they are; null for anything else. A file that only calls itself a picture would
 * make a server refuse this request and every later one.
 */
export const pictureType = (bytes: Uint8Array): PictureType | null => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  return head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP' ? 'image/webp' : null;
};

const looksLikePicture = (type: string): boolean => /^image\/(png|jpe?g|gif|webp)\b/i.test(type);

type File = { readonly type: string; readonly size: number; readonly blob: BlobId };

/** The files of an item that may be shown as pictures. */
export const picturesOf = (item: ContextItem): readonly BlobId[] => {
  const files: readonly File[] =
    item.kind === 'said'
      ? item.entry.files
      : item.kind === 'person-ran'
        ? item.entry.run.files
        : item.kind === 'result'
          ? [...(item.run?.files ?? []), ...item.files]
          : [];
  return files.filter((file) => looksLikePicture(file.type) && file.size > 0 && file.size <= PICTURES.bytes).map((file) => file.blob);
};

/** The newest pictures of a context, each once. */
export const newestPictures = (items: readonly ContextItem[]): readonly BlobId[] =>
  [...new Set(items.flatMap(picturesOf).toReversed())].slice(0, PICTURES.count);
