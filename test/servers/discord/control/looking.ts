/** Control: what was sent to the stand-in, what it sent, and what people see. */
import type { GatewayInfo } from '../gateway.ts';
import type { Call, Frame, Json } from '../model.ts';
import { permissionsIn } from '../permissions.ts';
import { invalidRequests } from '../rate-limits.ts';
import type { Parts } from '../request.ts';
import { seenMessage, shownText } from '../seen.ts';
import type { SeenMessage } from '../seen.ts';
import { channelAt, messagesIn } from '../world.ts';
import { createFinding } from './finding.ts';

export type SeenThread = {
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly type: number;
  readonly archived: boolean;
  readonly locked: boolean;
  readonly owner: string;
  readonly tags: readonly string[];
  readonly messages: number;
};

export const lookingOps = (parts: Parts) => {
  const { world, gateway } = parts;
  const find = createFinding(parts);
  const threadsIn = (parent: string): readonly SeenThread[] =>
    [...world.channels.values()].flatMap((one) =>
      one.thread === null || one.parent !== parent || one.deleted
        ? []
        : [
            {
              id: one.id,
              parent,
              name: one.name,
              type: one.type,
              archived: one.thread.archived,
              locked: one.thread.locked,
              owner: one.thread.owner,
              tags: one.thread.tags,
              messages: one.thread.messageCount,
            },
          ],
    );
  return {
    /** Requests of the application, oldest first, with their bodies; `path` is a part of it. */
    calls: ({
      method,
      path,
      after = 0,
    }: { readonly method?: string; readonly path?: string; readonly after?: number } = {}): readonly Call[] =>
      world.calls.filter(
        (one) => one.n > after && (method === undefined || one.method === method) && (path === undefined || one.path.includes(path)),
      ),
    /** What went over the gateway in both directions; `event` also `close 4000`. */
    frames: ({
      event,
      op,
      direction,
      after = 0,
    }: {
      readonly event?: string;
      readonly op?: number;
      readonly direction?: Frame['direction'];
      readonly after?: number;
    } = {}): readonly Frame[] =>
      world.frames.filter(
        (one) =>
          one.n > after &&
          (event === undefined || one.event === event) &&
          (op === undefined || one.op === op) &&
          (direction === undefined || one.direction === direction),
      ),
    /** The messages of a channel or thread, oldest first; with what only `as` sees. */
    messages: ({ channel, as }: { readonly channel: string; readonly as?: string }): readonly SeenMessage[] => {
      const { id } = find.channel(channel);
      const user = as === undefined ? null : find.user(as).id;
      const own = [...world.messages.values()].filter(
        (one) => one.channel === id && !one.deleted && one.onlyFor !== null && one.onlyFor === user,
      );
      return [...messagesIn(world, id), ...own]
        .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
        .map((one) => seenMessage(world, one));
    },
    message: ({ id }: { readonly id: string }): SeenMessage | null => {
      const found = world.messages.get(id);
      return found === undefined || found.deleted ? null : seenMessage(world, found);
    },
    /** Messages that only one person sees, oldest first. */
    ephemerals: ({ user, channel }: { readonly user?: string; readonly channel?: string } = {}): readonly SeenMessage[] =>
      [...world.messages.values()]
        .filter(
          (one) =>
            !one.deleted &&
            one.onlyFor !== null &&
            (user === undefined || one.onlyFor === find.user(user).id) &&
            (channel === undefined || one.channel === find.channel(channel).id),
        )
        .map((one) => seenMessage(world, one)),
    threads: ({ channel }: { readonly channel: string }): readonly SeenThread[] => threadsIn(find.channel(channel).id),
    /** Who is shown as typing in a channel now. */
    typing: ({ channel }: { readonly channel: string }): readonly string[] => {
      const { id } = find.channel(channel);
      return [...new Set(world.typing.filter((one) => one.channel === id && one.until > world.clock.now()).map((one) => one.user))];
    },
    commands: (): readonly Json[] =>
      world.app.commands.map(({ id, guild, type, name, version, body }) => ({ id, guild, type, name, version, ...body })),
    sessions: (): readonly GatewayInfo[] => gateway.sessions(),
    connections: (): number => gateway.connections(),
    /** Refused requests in the last ten minutes. At the limit the address is shut out. */
    invalidRequests: (): { readonly count: number; readonly limit: number } => ({
      count: invalidRequests(world),
      limit: world.settings.invalidRequests,
    }),
    fileContent: ({ id }: { readonly id: string }): { readonly name: string; readonly base64: string } | null => {
      for (const message of world.messages.values()) {
        const found = message.attachments.find((one) => one.id === id);
        if (found !== undefined) return { name: found.filename, base64: found.bytes.toString('base64') };
      }
      return null;
    },
    now: (): number => world.clock.now(),
    /** What the page shows around the messages: servers, channels, threads, people, as `user` sees them. */
    overview: ({ user }: { readonly user: string }) => {
      const me = find.user(user).id;
      const visible = [...world.channels.values()].filter((one) => !one.deleted && permissionsIn(world, one, me) !== 0n);
      const shape = (id: string) => visible.filter((one) => one.guild === id && one.thread === null);
      return {
        me,
        bot: world.app.id,
        people: [...world.users.values()].map((one) => ({
          id: one.id,
          name: one.globalName ?? one.username,
          username: one.username,
          bot: one.bot,
        })),
        guilds: [...world.guilds.values()]
          .filter((one) => one.members.has(me))
          .map((one) => ({
            id: one.id,
            name: one.name,
            roles: [...one.roles.values()].filter((role) => role.id !== one.id).map((role) => ({ id: role.id, name: role.name })),
            members: [...one.members.keys()],
            channels: shape(one.id).map((channel) => ({
              id: channel.id,
              type: channel.type,
              name: channel.name,
              topic: channel.topic === null ? '' : shownText(world, one.id, channel.topic),
              tags: channel.tags,
              threads: threadsIn(channel.id).filter(
                (thread) => channelAt(world, thread.id) !== null && visible.some((seen) => seen.id === thread.id),
              ),
            })),
          })),
        direct: visible
          .filter((one) => one.guild === null)
          .map((one) => ({ id: one.id, type: one.type, name: one.name, recipients: one.recipients.filter((id) => id !== me) })),
      };
    },
    revision: (): { readonly revision: number } => ({ revision: world.revision() }),
    /** Resolves when something has changed since `revision`, or after `ms`. */
    change: world.change,
  };
};
