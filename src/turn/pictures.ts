/** The pictures of a context, read for a model that takes them. */
import type { ContextItem } from '../core/context-item.ts';
import type { BlobId } from '../core/ids.ts';
import { newestPictures, pictureType } from '../core/picture.ts';
import type { ModelImage } from '../ports/model.ts';
import type { Scene } from './scene.ts';

/** What can be shown, by blob. A blob that is not there here is not shown, and the words beside it say so. */
export type Pictures = ReadonlyMap<BlobId, ModelImage>;
export const noPictures: Pictures = new Map<BlobId, ModelImage>();

/** Where they cannot be read the model goes without: an answer matters more. */
export const readPictures = async ({ deps, conversation }: Scene, items: readonly ContextItem[]): Promise<Pictures> => {
  const ids = newestPictures(items);
  if (ids.length === 0) return noPictures;
  const read = await deps.blobs.getAll(conversation, ids);
  if (!read.ok) return noPictures;
  return new Map(
    ids.flatMap((id, index) => {
      const bytes = read.value[index] ?? null;
      const type = bytes === null ? null : pictureType(bytes);
      return bytes === null || type === null ? [] : [[id, { type, base64: Buffer.from(bytes).toString('base64') }] as const];
    }),
  );
};
