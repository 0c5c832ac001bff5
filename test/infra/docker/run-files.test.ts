import { describe, expect, it } from 'vitest';
import { blobIdOf } from '../../../src/core/blob-hash.ts';
import { emptyManifest } from '../../../src/core/snapshot.ts';
import { fileTypeOf, isFairPng } from '../../../src/infra/docker/image-type.ts';
import { defaultLimits } from '../../../src/infra/docker/limits.ts';
import { changedFilesOf, picturesOf } from '../../../src/infra/docker/run-files.ts';

const png = (width = 2, height = 2, size = 100): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
const changedFiles = (files: readonly { path: string; text?: string; size?: number; kept?: boolean }[], before = emptyManifest) => {
  const bytesOf = new Map(files.map(({ path, text = path }) => [blobIdOf(Buffer.from(text)), Buffer.from(text)]));
  const changed = files.map(({ path, text = path, size = 3 }) => ({ path, size, id: blobIdOf(Buffer.from(text)) }));
  const kept = new Set(files.flatMap(({ path, text = path, kept: isKept = true }) => (isKept ? [blobIdOf(Buffer.from(text))] : [])));
  return changedFilesOf(changed, before, kept, bytesOf, defaultLimits);
};

describe('pictures', () => {
  it('are PNG within bounds; the rest is left out and told', () => {
    const pictures = [png(), Buffer.from('<svg/>'), png(100_000, 2), png(0, 5), png(2, 2, 9 << 20), png(30_000, 30_000)];
    const { files, notes } = picturesOf(
      7,
      pictures.map((bytes) => ({ alt: 'a plot', bytes })),
      defaultLimits,
    );
    expect(files).toEqual([{ name: 'figure-7-1.png', type: 'image/png', size: 100, blob: blobIdOf(png()), picture: true, alt: 'a plot' }]);
    expect(notes).toEqual([expect.stringContaining('5 picture(s)')]);
    expect(isFairPng(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))).toBe(false);
  });

  it('are at most so many', () => {
    const many = Array.from({ length: 30 }, () => ({ alt: '', bytes: png() }));
    expect(picturesOf(1, many, defaultLimits).files).toHaveLength(20);
  });
});

describe('changed files', () => {
  it('get safe names, one each', () => {
    const { files } = changedFiles([{ path: 'a.csv' }, { path: 'out/a.csv' }, { path: 'deep/er/`x`.txt' }, { path: '.hidden' }]);
    expect(files.map((file) => file.name)).toEqual(['a.csv', 'a-2.csv', '_x_.txt', 'hidden']);
  });

  it('are at most ten of 8 MB, and a note says what stays behind', () => {
    const { files, notes } = changedFiles([
      { path: 'big.bin', size: 9 << 20 },
      ...Array.from({ length: 13 }, (_, i) => ({ path: `${i}.txt` })),
    ]);
    expect(files).toHaveLength(10);
    expect(notes).toEqual([expect.stringContaining('big.bin'), expect.stringContaining('3 more')]);
  });

  it('without stored bytes are not offered', () => {
    expect(changedFiles([{ path: 'x', kept: false }])).toEqual({ files: [], notes: [expect.stringContaining('could not be kept')] });
  });

  it('do not count where they were put there as uploads', () => {
    const upload = { path: 'up.txt', id: blobIdOf(Buffer.from('up.txt')), size: 6, mode: 0o644 };
    expect(changedFiles([{ path: 'up.txt' }], { ...emptyManifest, files: [upload] }).files).toEqual([]);
  });

  it('are pictures by their bytes, never by their name', () => {
    expect(fileTypeOf('x.png', Buffer.from('not one'))).toBe('application/octet-stream');
    expect(fileTypeOf('x.txt', png())).toBe('image/png');
    expect(fileTypeOf('constructor', undefined)).toBe('application/octet-stream');
    expect(fileTypeOf('x.constructor', undefined)).toBe('application/octet-stream');
    const svg = changedFiles([{ path: 'x.svg' }]).files[0];
    expect(svg).toMatchObject({ type: 'image/svg+xml', picture: false });
  });
});
