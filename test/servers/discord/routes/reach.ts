/** What a path names, as far as the bot may see it. */
import { shapeFor } from '../content-intent.ts';
import type { Channel, Json, Message } from '../model.ts';
import { need, P } from '../permissions.ts';
import type { Request } from '../request.ts';
import { invalidForm, refused } from '../rest-fault.ts';
import { channelAt, messageAt } from '../world.ts';

/** The channel of the path, as far as the bot may see it. */
export const channelOf = (request: Request): Channel => {
  const channel = channelAt(request.world, request.params['channel'] ?? '');
  if (channel === null) throw refused(10003);
  need(request.world, channel, request.world.app.id, P.ViewChannel);
  return channel;
};

export const messageOf = (request: Request, channel: Channel): Message => {
  const id = request.params['message'] ?? '';
  if (!/^\d+$/.test(id)) throw invalidForm({ at: 'message_id', code: 'NUMBER_TYPE_COERCE', message: `Value "${id}" is not snowflake.` });
  const found = messageAt(request.world, channel.id, id);
  // Ephemeral messages are out of reach but for their interaction's token.
  if (found === null || found.onlyFor !== null) throw refused(10008);
  return found;
};

/** As the bot gets it: by REST, too, content stands only where the intent or an exception lets it. */
export const shown = ({ world }: Pick<Request, 'world'>, message: Message): Json => shapeFor(world, message, world.app.messageContent);
