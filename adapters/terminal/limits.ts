import type { PlatformLimits } from '../../src/core/outbound.ts';

/** A terminal scrolls: posts are never split, and files go to a folder. */
export const terminalLimits: PlatformLimits = {
  postChars: 2_000_000,
  filesPerPost: 1_000,
  fileBytes: 256 * 1024 * 1024,
  draftIntervalMs: 50,
};

/** Lines of input that are remembered from one time to the next. */
export const HISTORY_LINES = 1_000;
/** How often it is asked whether a message is still worked on, in case its answer was lost on the way. */
export const STILL_BUSY_MS = 5_000;
/** Running code is said to be running after this long. */
export const QUIET_MS = 2_000;
