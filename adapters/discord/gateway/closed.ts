/** Why Discord closed a connection for good, and what mends it. Pure. https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
import { TOKEN_FIX } from '../rest/failure.ts';

export type Closed = { readonly problem: string; readonly fix: string };

/** Null for a code after which one connects again. */
export const closedForGood = (code: number): Closed | null => {
  switch (code) {
    case 4004:
      return { problem: 'Discord refuses DISCORD_TOKEN (4004)', fix: TOKEN_FIX };
    case 4010:
      return {
        problem: 'Discord does not know this shard (4010)',
        fix: 'set DISCORD_SHARDS to auto, or to ids below the whole number, such as 0-3/8',
      };
    case 4011:
      return {
        problem: 'the bot is in too many servers for so few shards (4011)',
        fix: 'set DISCORD_SHARDS to auto, or to a larger whole number',
      };
    case 4012:
      return { problem: 'Discord no longer speaks version 10 of its gateway (4012)', fix: 'update Hektor' };
    case 4013:
      return { problem: 'Discord does not know an intent that was asked for (4013)', fix: 'update Hektor' };
    case 4014:
      return {
        problem: 'the Message Content intent is not switched on for this bot (4014)',
        fix: 'switch on Message Content Intent at Developer Portal, your app, Bot, Privileged Gateway Intents; or set DISCORD_MESSAGE_CONTENT=off, then the bot answers mentions, direct messages and commands only',
      };
    default:
      return null;
  }
};
