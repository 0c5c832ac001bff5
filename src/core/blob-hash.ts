/**
 * The one way a blob gets its id: the first 128 bits of SHA-256 over its bytes. Both sides of the sandbox protocol have SHA-256 built
 * in, with hardware support; 128 bits are out of reach of accidents, and a person who forges a collision only fools their own
 * conversation, since blobs are kept per conversation.
 */
import { hash } from 'node:crypto';
import { blobId } from './ids.ts';
import type { BlobId } from './ids.ts';

export const blobIdOf = (bytes: Uint8Array): BlobId => blobId(hash('sha256', bytes, 'hex').slice(0, 32));
