import type { Failure } from '../core/failure.ts';
import type { BlobId, ConversationId } from '../core/ids.ts';
import type { Result } from '../core/result.ts';

/**
 * Content-addressed bytes, kept per conversation: a blob of one conversation is never visible in another, even with the same content.
 * Contract: `put` of the same bytes twice is one blob; `get` of an id that is not there resolves with null; ids are those of
 * `blobIdOf` (src/core/blob-hash.ts); writing or reading renews the blob's lifetime. Nothing throws: an unreachable store is `store-unreachable`.
 */
export type BlobStore = {
  readonly put: (conversation: ConversationId, bytes: Uint8Array) => Promise<Result<BlobId, Failure>>;
  /** As `put`, for several blobs in one round trip; the ids come in the same order. */
  readonly putAll: (conversation: ConversationId, blobs: readonly Uint8Array[]) => Promise<Result<readonly BlobId[], Failure>>;
  readonly get: (conversation: ConversationId, id: BlobId) => Promise<Result<Uint8Array | null, Failure>>;
  /** Several at once, in order. */
  readonly getAll: (conversation: ConversationId, ids: readonly BlobId[]) => Promise<Result<readonly (Uint8Array | null)[], Failure>>;
  /** Copies all blobs that exist of `from` among `ids` to `to` (fork). */
  readonly copy: (from: ConversationId, to: ConversationId, ids: readonly BlobId[]) => Promise<Result<void, Failure>>;
  /**
   * Deletes all blobs of the conversation but these and those used within the last `idleMs` (a file that is just being accepted is not named
   * anywhere yet); renews the lifetime of what is named. Resolves with the number deleted.
   */
  readonly keepOnly: (conversation: ConversationId, ids: ReadonlySet<BlobId>, idleMs: number) => Promise<Result<number, Failure>>;
  readonly erase: (conversation: ConversationId) => Promise<Result<void, Failure>>;
};
