/** Crafted states: what a process that ran somebody's code may offer, and what is taken of it. */
import { describe, expect, it } from 'vitest';
import { blobIdOf } from '../../../src/core/blob-hash.ts';
import { snapshotId } from '../../../src/core/ids.ts';
import { emptyManifest } from '../../../src/core/snapshot.ts';
import { filesBetween } from '../../../src/infra/docker/leases.ts';
import { checkState, loadState, storeState } from '../../../src/infra/docker/snapshots.ts';
import { createMemoryBlobs } from '../../support/memory-blobs.ts';
import { codeOf, valueOf } from '../../support/results.ts';
import { aConversation } from '../../support/samples.ts';

const blob = Buffer.from('pickled');
const id = blobIdOf(blob);
const manifest = { ...emptyManifest, n: 3, python: '3.11', groups: [{ id, names: ['x'], size: 7, refs: [] }] };
const saved = { n: 3, manifest: manifest as unknown, lost: [], changed: [], removed: [], new: [id] };
const check = (changes: object = {}, run: object = {}) =>
  checkState({ ...saved, ...changes }, { n: 3, base: emptyManifest, received: new Map([[id, blob]]), most: 1000, ...run });
const withFile = (path: string) => ({ manifest: { ...manifest, files: [{ path, size: 7, mode: 0o644, id }] } });

describe('a state that is offered', () => {
  it('is taken when every part is there', () => {
    expect(valueOf(check() as never)).toMatchObject({ n: 3 });
    expect(check({ new: [] }, { base: manifest, received: new Map() })).toMatchObject({ ok: true });
  });

  it.each([
    ['of another run', { n: 4 }, {}],
    ['with the number of another run inside', { manifest: { ...manifest, n: 99 } }, {}],
    ['that is no manifest', { manifest: null }, {}],
    ['with a part that did not arrive', {}, { received: new Map() }],
    ['with a part that is not there', { new: [] }, { received: new Map() }],
    ['with a part that was not announced', { new: [] }, {}],
    ['with a damaged part', {}, { received: new Map([[id, Buffer.from('other')]]) }],
    ['that is too large', {}, { most: 6 }],
    ['with a path out of the workspace', withFile('../../etc/passwd'), {}],
    ['with an absolute path', withFile('/etc/passwd'), {}],
    ['with a path of another meaning', withFile('a/./b'), {}],
    ['with a NUL in a path', withFile('a\0b'), {}],
    ['with a set-user-id file', { manifest: { ...manifest, files: [{ path: 'x', size: 7, mode: 0o4755, id }] } }, {}],
    ['with a name that is code', { manifest: { ...manifest, modules: { np: 'os; import x' } } }, {}],
  ])('is refused: %s', (_, changes, run) => {
    expect(check(changes, run)).toMatchObject({ ok: false });
  });
});

describe('snapshots in the store', () => {
  it('come back as they were stored', async () => {
    const blobs = createMemoryBlobs();
    const conversation = aConversation();
    const state = valueOf(await storeState(blobs, conversation, manifest, [blob]));
    expect(valueOf(await loadState(blobs, conversation, state.id))).toEqual(state);
    expect([...blobs.all(conversation).keys()]).toContain(id);
  });

  it('are lost where the manifest is missing or damaged, and of another conversation are not there', async () => {
    const blobs = createMemoryBlobs();
    const [ours, theirs] = [aConversation(), aConversation()];
    const state = valueOf(await storeState(blobs, theirs, manifest, [blob]));
    expect(codeOf(await loadState(blobs, ours, state.id))).toBe('snapshot-lost');
    const garbage = snapshotId(valueOf(await blobs.put(ours, Buffer.from('{'))));
    expect(codeOf(await loadState(blobs, ours, garbage))).toBe('snapshot-lost');
    const other = snapshotId(valueOf(await blobs.put(ours, Buffer.from('{"v":2}'))));
    expect(codeOf(await loadState(blobs, ours, other))).toBe('snapshot-lost');
    blobs.setReachable(false);
    expect(codeOf(await loadState(blobs, theirs, state.id))).toBe('store-unreachable');
  });
});

describe('a live state', () => {
  const file = (path: string, of = id) => ({ path, size: 7, mode: 0o644, id: of });
  const state = (files: readonly unknown[], changes: object = {}) => ({
    id: snapshotId(blobIdOf(Buffer.from(JSON.stringify([files, changes])))),
    manifest: { ...manifest, files, ...changes } as never,
  });

  it('becomes the wanted one by files that were added or replaced', () => {
    const other = blobIdOf(Buffer.from('other'));
    expect(filesBetween(state([file('a')]), state([file('a')]))).toEqual([]);
    expect(filesBetween(state([file('a')]), state([file('a', other), file('b')]))).toEqual([
      { path: 'a', id: other, mode: 0o644 },
      { path: 'b', id, mode: 0o644 },
    ]);
  });

  it.each([
    ['a file is gone', state([file('a')]), state([])],
    ['a folder stands in the way', state([{ path: 'a', dir: true, mode: 0o755 }]), state([file('a')])],
    ['names differ', state([]), state([file('a')], { groups: [] })],
    ['it is the state before another run', state([]), state([], { n: 2 })],
  ])('does not where %s', (_, live, wanted) => {
    expect(filesBetween(live, wanted)).toBeNull();
  });
});
