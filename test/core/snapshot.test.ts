import { describe, expect, it } from 'vitest';
import { blobId } from '../../src/core/ids.ts';
import {
  blobsOf,
  distinctFileNames,
  emptyManifest,
  manifestSchema,
  safeFileName,
  withFiles,
  workspacePathSchema,
} from '../../src/core/snapshot.ts';

const id = blobId('0'.repeat(32));
const file = (name: string): { name: string; type: string; size: number; blob: typeof id; table: null } => ({
  name,
  type: 'text/csv',
  size: 3,
  blob: id,
  table: null,
});

describe('workspace paths', () => {
  it.each(['/etc/passwd', '../x', 'a/../../x', 'a//b', './a', 'a/.', '', 'a\0b', 'x'.repeat(1_025)])('refuses %j', (path) => {
    expect(workspacePathSchema.safeParse(path).success).toBe(false);
  });
  it.each(['a', 'dir/file.csv', '.hidden', 'ünï.txt', '..a'])('takes %j', (path) => {
    expect(workspacePathSchema.safeParse(path).success).toBe(true);
  });
  it('refuses a forged manifest with a path outside', () => {
    expect(manifestSchema.safeParse({ ...emptyManifest, files: [{ path: '../../etc/passwd', id, size: 1, mode: 0o644 }] }).success).toBe(
      false,
    );
    expect(manifestSchema.safeParse(emptyManifest).success).toBe(true);
  });
});

describe('safeFileName', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\a\\data.csv', 'data.csv'],
    ['  .bashrc', 'bashrc'],
    ['a\u0000b\n<c>.txt', 'a_b__c_.txt'],
    ['\u202etxt.exe', '_txt.exe'],
    ['', 'file'],
    ['...', 'file'],
    ['табель.xlsx', 'табель.xlsx'],
  ])('%j becomes %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });
  it('shortens a long name and keeps its extension', () => {
    const safe = safeFileName(`${'n'.repeat(500)}.tar.gz`);
    expect(safe.length).toBeLessThanOrEqual(120);
    expect(safe.endsWith('.gz')).toBe(true);
  });
});

describe('distinctFileNames', () => {
  it('gives files of one message names of their own', () => {
    expect(distinctFileNames(['d.txt', 'd.txt', 'x/d.txt', '..', '.', ''])).toEqual([
      'd.txt',
      'd (2).txt',
      'd (3).txt',
      'file',
      'file (2)',
      'file (3)',
    ]);
  });
});

describe('withFiles', () => {
  it('lets the newest upload of a name win (sandbox.md row 3)', () => {
    const first = withFiles(emptyManifest, [file('image.png')]);
    const other = blobId('1'.repeat(32));
    const second = withFiles(first, [{ ...file('image.png'), blob: other }]);
    expect(second.files).toEqual([{ path: 'image.png', id: other, size: 3, mode: 0o644 }]);
    expect([...blobsOf(second)]).toEqual([other]);
  });
  it('puts an upload in place of a link or a folder of that name', () => {
    const trap = {
      ...emptyManifest,
      files: [
        { path: 'data', dir: true as const, mode: 0o755 },
        { path: 'data/x', id, size: 1, mode: 0o644 },
        { path: 'out', link: '/etc' },
      ],
    };
    expect(withFiles(trap, [file('data'), file('out')]).files.map((one) => one.path)).toEqual(['data', 'out']);
  });
});
