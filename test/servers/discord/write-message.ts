/** Writing and editing the application's messages, with everything that Discord checks on the way. */
import { ChannelType, MessageFlags as F } from './numbers.ts';
import { shapeFor } from './content-intent.ts';
import { isObject, numberIn, textIn } from './json.ts';
import { allowedOf, defaultAllowed, readAllowed, withReply } from './mentions.ts';
import { attachmentsAfter, isEmpty, readMessageForm } from './message-form.ts';
import type { Channel, Json, Message, Reference } from './model.ts';
import { may, need, P } from './permissions.ts';
import type { Request } from './request.ts';
import { invalidForm, refused, RestFault } from './rest-fault.ts';
import { isForum } from './shapes.ts';
import { channelAt, guildOf, messageAt, messagesIn, userOf } from './world.ts';

/** Refuses to write: no text channel, closed direct messages, missing permissions, a locked thread, AutoMod, slow mode. */
const checkSend = ({ world }: Request, channel: Channel, content: string, files: number): void => {
  if (isForum(channel) || channel.type === ChannelType.GuildCategory) throw refused(50008);
  const person = channel.recipients.find((id) => id !== world.app.id);
  if (channel.type === ChannelType.DM && person !== undefined && userOf(world, person).dmsClosed) throw refused(50007);
  const { thread } = channel;
  if (thread?.locked === true && thread.archived && !may(world, channel, world.app.id, P.ManageThreads)) throw refused(160005);
  need(world, channel, world.app.id, P.SendMessages);
  if (files > 0) need(world, channel, world.app.id, P.AttachFiles);
  checkAutoMod(world, channel, content);
  const slow = channel.slowmodeSeconds;
  const free = [P.ManageMessages, P.ManageChannels, P.BypassSlowmode].some((bit) => may(world, channel, world.app.id, bit));
  const last = messagesIn(world, channel.id).findLast((one) => one.author === world.app.id);
  if (slow > 0 && !free && last !== undefined && world.clock.now() - last.at < slow * 1000) {
    const left = slow - (world.clock.now() - last.at) / 1000;
    throw new RestFault(
      429,
      20016,
      'This action cannot be performed due to slowmode rate limit.',
      { retry_after: left, global: false },
      {
        'retry-after': String(Math.ceil(left)),
        'x-ratelimit-scope': 'shared',
      },
    );
  }
};

export const checkAutoMod = (world: Request['world'], channel: Channel, content: string): void => {
  const blocked = guildOf(world, channel.guild)?.blockedPhrases ?? [];
  if (blocked.some((phrase) => content.toLowerCase().includes(phrase.toLowerCase()))) throw refused(200000);
};

/** The message replied to; null where there is none, or it is gone and that is no fault. */
const replied = ({ world, body }: Request, channel: Channel): Message | null => {
  const given = isObject(body['message_reference']) ? body['message_reference'] : null;
  if (given === null || given['type'] === 1) return null;
  const id = textIn(given, 'message_id');
  const where = textIn(given, 'channel_id');
  const found = where !== '' && where !== channel.id ? null : messageAt(world, channel.id, id);
  if (found === null || found.onlyFor !== null) {
    if (given['fail_if_not_exists'] === false) return null;
    throw invalidForm({ at: 'message_reference', code: 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE', message: 'Unknown message' });
  }
  if (![0, 19, 20, 23].includes(found.type))
    throw invalidForm({
      at: 'message_reference',
      code: 'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE',
      message: 'Cannot reply to a system message',
    });
  if (channel.guild !== null && !may(world, channel, world.app.id, P.ReadMessageHistory)) throw refused(160002);
  return found;
};

const forwarded = ({ world, body }: Request): { readonly reference: Reference; readonly snapshots: readonly Json[] } | null => {
  const given = isObject(body['message_reference']) && body['message_reference']['type'] === 1 ? body['message_reference'] : null;
  if (given === null) return null;
  const source = channelAt(world, textIn(given, 'channel_id'));
  const found = source === null ? null : messageAt(world, source.id, textIn(given, 'message_id'));
  if (source === null || found === null || !may(world, source, world.app.id, P.ViewChannel)) throw refused(10008);
  const shape = shapeFor(world, found, world.app.messageContent);
  if (shape['content'] === '' && found.content !== '') throw refused(160014);
  return { reference: { type: 1, message: found.id, channel: source.id, guild: source.guild }, snapshots: [snapshotOf(shape)] };
};

const SNAPSHOT = 'type content embeds attachments timestamp edited_timestamp flags mentions mention_roles sticker_items components'.split(
  ' ',
);
/** What of a message goes with it when it is forwarded. */
export const snapshotOf = (shape: Json): Json => Object.fromEntries(Object.entries(shape).filter(([name]) => SNAPSHOT.includes(name)));

/** Flags that whoever writes may set. */
const FLAGS = F.SuppressEmbeds | F.SuppressNotifications | F.IsComponentsV2 | F.IsVoiceMessage;

/** Writes a message of the bot's; also the first one of a forum's post. */
export const createMessage = (request: Request, channel: Channel, id?: string): Message => {
  const { world, body, posting } = request;
  const form = readMessageForm(world, { body, files: request.files, channel });
  const forward = forwarded(request);
  const stickers = Array.isArray(body['sticker_ids']) ? body['sticker_ids'].length : 0;
  if (forward === null && isEmpty(form, form.newFiles.length, stickers)) throw refused(50006);
  checkSend(request, channel, form.content ?? '', form.newFiles.length);
  const nonce = typeof body['nonce'] === 'string' || typeof body['nonce'] === 'number' ? body['nonce'] : null;
  if (body['enforce_nonce'] === true && nonce !== null) {
    const same = [...world.messages.values()].findLast(
      (one) =>
        one.author === world.app.id &&
        one.nonce === nonce &&
        one.channel === channel.id &&
        world.clock.now() - one.at < world.settings.nonceMs,
    );
    if (same !== undefined) return same;
  }
  const target = replied(request, channel);
  const allowed = readAllowed(body) ?? defaultAllowed(false);
  const mentions = withReply(allowedOf(world, form.content ?? '', { author: world.app.id, channel, allowed }), target, allowed.repliedUser);
  return posting.post({
    channel,
    author: world.app.id,
    content: form.content ?? '',
    attachments: form.newFiles,
    embeds: may(world, channel, world.app.id, P.EmbedLinks) || channel.guild === null ? (form.embeds ?? []) : [],
    components: form.components ?? [],
    flags: (form.flags ?? 0) & FLAGS,
    poll: form.poll,
    nonce,
    mentions,
    reference: target === null ? (forward?.reference ?? null) : { type: 0, message: target.id, channel: channel.id, guild: channel.guild },
    snapshots: forward?.snapshots ?? [],
    repliedUser: target !== null && allowed.repliedUser ? target.author : null,
    ...(id === undefined ? {} : { id }),
  });
};

/** Applies an edit, whoever may make it: the bot's own, a webhook's or an interaction's. */
export const applyEdit = (request: Request, channel: Channel, message: Message, usersOnly: boolean): Message => {
  const { world, body, posting } = request;
  const flags = body['flags'] === undefined ? message.flags : numberIn(body, 'flags');
  const layout = message.flags & F.IsComponentsV2;
  if (layout !== 0 && body['flags'] !== undefined && (flags & F.IsComponentsV2) === 0)
    throw invalidForm({
      at: 'flags',
      code: 'MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG',
      message: 'The IS_COMPONENTS_V2 flag cannot be removed',
    });
  const form = readMessageForm(world, {
    body: { ...body, ...(layout === 0 ? {} : { flags: flags | layout }) },
    files: request.files,
    channel,
    ephemeral: message.onlyFor !== null,
  });
  if ((flags & F.IsComponentsV2) !== 0 && layout === 0 && message.content !== '' && form.content === null)
    throw invalidForm({ at: 'content', code: 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', message: 'content must be null' });
  const attachments = attachmentsAfter(message.attachments, form);
  const content = form.content ?? message.content;
  const after = {
    content,
    embeds: form.embeds ?? message.embeds,
    components: form.components ?? message.components,
    poll: message.poll,
    flags,
  };
  if (isEmpty(after, attachments.length, message.stickers.length)) throw refused(50006);
  checkAutoMod(world, channel, content);
  // Where an edit says nothing of mentions, the text is read anew by the defaults, whatever held when it was written.
  const allowed = readAllowed(body) ?? defaultAllowed(usersOnly);
  const target = message.reference?.type === 0 ? messageAt(world, message.reference.channel, message.reference.message) : null;
  const parsed = allowedOf(world, content, { author: message.author, channel, allowed });
  posting.change(message, true, () => {
    message.content = content;
    message.embeds = [...after.embeds];
    message.components = [...after.components];
    message.attachments = [...attachments];
    const settable = F.SuppressEmbeds | F.IsComponentsV2;
    message.flags = (message.flags & ~settable) | (flags & settable);
    message.mentions = withReply(parsed, target, message.repliedUser !== null && allowed.repliedUser);
    message.editMentions.push(parsed);
  });
  return message;
};
