/** What of a message an application may read without the Message Content intent. */
import { isObject } from './json.ts';
import type { Json, Message } from './model.ts';
import { messageShape } from './shapes.ts';
import { botRole, channelAt, guildOf, messageAt } from './world.ts';
import type { World } from './world.ts';

/** Its own, those that mention it, and all in direct messages with it. */
const readable = (world: World, message: Message): boolean => {
  if (message.author === world.app.id || message.webhook === world.app.id) return true;
  const channel = channelAt(world, message.channel);
  if (channel !== null && channel.guild === null && channel.recipients.includes(world.app.id)) return true;
  if (message.mentions.users.includes(world.app.id)) return true;
  const guild = guildOf(world, message.guild);
  const role = guild === null ? null : botRole(world, guild);
  return world.settings.roleMentionShowsContent && role !== null && message.mentions.roles.includes(role.id);
};

const blank = (shape: Json): Json => {
  const { poll: _, ...rest } = shape;
  const snapshots = rest['message_snapshots'];
  return {
    ...rest,
    content: '',
    embeds: [],
    attachments: [],
    components: [],
    ...(Array.isArray(snapshots)
      ? {
          message_snapshots: snapshots.filter(isObject).map((one) => ({
            message: { ...(isObject(one['message']) ? one['message'] : {}), content: '', embeds: [], attachments: [], components: [] },
          })),
        }
      : {}),
  };
};

/** The message as the application gets it: emptied where it may not read it, and the message it replies to likewise. */
export const shapeFor = (world: World, message: Message, intent: boolean): Json => {
  const whole = messageShape(world, message);
  if (intent) return whole;
  const { reference } = message;
  const referenced = reference?.type === 0 ? messageAt(world, reference.channel, reference.message) : null;
  const own = readable(world, message) ? whole : blank(whole);
  const inner = own['referenced_message'];
  return isObject(inner) && referenced !== null && !readable(world, referenced) ? { ...own, referenced_message: blank(inner) } : own;
};
