/** What a call of Discord's REST API can fail with. Never holds an address: those of interactions and webhooks are secrets. */
import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import type { Failure } from '../../../src/core/failure.ts';
import { failure } from '../../../src/core/failure.ts';

/** The cause of a failure of `rest.ts`. */
export class RestError extends Error {
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Discord's own code (50013), 0 where there is none. https://docs.discord.com/developers/topics/opcodes-and-status-codes#json */
  readonly code: number;
  /** Whether the request may have reached Discord. */
  readonly sent: boolean;

  constructor(message: string, facts: { readonly status: number; readonly code: number; readonly sent: boolean }) {
    super(message);
    this.name = 'RestError';
    this.status = facts.status;
    this.code = facts.code;
    this.sent = facts.sent;
  }
}

/** The code with which Discord said no (50013), or null where it did not say no. */
export const discordCode = (why: Failure): number | null =>
  why.code === 'delivery-refused' && why.cause instanceof RestError ? why.cause.code : null;
/** The HTTP status of the answer; null where none came. */
export const statusOf = (why: Failure): number | null => (why.cause instanceof RestError && why.cause.status > 0 ? why.cause.status : null);
/** Whether the call may have had its effect although it failed. */
export const isUnknown = (why: Failure): boolean => why.code === 'delivery-unknown' && !(why.cause instanceof RestError && !why.cause.sent);

/** Codes that tell of something that is not there (any more): a message, channel, interaction, webhook or person. */
const GONE = new Set([10_003, 10_004, 10_008, 10_013, 10_015, 10_062, 50_027]);
export const isGone = (why: Failure): boolean => GONE.has(discordCode(why) ?? -1) || (discordCode(why) === 0 && statusOf(why) === 404);
/** Codes that tell of a right that the bot does not have: to see the channel, or to do this in it. */
export const isForbidden = (why: Failure): boolean => [50_001, 50_013].includes(discordCode(why) ?? -1);

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);
const codesOf = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [...own, ...(error instanceof AggregateError ? error.errors.flatMap(codesOf) : []), ...codesOf(error.cause)];
};

/**
 * What was thrown -> a failure: `rate-limited` with the time to wait, `delivery-refused` where Discord said no, `config-invalid` where it
 * refuses the token, `delivery-unknown` where no answer came or the server failed. `sent`: the request had begun to go out.
 */
export const toFailure = (error: unknown, call: { readonly route: string; readonly auth: boolean; readonly sent: boolean }): Failure => {
  if (error instanceof RateLimitError) return limited(error.retryAfter, `${call.route}: ${error.scope} limit`);
  if (error instanceof DiscordAPIError) {
    const code = typeof error.code === 'number' ? error.code : 0;
    if (error.status === 401 && call.auth) return tokenRefused();
    const detail = `${call.route}: ${error.status} ${code} ${error.message}`.slice(0, 500);
    return failure('delivery-refused', {}, detail, new RestError(detail, { status: error.status, code, sent: true }));
  }
  if (error instanceof HTTPError) {
    const detail = `${call.route}: HTTP ${error.status}`;
    return failure('delivery-unknown', {}, detail, new RestError(detail, { status: error.status, code: 0, sent: true }));
  }
  const words = error instanceof Error ? error.message : 'an unknown error';
  const detail = `${call.route}: ${words}`.slice(0, 300);
  const sent = call.sent && !codesOf(error).some((code) => NEVER_SENT.has(code));
  return failure('delivery-unknown', {}, detail, new RestError(detail, { status: 0, code: 0, sent }));
};

export const limited = (ms: number, detail: string): Failure =>
  failure('rate-limited', { waitSeconds: Math.max(1, Math.ceil(ms / 1000)) }, detail);

export const TOKEN_FIX = 'set DISCORD_TOKEN to the token of Developer Portal, your app, Bot, Reset Token';
export const tokenRefused = (): Failure => {
  const problem = `Discord refuses DISCORD_TOKEN: ${TOKEN_FIX}`;
  return failure('config-invalid', { problems: [problem] }, problem);
};
