/** Messages as events tell of them, and as the history lists them -> what was said, edited or deleted. Pure. */
import { z } from 'zod';
import { clean } from '../../../src/core/trust.ts';
import { rawText } from './decode-blocks.ts';
import type { EventEnvelope, Installed } from './decode-envelope.ts';
import { usersIn } from './decode-text.ts';

/** A file that came with a message. `url` null: Slack must be asked for it (a file of another organisation). */
export type SharedFile = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Bytes; null where Slack does not say. */
  readonly size: number | null;
  readonly url: string | null;
  /** Why there is nothing to download: it is gone, hidden by the plan's limit, or lies with somebody else. */
  readonly gone: 'deleted' | 'hidden' | 'external' | null;
};

/** Where a message stands: its thread is that of its root, which is itself where nobody answered it. */
export type Place = { readonly channel: string; readonly root: string; readonly ts: string; readonly threaded: boolean };

/** `raw` is Slack's text: escaped, with references. */
type Words = { readonly raw: string };
export type Said = Place &
  Words & {
    readonly kind: 'said';
    readonly by: Installed;
    /** The time of an edit that brought the mention in; null for a message as it was first written. */
    readonly edited: string | null;
    readonly user: string;
    readonly userTeam: string;
    readonly outsider: boolean;
    readonly direct: boolean;
    readonly files: readonly SharedFile[];
  };
export type Edited = Place &
  Words & {
    readonly kind: 'edited';
    readonly by: Installed;
    readonly user: string;
    readonly userTeam: string;
    readonly outsider: boolean;
    /** Another one for every edit. */
    readonly version: string;
  };
export type Deleted = Place & { readonly kind: 'deleted'; readonly by: Installed };
export type Ignored = { readonly kind: 'ignored'; readonly reason: string };

export const ignored = (reason: string): Ignored => ({ kind: 'ignored', reason });

const text = z.string().nullish();
const fileSchema = z.looseObject({
  id: z.string().min(1),
  name: text,
  title: text,
  mimetype: text,
  size: z.number().nonnegative().nullish(),
  mode: text,
  file_access: text,
  is_external: z.boolean().nullish(),
  url_private: text,
  url_private_download: text,
});

export const messageSchema = z.looseObject({
  subtype: text,
  user: text,
  username: text,
  bot_id: text,
  bot_profile: z.looseObject({ name: text }).nullish(),
  app_id: text,
  text,
  ts: z.string().regex(/^\d+\.\d+$/),
  thread_ts: text,
  channel_type: text,
  team: text,
  user_team: text,
  source_team: text,
  hidden: z.boolean().nullish(),
  edited: z.looseObject({ ts: z.string() }).nullish(),
  files: z.array(z.unknown()).nullish(),
  blocks: z.unknown().optional(),
  attachments: z.unknown().optional(),
});
export type RawMessage = z.infer<typeof messageSchema>;

const eventSchema = messageSchema.extend({ channel: z.string().min(1) });
const changedSchema = z.looseObject({ channel: z.string().min(1), message: messageSchema, previous_message: messageSchema.nullish() });
const deletedSchema = z.looseObject({
  channel: z.string().min(1),
  deleted_ts: z.string().regex(/^\d+\.\d+$/),
  previous_message: messageSchema.nullish(),
});

/** Subtypes that are somebody's words. Everything else tells of the channel or is another program's. */
const SPOKEN = new Set(['', 'file_share', 'thread_broadcast', 'me_message']);
const SLACK_ITSELF = new Set(['USLACK', 'USLACKBOT']);

/** A `message` or `app_mention` event. */
export const decodeMessage = (envelope: EventEnvelope, by: Installed): Said | Edited | Deleted | Ignored => {
  const subtype = z.looseObject({ subtype: text }).safeParse(envelope.event).data?.subtype ?? '';
  if (subtype === 'message_changed') return decodeChanged(envelope, by);
  if (subtype === 'message_deleted') return decodeDeleted(envelope, by);
  if (!SPOKEN.has(subtype)) return ignored(`subtype ${subtype}`);
  const read = eventSchema.safeParse(envelope.event);
  if (!read.success) return ignored('malformed message');
  const event = read.data;
  if (event.hidden === true) return ignored('hidden');
  const author = authorOf(event, envelope, by);
  if ('reason' in author) return author;
  return {
    kind: 'said',
    by,
    edited: event.edited?.ts ?? null,
    ...author,
    ...placeOf(event.channel, event),
    direct: event.channel_type === 'im' || event.channel.startsWith('D'),
    raw: clean(rawText({ text: event.text ?? '', blocks: event.blocks, attachments: event.attachments })),
    files: filesIn(event.files),
  };
};

const placeOf = (channel: string, message: Pick<RawMessage, 'ts' | 'thread_ts'>): Place => ({
  channel,
  ts: message.ts,
  root: message.thread_ts ?? message.ts,
  threaded: typeof message.thread_ts === 'string' && message.thread_ts !== message.ts,
});

type Author = { readonly user: string; readonly userTeam: string; readonly outsider: boolean };

/** Who wrote it, where that is a person: programs are never answered, or two of them would answer each other for ever. */
const authorOf = (message: RawMessage, envelope: EventEnvelope, by: Installed): Author | Ignored => {
  const { user } = message;
  if (typeof user !== 'string' || user === '') return ignored('no user');
  if (user === by.botUser) return ignored('own message');
  if (SLACK_ITSELF.has(user)) return ignored('Slack itself');
  if (isProgram(message, envelope.api_app_id ?? '')) return ignored('another program');
  // Messages with files may lack their team; then the place where it happened says more than nothing.
  const userTeam = message.user_team ?? message.team ?? message.source_team ?? envelope.team_id ?? by.team;
  // Members of one organisation may be of several workspaces; only in a channel shared with another organisation can one be a stranger.
  const outsider = envelope.is_ext_shared_channel === true && userTeam !== by.team && userTeam !== by.workspace;
  return { user, userTeam, outsider };
};

/** An app may write on behalf of a person; then only its own id stands beside theirs, and our own app does not do that to itself. */
export const isProgram = (message: RawMessage, ownApp: string): boolean =>
  message.subtype === 'bot_message' ||
  (message.bot_id ?? '') !== '' ||
  (message.bot_profile ?? null) !== null ||
  ((message.app_id ?? '') !== '' && message.app_id !== ownApp);

/**
 * Also unfurled links, new replies in the thread and the bot's own edits arrive as a change. An edit is what a person did to the text.
 * A root that was deleted under its replies stays as a tombstone.
 */
const decodeChanged = (envelope: EventEnvelope, by: Installed): Edited | Deleted | Ignored => {
  const read = changedSchema.safeParse(envelope.event);
  if (!read.success) return ignored('malformed change');
  const { channel, message, previous_message: before } = read.data;
  if (message.subtype === 'tombstone') {
    const root = before ?? message;
    return isProgram(root, '') || root.user === by.botUser
      ? ignored('deletion of a program’s message')
      : { kind: 'deleted', by, ...placeOf(channel, message) };
  }
  const author = authorOf(message, envelope, by);
  if ('reason' in author) return author;
  if (!SPOKEN.has(message.subtype ?? '')) return ignored(`change of subtype ${message.subtype ?? ''}`);
  const changed = before === null || before === undefined || (before.text ?? '') !== (message.text ?? '');
  if (message.edited === null || message.edited === undefined || !changed) return ignored('unchanged text');
  return {
    kind: 'edited',
    by,
    ...author,
    ...placeOf(channel, message),
    raw: clean(rawText({ text: message.text ?? '', blocks: message.blocks })),
    version: message.edited.ts,
  };
};

const decodeDeleted = (envelope: EventEnvelope, by: Installed): Deleted | Ignored => {
  const read = deletedSchema.safeParse(envelope.event);
  if (!read.success) return ignored('malformed deletion');
  const { channel, deleted_ts: ts, previous_message: before } = read.data;
  if (before !== null && before !== undefined && (isProgram(before, '') || before.user === by.botUser))
    return ignored('deletion of a program’s message');
  return { kind: 'deleted', by, ...placeOf(channel, { ts, thread_ts: before?.thread_ts ?? null }) };
};

/** What a message's files are; entries that cannot be read are left out. */
export const filesIn = (files: readonly unknown[] | null | undefined): readonly SharedFile[] =>
  (files ?? []).flatMap((file) => {
    const shared = fileOf(file);
    return shared === null ? [] : [shared];
  });

/** One file object of Slack, as events and `files.info` have it. */
export const fileOf = (value: unknown): SharedFile | null => {
  const read = fileSchema.safeParse(value);
  if (!read.success) return null;
  const file = read.data;
  const mustAsk = file.file_access === 'check_file_info' || file.mode === 'file_access';
  return {
    id: file.id,
    name: clean(file.name || file.title || 'file'),
    type: file.mimetype || 'application/octet-stream',
    size: file.size ?? null,
    url: mustAsk ? null : file.url_private_download || file.url_private || null,
    gone: goneOf(file),
  };
};

const goneOf = (file: z.infer<typeof fileSchema>): SharedFile['gone'] => {
  if (file.mode === 'tombstone') return 'deleted';
  if (file.mode === 'hidden_by_limit') return 'hidden';
  return file.mode === 'external' || file.is_external === true ? 'external' : null;
};

/** Ids of everybody whose name a reader needs. */
export const peopleOf = (said: { readonly user: string; readonly raw: string }): readonly string[] => [
  ...new Set([said.user, ...usersIn(said.raw)]),
];
