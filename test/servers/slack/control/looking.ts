/** Control: what was sent to the stand-in, what it sent, and what people see. */
import type { Parts } from '../call.ts';
import type { AgentSession, SentCall, Sent } from '../model.ts';
import { seenEphemeral, seenMessage } from '../seen.ts';
import type { SeenMessage } from '../seen.ts';

export const lookingOps = ({ world }: Parts) => ({
  /** The calls of the app, oldest first, with their arguments and their raw bodies. */
  calls: ({ method, after = 0 }: { readonly method?: string; readonly after?: number } = {}): readonly SentCall[] =>
    world.calls.filter((one) => one.n > after && (method === undefined || one.method === method)),
  /** What was delivered to the app, with every attempt. */
  sent: ({ after = 0 }: { readonly after?: number } = {}): readonly Sent[] => world.sent.filter((one) => one.n > after),
  /** The messages of a channel, or of one of its threads with its root, oldest first. */
  messages: ({ channel, thread }: { readonly channel: string; readonly thread?: string }): readonly SeenMessage[] =>
    world.messages
      .filter(
        (one) => one.channel === channel && !one.deleted && (thread === undefined ? true : one.ts === thread || one.threadTs === thread),
      )
      .toSorted((a, b) => (a.ts < b.ts ? -1 : 1))
      .map((one) => seenMessage(world, one)),
  /** What only `user` sees in a channel. */
  ephemerals: ({ channel, user }: { readonly channel?: string; readonly user?: string } = {}): readonly SeenMessage[] =>
    world.ephemerals
      .filter((one) => !one.deleted && (channel === undefined || one.channel === channel) && (user === undefined || one.user === user))
      .map((one) => seenEphemeral(world, one)),
  session: ({ channel, thread }: { readonly channel: string; readonly thread: string }): AgentSession | null =>
    world.sessions.get(`${channel}:${thread}`) ?? null,
  fileContent: ({
    id,
  }: {
    readonly id: string;
  }): { readonly name: string; readonly title: string; readonly altText: string; readonly base64: string } | null => {
    const file = world.files.get(id);
    return file === undefined
      ? null
      : { name: file.name, title: file.title, altText: file.altText, base64: (file.bytes ?? Buffer.alloc(0)).toString('base64') };
  },
  /** What the page shows around the messages: who there is, and the channels that `user` sees. */
  overview: ({ user }: { readonly user: string }) => {
    const bots = new Set(world.installations.map((one) => one.botUser));
    const own = [...world.channels.values()].filter((one) => !one.archived && one.members.has(user));
    return {
      workspace: world.workspaces.get(world.people.get(user)?.team ?? '')?.name ?? '',
      people: [...world.people.values()].map(({ id, name, realName, displayName, bot }) => ({
        id,
        name,
        realName: displayName || realName,
        bot: bot !== null,
      })),
      channels: own.map((one) => ({
        id: one.id,
        kind: one.kind,
        name: one.kind === 'im' ? world.app.name : one.name,
        connected: one.connected.length > 0,
        hasBot: [...one.members].some((id) => bots.has(id)),
        members: one.members.size,
      })),
      commands: world.app.commands,
      shortcuts: world.app.shortcuts,
      bot: world.installations[0]?.botUser ?? '',
      agents: world.app.agents,
    };
  },
  revision: (): { readonly revision: number } => ({ revision: world.revision() }),
  /** Resolves when something has changed since `revision`, or after `ms`. */
  change: world.change,
});
