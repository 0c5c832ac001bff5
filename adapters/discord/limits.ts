import type { PlatformLimits } from '../../src/core/outbound.ts';

/**
 * What Discord can take. Posts are split on their way out, so `postChars` is far above one message. Writes to a channel go through at about
 * five in five seconds, shared by everything in it: a live message is edited more seldom than that.
 */
export const discordLimits: PlatformLimits = { postChars: 100_000, filesPerPost: 10, fileBytes: 10 * 1024 * 1024, draftIntervalMs: 1_500 };

/** Limits of one message that goes out. https://docs.discord.com/developers/resources/message#create-message */
export const messageLimits = {
  /** UTF-16 units. */
  contentChars: 2_000,
  files: 10,
  /** Over all files of a request. */
  requestBytes: 25 * 1024 * 1024,
  buttonsPerRow: 5,
  customIdChars: 100,
  threadNameChars: 100,
} as const;

/** Limits of what comes in, and of how long things hold. Times in milliseconds. */
export const inboundLimits = {
  /** One download, from the first byte asked for to the last one read. */
  downloadMs: 60_000,
  /** Messages of a thread that are read at most when the bot comes late into it. */
  earlierMessages: 200,
  earlierChars: 4_000,
  /** Messages of one channel that are read at most after a gap. */
  backfillMessages: 100,
  /** Channels that are looked through at most after a gap, those with the latest activity first. */
  backfillChannels: 200,
} as const;

/** An interaction's token lives fifteen minutes; what comes later is an ordinary message. Some seconds are kept in hand. */
export const INTERACTION_MS = 14 * 60_000;
/** Messages older than an hour can hardly be edited: what runs longer goes on in a new one. */
export const EDITABLE_MS = 55 * 60_000;
/** The typing indicator lasts ten seconds. */
export const TYPING_MS = 8_500;
