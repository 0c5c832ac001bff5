/** Sealing of blobs at rest: AES-256-GCM under a key of the conversation's own, bound to the blob's id. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { BlobId, ConversationId } from '../../core/ids.ts';

/** Between the bytes as they are and the bytes as Redis has them. `open` gives null for what this key did not seal. */
export type Seal = {
  readonly close: (conversation: ConversationId, id: BlobId, bytes: Uint8Array) => Uint8Array;
  readonly open: (conversation: ConversationId, id: BlobId, sealed: Uint8Array) => Uint8Array | null;
};

/** Nothing is sealed. */
export const noSeal: Seal = { close: (_conversation, _id, bytes) => bytes, open: (_conversation, _id, sealed) => sealed };

const NONCE = 12;
const TAG = 16;
/* First byte of a sealed blob, so that the form can change one day. */
const VERSION = 1;

/** `secret`: the operator's, any text of 32 or more characters. Losing it loses the blobs. */
export const sealWith = (secret: string): Seal => {
  const keyOf = (conversation: ConversationId): Buffer => Buffer.from(hkdfSync('sha256', secret, 'hektor', `blob ${conversation}`, 32));
  return {
    close: (conversation, id, bytes) => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', keyOf(conversation), nonce).setAAD(Buffer.from(id));
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    open: (conversation, id, sealed) => {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes[0] !== VERSION || bytes.length < 1 + NONCE + TAG) return null;
      const decipher = createDecipheriv('aes-256-gcm', keyOf(conversation), bytes.subarray(1, 1 + NONCE)).setAAD(Buffer.from(id));
      decipher.setAuthTag(bytes.subarray(-TAG));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE, -TAG)), decipher.final()]);
      } catch {
        return null; // another key, another conversation, or damaged
      }
    },
  };
};
