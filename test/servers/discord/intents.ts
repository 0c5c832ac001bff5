/** Which intent an event needs, in servers and in direct messages; 0 for those that every session gets. */
import { GatewayIntentBits as I } from './numbers.ts';

const table: Readonly<Record<string, readonly [inGuild: number, direct: number]>> = {
  GUILD_CREATE: [I.Guilds, 0],
  GUILD_UPDATE: [I.Guilds, 0],
  GUILD_DELETE: [I.Guilds, 0],
  GUILD_ROLE_CREATE: [I.Guilds, 0],
  GUILD_ROLE_UPDATE: [I.Guilds, 0],
  GUILD_ROLE_DELETE: [I.Guilds, 0],
  CHANNEL_CREATE: [I.Guilds, 0],
  CHANNEL_UPDATE: [I.Guilds, 0],
  CHANNEL_DELETE: [I.Guilds, 0],
  CHANNEL_PINS_UPDATE: [I.Guilds, I.DirectMessages],
  THREAD_CREATE: [I.Guilds, 0],
  THREAD_UPDATE: [I.Guilds, 0],
  THREAD_DELETE: [I.Guilds, 0],
  THREAD_LIST_SYNC: [I.Guilds, 0],
  THREAD_MEMBER_UPDATE: [I.Guilds, 0],
  THREAD_MEMBERS_UPDATE: [I.Guilds, 0],
  GUILD_MEMBER_ADD: [I.GuildMembers, 0],
  GUILD_MEMBER_REMOVE: [I.GuildMembers, 0],
  MESSAGE_CREATE: [I.GuildMessages, I.DirectMessages],
  MESSAGE_UPDATE: [I.GuildMessages, I.DirectMessages],
  MESSAGE_DELETE: [I.GuildMessages, I.DirectMessages],
  MESSAGE_DELETE_BULK: [I.GuildMessages, 0],
  MESSAGE_REACTION_ADD: [I.GuildMessageReactions, I.DirectMessageReactions],
  MESSAGE_REACTION_REMOVE: [I.GuildMessageReactions, I.DirectMessageReactions],
  TYPING_START: [I.GuildMessageTyping, I.DirectMessageTyping],
  PRESENCE_UPDATE: [I.GuildPresences, 0],
};

/** Whether a session with these intents is told of the event. */
export const wants = (intents: number, event: string, inGuild: boolean): boolean => {
  const found = table[event];
  if (found === undefined) return true;
  const bit = inGuild ? found[0] : found[1];
  return bit === 0 || (intents & bit) !== 0;
};

/** Every bit that is an intent of today. */
export const KNOWN = Object.values(I).reduce<number>((sum, bit) => (typeof bit === 'number' ? sum | bit : sum), 0);

export { I as Intent };
