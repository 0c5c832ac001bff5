/** A blob store in memory: keeps the contract of src/ports/blob-store.ts, and can lose things or go away when a test says so. */
import { blobIdOf } from '../../src/core/blob-hash.ts';
import { failure } from '../../src/core/failure.ts';
import type { BlobId, ConversationId } from '../../src/core/ids.ts';
import { err, ok } from '../../src/core/result.ts';
import type { BlobStore } from '../../src/ports/blob-store.ts';

export type MemoryBlobs = BlobStore & {
  readonly all: (conversation: ConversationId) => Map<BlobId, Uint8Array>;
  /** From now on every call fails, or works again. */
  readonly setReachable: (reachable: boolean) => void;
};

export const createMemoryBlobs = (): MemoryBlobs => {
  const conversations = new Map<ConversationId, Map<BlobId, Uint8Array>>();
  let reachable = true;
  const all = (conversation: ConversationId): Map<BlobId, Uint8Array> => {
    const blobs = conversations.get(conversation) ?? new Map<BlobId, Uint8Array>();
    conversations.set(conversation, blobs);
    return blobs;
  };
  const attempt = async <T>(act: () => T) => (reachable ? ok(act()) : err(failure('store-unreachable', {}, 'set so by the test')));
  const keep = (conversation: ConversationId, bytes: Uint8Array): BlobId => {
    const id = blobIdOf(bytes);
    all(conversation).set(id, new Uint8Array(bytes));
    return id;
  };
  return {
    all,
    setReachable: (value) => {
      reachable = value;
    },
    put: (conversation, bytes) => attempt(() => keep(conversation, bytes)),
    putAll: (conversation, blobs) => attempt(() => blobs.map((bytes) => keep(conversation, bytes))),
    get: (conversation, id) => attempt(() => all(conversation).get(id) ?? null),
    getAll: (conversation, ids) => attempt(() => ids.map((id) => all(conversation).get(id) ?? null)),
    copy: (from, to, ids) =>
      attempt(() => {
        for (const id of ids) {
          const bytes = all(from).get(id);
          if (bytes !== undefined) all(to).set(id, bytes);
        }
      }),
    keepOnly: (conversation, ids, idleMs) =>
      attempt(() => {
        // No test lasts long enough for anything in here to have been idle.
        if (idleMs > 0) return 0;
        const blobs = all(conversation);
        const before = blobs.size;
        for (const id of blobs.keys()) if (!ids.has(id)) blobs.delete(id);
        return before - blobs.size;
      }),
    erase: (conversation) => attempt(() => void conversations.delete(conversation)),
  };
};
