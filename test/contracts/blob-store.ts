/** What every blob store must do. See src/ports/blob-store.ts. */
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { blobId } from '../../src/core/ids.ts';
import type { BlobStore } from '../../src/ports/blob-store.ts';
import { valueOf } from '../support/results.ts';
import { aConversation } from '../support/samples.ts';

/** `make` opens the storage as one more process would. */
export const blobStoreContract = (name: string, make: () => BlobStore): void => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const nowhere = blobId('0'.repeat(32));

  describe(`blob store: ${name}`, () => {
    it('gives back exactly the bytes that were put, under the id that every side computes alike', async () => {
      const conversation = aConversation();
      const contents = [
        new Uint8Array(),
        bytes('a\r\n\u0000 {"x":1}'),
        new Uint8Array(randomBytes(300_000)),
        new Uint8Array([255, 254, 0]),
      ];
      const ids = valueOf(await make().putAll(conversation, contents));
      expect(ids).toEqual(contents.map((content) => createHash('sha256').update(content).digest('hex').slice(0, 32)));
      const read = valueOf(await make().getAll(conversation, ids));
      expect(read.map((content) => content && Buffer.from(content).equals(contents[read.indexOf(content)]!))).toEqual([
        true,
        true,
        true,
        true,
      ]);
    });

    it('takes a view into a larger buffer as the bytes that it shows', async () => {
      const store = make();
      const conversation = aConversation();
      const id = valueOf(await store.put(conversation, bytes('0123456789').subarray(3, 6)));
      expect(Buffer.from(valueOf(await store.get(conversation, id)) ?? []).toString()).toBe('345');
    });

    it('keeps the same bytes once, and answers null for what is not there', async () => {
      const store = make();
      const conversation = aConversation();
      const ids = valueOf(await store.putAll(conversation, [bytes('a'), bytes('a')]));
      expect(ids[0]).toBe(ids[1]);
      expect(valueOf(await store.put(conversation, bytes('a')))).toBe(ids[0]);
      expect(valueOf(await store.get(conversation, nowhere))).toBeNull();
      const read = valueOf(await store.getAll(conversation, [nowhere, ids[0]!, nowhere]));
      expect(read.map((one) => one && Buffer.from(one).toString())).toEqual([null, 'a', null]);
      expect(valueOf(await store.keepOnly(conversation, new Set(), 0))).toBe(1);
      expect(valueOf(await store.putAll(conversation, []))).toEqual([]);
      expect(valueOf(await store.getAll(conversation, []))).toEqual([]);
    });

    it('never shows a blob of one conversation in another', async () => {
      const store = make();
      const [mine, theirs] = [aConversation(), aConversation()];
      const id = valueOf(await store.put(mine, bytes('secret')));
      expect(valueOf(await store.get(theirs, id))).toBeNull();
      valueOf(await store.erase(theirs));
      expect(valueOf(await store.get(mine, id))).not.toBeNull();
    });

    it('copies what exists for a fork, which then stands on its own', async () => {
      const store = make();
      const [from, to] = [aConversation(), aConversation()];
      const contents = Array.from({ length: 40 }, (_, n) => bytes(`blob ${n}`));
      const ids = valueOf(await store.putAll(from, contents));
      valueOf(await store.copy(from, to, [nowhere, ...ids.slice(1)]));
      valueOf(await store.erase(from));
      const copied = valueOf(await store.getAll(to, ids));
      expect(copied[0]).toBeNull();
      expect(copied.slice(1).map((one) => one && Buffer.from(one).toString())).toEqual(ids.slice(1).map((_, n) => `blob ${n + 1}`));
    });

    it('deletes all but what is to be kept, and says how many', async () => {
      const store = make();
      const conversation = aConversation();
      const ids = valueOf(await store.putAll(conversation, ['a', 'b', 'c'].map(bytes)));
      expect(valueOf(await store.keepOnly(conversation, new Set([ids[1]!, nowhere]), 0))).toBe(2);
      expect(valueOf(await store.keepOnly(conversation, new Set([ids[1]!]), 0))).toBe(0);
      expect(valueOf(await store.getAll(conversation, ids)).map((one) => one !== null)).toEqual([false, true, false]);
    });

    it('keeps what was just used, whether it is named or not', async () => {
      const store = make();
      const conversation = aConversation();
      valueOf(await store.putAll(conversation, ['a', 'b'].map(bytes)));
      expect(valueOf(await store.keepOnly(conversation, new Set(), 60_000))).toBe(0);
      expect(valueOf(await store.keepOnly(conversation, new Set(), 0))).toBe(2);
    });

    it('erases everything', async () => {
      const store = make();
      const conversation = aConversation();
      const ids = valueOf(await store.putAll(conversation, ['a', 'b'].map(bytes)));
      valueOf(await store.erase(conversation));
      expect(valueOf(await store.getAll(conversation, ids))).toEqual([null, null]);
      valueOf(await store.erase(conversation));
    });
  });
};
