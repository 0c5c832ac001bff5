import { blobIdOf } from '../../core/blob-hash.ts';
import { isBlobId } from '../../core/ids.ts';
import type { BlobId, ConversationId } from '../../core/ids.ts';
import { ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Failure } from '../../core/failure.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { blobKeys } from './keys.ts';
import { noSeal } from './seal.ts';
import type { Seal } from './seal.ts';

const WEEK_S = 7 * 24 * 60 * 60;
/** How many blobs are in memory at once while they are copied. */
const COPY_BATCH = 16;

export type BlobStoreDeps = {
  readonly client: RedisClient;
  /** How long a blob lives after its last use. */
  readonly lifetimeSeconds?: number;
  /** How bytes are kept from readers of Redis; as they are where it is left out. */
  readonly seal?: Seal;
};

/**
 * Blobs in Redis: one key each, and one set per conversation that names them, so that they can be found without a scan. The set is written
 * before the blobs and lives at least as long, so no blob is ever out of reach of `erase`.
 */
export const createBlobStore = ({ client, lifetimeSeconds = WEEK_S, seal = noSeal }: BlobStoreDeps): BlobStore => {
  const putAll = async (conversation: ConversationId, blobs: readonly Uint8Array[]): Promise<Result<readonly BlobId[], Failure>> => {
    if (blobs.length === 0) return ok([]);
    const keys = blobKeys(conversation);
    const ids = blobs.map(blobIdOf);
    const pipeline = client
      .pipeline()
      .sadd(keys.index, ...ids)
      .expire(keys.index, lifetimeSeconds);
    for (const [index, bytes] of blobs.entries()) {
      const id = idAt(ids, index);
      pipeline.set(keys.blob(id), view(seal.close(conversation, id, bytes)), 'EX', lifetimeSeconds);
    }
    const replies = await attempt(() => complete(pipeline.exec()));
    return replies.ok ? ok(ids) : replies;
  };

  const getAll = async (conversation: ConversationId, ids: readonly BlobId[]): Promise<Result<readonly (Uint8Array | null)[], Failure>> => {
    if (ids.length === 0) return ok([]);
    const keys = blobKeys(conversation);
    const pipeline = client.pipeline().expire(keys.index, lifetimeSeconds);
    for (const id of ids) pipeline.getexBuffer(keys.blob(id), 'EX', lifetimeSeconds);
    const replies = await attempt(() => complete(pipeline.exec()));
    if (!replies.ok) return replies;
    const stored = replies.value.slice(1);
    return ok(stored.map((reply, index) => (reply instanceof Uint8Array ? seal.open(conversation, idAt(ids, index), reply) : null)));
  };

  /** What is left of the keys' lives, in milliseconds; negative where there is none. */
  const remaining = (blobs: readonly string[]): Promise<Result<readonly number[], Failure>> =>
    attempt(async () => {
      const pipeline = client.pipeline();
      for (const blob of blobs) pipeline.pttl(blob);
      return (await complete(pipeline.exec())).map(Number);
    });

  /** What is named is in use, read or not: a variable that nobody touches must not expire in a thread that lives. */
  const renew = (keys: ReturnType<typeof blobKeys>, ids: readonly BlobId[]): Promise<Result<void, Failure>> =>
    attempt(async () => {
      const pipeline = client.pipeline().expire(keys.index, lifetimeSeconds);
      for (const id of ids) pipeline.expire(keys.blob(id), lifetimeSeconds);
      await complete(pipeline.exec());
    });

  return {
    putAll,
    getAll,

    put: async (conversation, bytes) => {
      const put = await putAll(conversation, [bytes]);
      return put.ok ? ok(idAt(put.value, 0)) : put;
    },

    get: async (conversation, id) => {
      const got = await getAll(conversation, [id]);
      return got.ok ? ok(got.value[0] ?? null) : got;
    },

    copy: async (from, to, ids) => {
      for (let start = 0; start < ids.length; start += COPY_BATCH) {
        const got = await getAll(from, ids.slice(start, start + COPY_BATCH));
        if (!got.ok) return got;
        const put = await putAll(
          to,
          got.value.filter((bytes) => bytes !== null),
        );
        if (!put.ok) return put;
      }
      return ok(undefined);
    },

    keepOnly: async (conversation, ids, idleMs) => {
      const keys = blobKeys(conversation);
      const known = await attempt(() => client.smembers(keys.index));
      if (!known.ok) return known;
      const unnamed = known.value.filter(isBlobId).filter((id) => !ids.has(id));
      const lives = await remaining(unnamed.map(keys.blob));
      if (!lives.ok) return lives;
      // Every use renews a blob's life, so what is left of it tells when the last one was.
      const surplus = unnamed.filter((_, index) => lifetimeSeconds * 1_000 - (lives.value[index] ?? 0) >= idleMs);
      const renewed = await renew(
        keys,
        known.value.filter(isBlobId).filter((id) => ids.has(id)),
      );
      if (!renewed.ok) return renewed;
      if (surplus.length === 0) return ok(0);
      // The bytes first: a blob that is named and not there does no harm, the other way round it would be out of reach.
      const removed = await attempt(async () => {
        const deleted = await client.unlink(...surplus.map(keys.blob));
        await client.srem(keys.index, ...surplus);
        return deleted;
      });
      return removed;
    },

    erase: async (conversation) => {
      const keys = blobKeys(conversation);
      const erased = await attempt(async () => {
        const known = await client.smembers(keys.index);
        await client.unlink(keys.index, ...known.filter(isBlobId).map(keys.blob));
      });
      return erased;
    },
  };
};

/** The same bytes as the client wants them, without a copy. */
const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The replies of a pipeline; the first error that one of its commands met is thrown. */
const complete = async (exec: Promise<[error: Error | null, result: unknown][] | null>): Promise<readonly unknown[]> =>
  ((await exec) ?? []).map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  });

const idAt = (ids: readonly BlobId[], index: number): BlobId => {
  const id = ids[index];
  if (id === undefined) throw new RangeError('no id at this index');
  return id;
};
