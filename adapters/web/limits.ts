import type { PlatformLimits } from '../../src/core/outbound.ts';

/** The page shows what there is: a post is never split, and files go as links. */
export const webLimits: PlatformLimits = {
  postChars: 2_000_000,
  filesPerPost: 1_000,
  fileBytes: 256 * 1024 * 1024,
  draftIntervalMs: 40,
};

/** Bounds of the HTTP side, beside those that the gateway sets for messages and files. */
export const httpLimits = {
  /** A JSON body; a text of a few megabytes must still arrive, so that it can be told that it is too long. */
  bodyBytes: 8 * 1024 * 1024,
  /** Bytes of a refused upload that are read and thrown away, so that the sender can read the answer before the connection ends. */
  drainBytes: 2 * 1024 * 1024 * 1024,
  drainMs: 120_000,
  /** Bytes of uploads held in memory at once, over all requests. */
  uploadBytesAtOnce: 512 * 1024 * 1024,
  authorChars: 80,
  fileNameChars: 150,
  keyChars: 200,
  argsChars: 100_000,
  threadsListed: 100,
  heartbeatMs: 15_000,
  commandWaitMs: 60_000,
  sessionMs: 30 * 24 * 60 * 60 * 1000,
  loginsPerMinute: 20,
} as const;
