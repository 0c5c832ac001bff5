/** Control: people, servers, channels and messages by their names or ids. */
import type { Parts } from '../request.ts';
import { refused } from '../rest-fault.ts';
import type { Channel, Guild, Message, User } from '../model.ts';
import { channelAt } from '../world.ts';

export type Finding = ReturnType<typeof createFinding>;

export const createFinding = ({ world }: Pick<Parts, 'world'>) => ({
  /** By id or user name. */
  user: (given: string): User => {
    const found =
      world.users.get(given) ??
      [...world.users.values()].find((one) => one.username.toLowerCase() === given.replace(/^@/, '').toLowerCase());
    if (found === undefined) throw refused(10013);
    return found;
  },
  /** By id or name; the first one where none is said. */
  guild: (given?: string): Guild => {
    const found =
      given === undefined
        ? [...world.guilds.values()][0]
        : (world.guilds.get(given) ?? [...world.guilds.values()].find((one) => one.name === given));
    if (found === undefined) throw refused(10004);
    return found;
  },
  /** By id, or the first of this name. */
  channel: (given: string): Channel => {
    const found =
      channelAt(world, given) ??
      [...world.channels.values()].find((one) => one.name === given.replace(/^#/, '') && !one.deleted && one.guild !== null);
    if (found === undefined) throw refused(10003);
    return found;
  },
  message: (id: string): Message => {
    const found = world.messages.get(id);
    if (found === undefined || found.deleted) throw refused(10008);
    return found;
  },
});
