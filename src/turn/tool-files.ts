/** The files that a tool gives back: looked at before they are believed, safely named, bounded, and stored with the thread. */
import { pictureType } from '../core/picture.ts';
import type { ToolFile } from '../core/plugin.ts';
import type { RunFile } from '../core/run.ts';
import { distinctFileNames, safeFileName } from '../core/snapshot.ts';
import type { Scene } from './scene.ts';

const MOST_FILES = 8;
const MOST_BYTES = 8 << 20;

/** Those of the files that are in order and within bounds, in their order. Plugins come from outside, so this may be anything. */
export const toolFiles = (files: unknown): readonly ToolFile[] => {
  let room = MOST_BYTES;
  return (Array.isArray(files) ? files : [])
    .filter(isFile)
    .slice(0, MOST_FILES)
    .filter(({ bytes }) => {
      const fits = bytes.length > 0 && bytes.length <= room;
      if (fits) room -= bytes.length;
      return fits;
    });
};

/** How many were given and are not among those that are shown. */
export const leftOut = (files: unknown, shown: readonly unknown[]): number => (Array.isArray(files) ? files.length : 0) - shown.length;

const isFile = (value: unknown): value is ToolFile =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'type' in value &&
  typeof value.type === 'string' &&
  'bytes' in value &&
  value.bytes instanceof Uint8Array;

/** Stores them; none where the store is away, which costs the thread the files and not the answer. What is a picture is told by its bytes. */
export const keepFiles = async ({ deps, conversation }: Scene, files: readonly ToolFile[]): Promise<readonly RunFile[]> => {
  const stored = await deps.blobs.putAll(
    conversation,
    files.map((file) => file.bytes),
  );
  if (!stored.ok) {
    deps.log.warn({ conversation, detail: stored.failure.detail }, 'the files of a result could not be kept');
    return [];
  }
  const names = distinctFileNames(files.map((file) => safeFileName(file.name)));
  return files.flatMap(({ type, bytes }, index): readonly RunFile[] => {
    const [name, blob] = [names[index], stored.value[index]];
    if (name === undefined || blob === undefined) return [];
    const picture = pictureType(bytes);
    return [{ name, type: picture ?? plainType(type), size: bytes.length, blob, picture: picture !== null, alt: '' }];
  });
};

/** What only calls itself a picture is none; a type that is no type is any bytes. */
const plainType = (type: string): string => {
  const plain = type.toLowerCase().split(';', 1)[0]?.trim() ?? '';
  return /^[a-z]+\/[a-z0-9.+-]{1,80}$/.test(plain) && !plain.startsWith('image/') ? plain : 'application/octet-stream';
};
