/** The files of a tool's result where nothing is stored: named by their bytes, as the blob store would. */
import { blobIdOf } from '../../src/core/blob-hash.ts';
import { pictureType } from '../../src/core/picture.ts';
import type { ToolFile } from '../../src/core/plugin.ts';
import type { RunFile } from '../../src/core/run.ts';

export const keptFiles = (files: readonly ToolFile[]): Promise<readonly RunFile[]> =>
  Promise.resolve(
    files.map(({ name, type, bytes }) => ({
      name,
      type,
      size: bytes.length,
      blob: blobIdOf(bytes),
      picture: pictureType(bytes) !== null,
      alt: '',
    })),
  );
