/**
 * Snapshots in the blob store: a manifest, itself a blob, and the blobs it names. What comes from a container is checked here before
 * anything of it is stored; blobs stay opaque: nothing outside a container ever unpickles or decompresses one.
 */
import { blobIdOf } from '../../core/blob-hash.ts';
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import type { BlobId, ConversationId, SnapshotId } from '../../core/ids.ts';
import { snapshotId } from '../../core/ids.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import { blobsOf, emptyManifest, manifestSchema } from '../../core/snapshot.ts';
import type { Manifest } from '../../core/snapshot.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Saved } from './driver-frame.ts';

/** A state with its manifest. A null id is the empty state. */
export type State = { readonly id: SnapshotId | null; readonly manifest: Manifest };

export const loadState = async (blobs: BlobStore, conversation: ConversationId, id: SnapshotId | null): Promise<Result<State, Failure>> => {
  if (id === null) return ok({ id, manifest: emptyManifest });
  const found = await blobs.get(conversation, id);
  if (!found.ok) return found;
  if (found.value === null) return err(failure('snapshot-lost', {}, `manifest ${id} is missing`));
  try {
    const decoded = manifestSchema.safeParse(JSON.parse(Buffer.from(found.value).toString('utf8')));
    if (decoded.success) return ok({ id, manifest: decoded.data });
    return err(failure('snapshot-lost', {}, `manifest ${id} does not decode`, decoded.error));
  } catch (cause) {
    return err(failure('snapshot-lost', {}, `manifest ${id} is not JSON`, cause));
  }
};

/** Reads blobs of a state; each of them must be there. */
export const loadBlobs = async (
  blobs: BlobStore,
  conversation: ConversationId,
  ids: readonly BlobId[],
): Promise<Result<ReadonlyMap<BlobId, Uint8Array>, Failure>> => {
  if (ids.length === 0) return ok(new Map());
  const found = await blobs.getAll(conversation, ids);
  if (!found.ok) return found;
  const loaded = new Map<BlobId, Uint8Array>();
  for (const [at, id] of ids.entries()) {
    const bytes = found.value[at];
    if (bytes === undefined || bytes === null) return err(failure('snapshot-lost', {}, `blob ${id} is missing`));
    loaded.set(id, bytes);
  }
  return ok(loaded);
};

/**
 * Whether the state that a container offers may become the conversation's: the right run, a manifest that keeps the rules, and every
 * blob either known from the state before or received with exactly the bytes its id says. The error is a reason for people.
 */
export const checkState = (
  saved: Saved,
  run: { readonly n: number; readonly base: Manifest; readonly received: ReadonlyMap<BlobId, Uint8Array>; readonly most: number },
): Result<Manifest, string> => {
  const decoded = manifestSchema.safeParse(saved.manifest);
  if (!decoded.success) return err('its manifest breaks the rules');
  const manifest = decoded.data;
  if (saved.n !== run.n || manifest.n !== run.n) return err('it belongs to another run');
  for (const id of saved.new) if (!run.received.has(id)) return err('a part of it did not arrive');
  const known = blobsOf(run.base);
  const announced = new Set(saved.new);
  for (const id of blobsOf(manifest)) {
    if (announced.has(id) || known.has(id)) continue;
    return err('it names a part that is not there');
  }
  for (const [id, bytes] of run.received) if (blobIdOf(bytes) !== id) return err('a part of it is damaged');
  const sizes = new Map(manifest.groups.map((group) => [group.id, group.size]));
  for (const file of manifest.files) if ('id' in file) sizes.set(file.id, file.size);
  const total = [...sizes].reduce((sum, [id, size]) => sum + (run.received.get(id)?.length ?? size), 0);
  if (total > run.most) return err(`it is larger than ${run.most >> 20} MB`);
  return ok(manifest);
};

/** Stores a checked state with the blobs that are new, and further blobs (pictures) that the run's record names. */
export const storeState = async (
  blobs: BlobStore,
  conversation: ConversationId,
  manifest: Manifest,
  fresh: readonly Uint8Array[],
): Promise<Result<State, Failure>> => {
  const bytes = Buffer.from(JSON.stringify(manifest));
  const stored = await blobs.putAll(conversation, [...fresh, bytes]);
  if (!stored.ok) return stored;
  return ok({ id: snapshotId(blobIdOf(bytes)), manifest });
};
