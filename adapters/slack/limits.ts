import type { PlatformLimits } from '../../src/core/outbound.ts';

/**
 * What Slack can take. Posts are split and shortened on their way out, so `postChars` is far above one message; a live message is
 * edited at most every three seconds, as Slack's guide for agents asks.
 */
export const slackLimits: PlatformLimits = { postChars: 100_000, filesPerPost: 10, fileBytes: 32 * 1024 * 1024, draftIntervalMs: 3_000 };

/** Limits of what comes in. Times in milliseconds. */
export const inboundLimits = {
  /** A delivery that is not durable by then is refused, so that Slack, which waits three seconds, delivers it again. */
  ackMs: 2_300,
  /** One download, from the first byte asked for to the last one read. */
  downloadMs: 60_000,
  /** Messages of a thread that are read at most when the bot comes late into it. */
  earlierMessages: 200,
  /** Longest text of one earlier message that is kept. */
  earlierChars: 4_000,
  /** How long the name of a person is believed. */
  nameMs: 60 * 60_000,
  /** Without a sign of life from the socket for so long, it is opened anew. */
  socketSilentMs: 25_000,
} as const;
