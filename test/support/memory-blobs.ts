/** A blob store in memory: keeps the contract of src/ports/blob-store.ts, and can lose things or go away when a test says so. */
import { blobIdOf } from '../../src/core/blob-hash.ts';
import { failure } from '../../src/core/failure.ts';
import type { BlobId, ConversationId } from '../../src/core/ids.ts';
import { err, ok } from '../../src/core/result.ts';
import type { BlobStore } from '../../src/ports/blob-store.ts';

export type MemoryBlobs = BlobStore & {
  /** The bytes themselves: what a test deletes here is lost. */
  readonly all: (conversation: ConversationId) => Map<BlobId, Uint8Array>;
  /** From now on every call fails, or works again. */
  readonly setReachable: (reachable: boolean) => void;
};

export const createMemoryBlobs = (): MemoryBlobs => {
  const conversations = new Map<ConversationId, Map<BlobId, Uint8Array>>();
  const usedAt = new Map<string, number>();
  let reachable = true;
  const all = (conversation: ConversationId): Map<BlobId, Uint8Array> => {
    const blobs = conversations.get(conversation) ?? new Map<BlobId, Uint8Array>();
    conversations.set(conversation, blobs);
    return blobs;
  };
  const use = (conversation: ConversationId, id: BlobId): void => void usedAt.set(`${conversation} ${id}`, Date.now());
  const attempt = async <T>(act: () => T) => (reachable ? ok(act()) : err(failure('store-unreachable', {}, 'set so by the test')));
  const keep = (conversation: ConversationId, bytes: Uint8Array): BlobId => {
    const id = blobIdOf(bytes);
    all(conversation).set(id, new Uint8Array(bytes));
    use(conversation, id);
    return id;
  };
  const find = (conversation: ConversationId, id: BlobId): Uint8Array | null => {
    use(conversation, id);
    return all(conversation).get(id) ?? null;
  };
  return {
    all,
    setReachable: (value) => {
      reachable = value;
    },
    put: (conversation, bytes) => attempt(() => keep(conversation, bytes)),
    putAll: (conversation, blobs) => attempt(() => blobs.map((bytes) => keep(conversation, bytes))),
    get: (conversation, id) => attempt(() => find(conversation, id)),
    getAll: (conversation, ids) => attempt(() => ids.map((id) => find(conversation, id))),
    copy: (from, to, ids) =>
      attempt(() => {
        for (const id of ids) {
          const bytes = all(from).get(id);
          if (bytes !== undefined) keep(to, bytes);
        }
      }),
    keepOnly: (conversation, ids, idleMs) =>
      attempt(() => {
        const surplus = [...all(conversation).keys()].filter(
          (id) => !ids.has(id) && Date.now() - (usedAt.get(`${conversation} ${id}`) ?? 0) >= idleMs,
        );
        for (const id of surplus) all(conversation).delete(id);
        return surplus.length;
      }),
    erase: (conversation) =>
      attempt(() => {
        conversations.delete(conversation);
      }),
  };
};
