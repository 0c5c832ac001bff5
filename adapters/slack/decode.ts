/**
 * A delivery of Slack, unknown JSON -> what it means to us, or why it means nothing. Pure: who is spoken to, what people are called and
 * what is in their files is found out later.
 */
import { z } from 'zod';
import type { Installed } from './decode/decode-envelope.ts';
import { eventEnvelope, installedFor } from './decode/decode-envelope.ts';
import type { EventEnvelope } from './decode/decode-envelope.ts';
import type { AskedAbout, NewChat, Pressed, Slashed, Submitted } from './decode/decode-interaction.ts';
import { decodeCommand, decodePress, decodeShortcut, decodeSubmission } from './decode/decode-interaction.ts';
import type { Deleted, Edited, Ignored, Said } from './decode/decode-message.ts';
import { decodeMessage, ignored } from './decode/decode-message.ts';

type Of<Kind extends string, Facts> = { readonly kind: Kind; readonly by: Installed } & Readonly<Facts>;

/** What else happens in a workspace. */
export type Happening =
  | Of<'home-opened', { user: string }>
  /** The panel for talking to the bot was opened (workspaces with the older form of it). */
  | Of<'panel-opened', { channel: string; root: string }>
  | Of<'session-stopped', { user: string; channel: string; root: string; at: string }>
  /** The bot was brought into a channel. */
  | Of<'joined', { channel: string }>
  | Of<'channel-gone', { channel: string }>
  /** Slack gave a channel another id (a conversion, a shared channel). */
  | Of<'channel-moved', { channel: string; to: string }>
  | Of<'uninstalled', object>;

export type Decoded = Said | Edited | Deleted | Happening | Slashed | Pressed | AskedAbout | NewChat | Submitted | Ignored;

/** Any body that Slack delivers. Never throws. */
export const decode = (body: unknown): Decoded => {
  const type = z.looseObject({ type: z.string().nullish(), command: z.string().nullish() }).safeParse(body);
  if (!type.success) return ignored('not an object');
  if (typeof type.data.command === 'string') return decodeCommand(body);
  switch (type.data.type ?? '') {
    case 'event_callback': {
      const envelope = eventEnvelope.safeParse(body);
      return envelope.success ? decodeEvent(envelope.data) : ignored('malformed event');
    }
    case 'block_actions':
      return decodePress(body);
    case 'shortcut':
    case 'message_action':
      return decodeShortcut(body);
    case 'view_submission':
      return decodeSubmission(body);
    default:
      return ignored(`type ${type.data.type ?? 'unknown'}`);
  }
};

const fields = z.looseObject({
  user: z.string().nullish(),
  tab: z.string().nullish(),
  channel: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  thread: z.string().nullish(),
  thread_ts: z.string().nullish(),
  event_ts: z.string().nullish(),
  old_channel_id: z.string().nullish(),
  new_channel_id: z.string().nullish(),
  tokens: z.looseObject({ bot: z.array(z.string()).nullish() }).nullish(),
  assistant_thread: z.looseObject({ channel_id: z.string(), thread_ts: z.string() }).nullish(),
});

const decodeEvent = (envelope: EventEnvelope): Decoded => {
  const by = installedFor(envelope);
  if (by === null) return ignored('no workspace');
  const { type } = envelope.event;
  if (type === 'message' || type === 'app_mention') return decodeMessage(envelope, by);
  const read = fields.safeParse(envelope.event);
  if (!read.success) return ignored(`malformed ${type}`);
  const { user, tab, channel: where, thread, thread_ts: threadTs, assistant_thread: panel, tokens, event_ts: at } = read.data;
  const channel = (typeof where === 'string' ? where : where?.id) ?? '';
  switch (type) {
    case 'app_home_opened':
      return user && tab === 'home' ? { kind: 'home-opened', by, user } : ignored(`app_home_opened ${tab ?? ''}`);
    case 'assistant_thread_started':
      return panel ? { kind: 'panel-opened', by, channel: panel.channel_id, root: panel.thread_ts } : ignored('malformed panel');
    case 'agent_session_stopped': {
      const root = thread ?? threadTs ?? '';
      if (!user || channel === '' || root === '') return ignored('malformed stop');
      return { kind: 'session-stopped', by, user, channel, root, at: at ?? envelope.event_id };
    }
    case 'member_joined_channel':
      return user && user === by.botUser && channel !== '' ? { kind: 'joined', by, channel } : ignored('somebody joined');
    case 'channel_archive':
    case 'group_archive':
    case 'channel_deleted':
    case 'group_deleted':
      return channel === '' ? ignored(`malformed ${type}`) : { kind: 'channel-gone', by, channel };
    case 'channel_id_changed': {
      const { old_channel_id: old, new_channel_id: to } = read.data;
      return old && to ? { kind: 'channel-moved', by, channel: old, to } : ignored(`malformed ${type}`);
    }
    case 'app_uninstalled':
      return { kind: 'uninstalled', by };
    case 'tokens_revoked':
      // Tokens of single people are none of ours.
      return (tokens?.bot ?? []).length > 0 ? { kind: 'uninstalled', by } : ignored('tokens of people');
    default:
      return ignored(`event ${type}`);
  }
};

/** `stop`, alone or after a mention. */
const isStop = (raw: string): boolean => /^\s*(<@[^<>]*>[\s,:]*)?[!/]?stop\s*$/i.test(raw);

/**
 * Under which id a delivery is put into the in-tray, and what it must stay in order with. A message has one id however often and in
 * whichever form it is delivered (`message` and `app_mention` are two events); anything else has that of its event or of what triggered it.
 */
export const inboxPlace = (decoded: Exclude<Decoded, Ignored>, body: unknown): { readonly id: string; readonly lane: string } => {
  const { workspace } = decoded.by;
  const event = (): string => z.looseObject({ event_id: z.string() }).safeParse(body).data?.event_id ?? '';
  switch (decoded.kind) {
    case 'said':
      return {
        // Somebody may edit a mention into a message that was for nobody: that is told as a mention of its own.
        id: ['said', workspace, decoded.channel, decoded.ts, ...(decoded.edited === null ? [] : [decoded.edited])].join(':'),
        // A stop must not wait behind a message whose files are being read.
        lane: `${workspace}:${decoded.channel}:${decoded.root}${isStop(decoded.raw) ? ':stop' : ''}`,
      };
    case 'edited':
    case 'deleted':
    case 'session-stopped':
      return { id: `event:${event()}`, lane: `${workspace}:${decoded.channel}:${decoded.root}` };
    case 'home-opened':
      return { id: `event:${event()}`, lane: `${workspace}:home:${decoded.user}` };
    case 'panel-opened':
    case 'joined':
    case 'channel-gone':
    case 'channel-moved':
      return { id: `event:${event()}`, lane: `${workspace}:${decoded.channel}` };
    case 'uninstalled':
      return { id: `event:${event()}`, lane: workspace };
    case 'slashed':
      return { id: `slashed:${workspace}:${decoded.trigger}`, lane: `${workspace}:${decoded.channel}:${decoded.user}` };
    case 'pressed':
      // Outside the thread's lane: a stop must not wait behind a download.
      return { id: `pressed:${workspace}:${decoded.user}:${decoded.at}`, lane: `${workspace}:pressed:${decoded.user}` };
    case 'asked-about':
    case 'new-chat':
      return { id: `shortcut:${workspace}:${decoded.trigger}`, lane: `${workspace}:shortcut:${decoded.user}` };
    case 'submitted':
      return { id: `view:${workspace}:${decoded.viewId}`, lane: `${workspace}:shortcut:${decoded.user}` };
    default:
      return decoded satisfies never;
  }
};
