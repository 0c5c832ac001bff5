/** What the app is told of: which events it gets, and the envelope around them. */
import type { Deliver } from './deliver.ts';
import type { Channel, Installation, Json, Message } from './model.ts';
import { channelById, installationFor, messageAt } from './world.ts';
import type { World } from './world.ts';
import { messageShape } from './shapes.ts';

export type Events = {
  /** Any event, to the installation of a team, if it is subscribed to. */
  readonly tell: (installation: Installation, event: Json, about?: { readonly channel?: Channel; readonly from?: string }) => void;
  readonly posted: (message: Message) => void;
  readonly edited: (message: Message, previous: Json) => void;
  readonly deleted: (message: Message, previous: Json) => void;
  /** A payload exactly as given. */
  readonly raw: (payload: Json) => void;
};

const KIND: Readonly<Record<Channel['kind'], string>> = { channel: 'channels', group: 'groups', im: 'im', mpim: 'mpim' };

/** The subscription and the scope that an event takes; null where no scope is asked for. */
const wants = (event: Json, channel: Channel | undefined): { readonly event: string; readonly scope: string | null } => {
  const type = String(event['type']);
  if (type === 'message' && channel !== undefined)
    return { event: `message.${KIND[channel.kind]}`, scope: `${KIND[channel.kind]}:history` };
  if (type === 'app_mention') return { event: type, scope: 'app_mentions:read' };
  if (type.startsWith('agent_session') || type.startsWith('assistant_thread')) return { event: type, scope: 'assistant:write' };
  if (type === 'reaction_added' || type === 'reaction_removed') return { event: type, scope: 'reactions:read' };
  if (type === 'member_joined_channel') return { event: type, scope: 'channels:read' };
  return { event: type, scope: null };
};

/** Mentions in code are text to Slack's composer, so no token stands there; a token elsewhere is a mention. */
const mentions = (text: string, user: string): boolean => text.includes(`<@${user}>`) || text.includes(`<@${user}|`);

export const createEvents = (world: World, deliver: Deliver): Events => {
  const hour: number[] = [];
  const limited = new Set<number>();

  const tell: Events['tell'] = (installation, event, about = {}) => {
    if (installation.state !== 'active' && event['type'] !== 'app_uninstalled' && event['type'] !== 'tokens_revoked') return;
    const { app } = world;
    if (app.eventsDisabled) return;
    const want = wants(event, about.channel);
    if (!app.events.includes(want.event) || (want.scope !== null && !installation.scopes.includes(want.scope))) return;
    const now = world.clock.now();
    while ((hour[0] ?? now) <= now - 3_600_000) hour.shift();
    const team = installation.team ?? about.channel?.team ?? '';
    if (hour.length >= world.settings.eventsPerHour) {
      const minute = Math.floor(now / 60_000) * 60;
      if (!limited.has(minute)) {
        limited.add(minute);
        deliver('events_api', {
          token: app.verificationToken,
          type: 'app_rate_limited',
          team_id: team,
          minute_rate_limited: minute,
          api_app_id: app.id,
        });
      }
      return;
    }
    hour.push(now);
    deliver('events_api', {
      token: app.verificationToken,
      team_id: about.from ?? team,
      context_team_id: team,
      context_enterprise_id: installation.enterprise,
      api_app_id: app.id,
      event,
      type: 'event_callback',
      event_id: world.newId('Ev'),
      event_time: Math.floor(now / 1000),
      authorizations: [
        {
          enterprise_id: installation.enterprise,
          team_id: installation.team,
          user_id: installation.botUser,
          is_bot: true,
          is_enterprise_install: installation.team === null,
        },
      ],
      is_ext_shared_channel: (about.channel?.connected.length ?? 0) > 0,
      event_context: '4-event-context',
    });
  };

  /** The installations that hear of a channel. */
  const hearing = (channel: Channel): readonly Installation[] => {
    const found = installationFor(world, channel);
    return found === null ? [] : [found];
  };

  const foreign = (message: Message, channel: Channel): Json =>
    channel.connected.length > 0 ? { user_team: message.team, source_team: message.team } : {};

  const changed = (message: Message, channel: Channel, previous: Json): void => {
    const ts = world.newTs();
    for (const installation of hearing(channel)) {
      tell(
        installation,
        {
          type: 'message',
          subtype: 'message_changed',
          message: messageShape(world, message),
          previous_message: previous,
          channel: channel.id,
          hidden: true,
          ts,
          event_ts: ts,
          channel_type: channel.kind,
        },
        { channel, from: message.team },
      );
    }
  };

  return {
    tell,
    posted: (message) => {
      const channel = channelById(world, message.channel);
      if (channel === null) return;
      const shape = messageShape(world, message);
      for (const installation of hearing(channel)) {
        const root = message.broadcast && message.threadTs !== null ? messageAt(world, channel.id, message.threadTs) : null;
        const event: Json = {
          ...shape,
          ...foreign(message, channel),
          ...(message.broadcast ? { subtype: 'thread_broadcast', root: root === null ? null : messageShape(world, root) } : {}),
          channel: channel.id,
          event_ts: message.ts,
          channel_type: channel.kind,
        };
        const about = { channel, from: message.team };
        tell(installation, event, about);
        if (channel.kind !== 'im' && message.user !== installation.botUser && mentions(message.text, installation.botUser)) {
          const { channel_type: _, subtype: __, ...rest } = event;
          tell(installation, { ...rest, ...(message.subtype === null ? {} : { subtype: message.subtype }), type: 'app_mention' }, about);
        }
      }
      if (message.threadTs === null) return;
      // Each reply revises the root.
      const root = messageAt(world, channel.id, message.threadTs);
      if (root !== null) {
        const now = messageShape(world, root);
        const { reply_count: count, latest_reply: _, ...before } = now;
        changed(root, channel, { ...before, ...(Number(count) > 1 ? { reply_count: Number(count) - 1 } : {}) });
      }
    },
    edited: (message, previous) => {
      const channel = channelById(world, message.channel);
      if (channel !== null) changed(message, channel, previous);
    },
    deleted: (message, previous) => {
      const channel = channelById(world, message.channel);
      if (channel === null) return;
      const ts = world.newTs();
      for (const installation of hearing(channel)) {
        tell(
          installation,
          {
            type: 'message',
            subtype: 'message_deleted',
            previous_message: previous,
            channel: channel.id,
            hidden: true,
            deleted_ts: message.ts,
            ts,
            event_ts: ts,
            channel_type: channel.kind,
          },
          { channel, from: message.team },
        );
      }
    },
    raw: (payload) => void deliver('events_api', payload),
  };
};
