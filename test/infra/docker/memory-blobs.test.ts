/** The store that the sandbox's tests stand on is held to the contract of the real ones. */
import { blobStoreContract } from '../../contracts/blob-store.ts';
import { createMemoryBlobs } from '../../support/memory-blobs.ts';

const blobs = createMemoryBlobs();
blobStoreContract('memory', () => blobs);
