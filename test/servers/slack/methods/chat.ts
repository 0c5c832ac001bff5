/** `chat.postMessage`, `chat.update`, `chat.delete`, `chat.postEphemeral`. */
import type { Args } from '../args.ts';
import { checkBlocks } from '../blocks.ts';
import { botOf, channelToWrite, channelOf, ownMessage, threadOf } from '../call.ts';
import type { Call, Handler } from '../call.ts';
import { ApiFault, invalid } from '../fault.ts';
import type { Json, Message } from '../model.ts';
import { unfurlLater } from '../posting.ts';
import { messageShape } from '../shapes.ts';

type Content = {
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly attachments: readonly Json[];
  readonly warnings: readonly string[];
};

/** Text that neither a limit nor an error stops is what Slack reads as a token: a mention, a group, a broadcast. */
export const contentOf = (args: Args, purpose: 'post' | 'update'): Content => {
  const text = args.text('text');
  const markdown = args.text('markdown_text');
  const blocks = args.list('blocks', 'invalid_blocks_format');
  const attachments = args.list('attachments', 'invalid_attachments');
  if (markdown !== null && (text !== null || blocks !== null)) throw new ApiFault('markdown_text_conflict');
  if (markdown !== null && markdown.length > 12_000) throw new ApiFault('msg_too_long');
  if (
    text === null &&
    markdown === null &&
    (blocks?.length ?? 0) === 0 &&
    (attachments?.length ?? 0) === 0 &&
    args.text('file_ids') === null
  )
    throw new ApiFault('no_text');
  if (blocks !== null) checkBlocks(blocks, 'message');
  // Measured by others in bytes, although documented in characters: the smaller of the two is safe.
  if (purpose === 'update' && text !== null && Buffer.byteLength(text) > 4000) throw new ApiFault('msg_too_long');
  const cut = purpose === 'post' && text !== null && text.length > 40_000;
  return {
    text: cut ? text.slice(0, 40_000) : (text ?? markdown ?? ''),
    blocks: blocks ?? (markdown === null ? [] : [{ type: 'markdown', text: markdown }]),
    attachments: attachments ?? [],
    warnings: cut ? ['message_truncated'] : [],
  };
};

const metadataOf = (args: Args): Json | null => {
  const metadata = args.object('metadata', 'invalid_metadata_format');
  if (metadata === null) return null;
  if (typeof metadata['event_type'] !== 'string' || typeof metadata['event_payload'] !== 'object' || metadata['event_payload'] === null)
    throw new ApiFault('invalid_metadata_format');
  // Too much metadata is dropped without an error.
  return JSON.stringify(metadata).length > 16_000 ? null : metadata;
};

const warned = (content: Content): Json =>
  content.warnings.length === 0 ? {} : { warning: content.warnings.join(','), response_metadata: { warnings: content.warnings } };

const asBot = (call: Call): Pick<Message, 'user' | 'team' | 'bot'> => {
  const { botUser, botId } = botOf(call);
  return { user: botUser, team: call.team, bot: { botId, appId: call.world.app.id } };
};

export const postMessage: Handler = (call) => {
  const channel = channelToWrite(call);
  // One a second per channel, with a short burst, and a ceiling for the workspace.
  if (call.world.settings.rateLimits) {
    call.world.limits.take(`post ${channel.id} burst`, 4, 4000);
    call.world.limits.take(`post ${call.team}`, 300, 60_000);
  }
  const content = contentOf(call.args, 'post');
  const threadTs = threadOf(call, channel, 'invalid_thread_ts');
  const message = call.posting.post({
    ...asBot(call),
    channel: channel.id,
    text: content.text,
    blocks: content.blocks,
    attachments: content.attachments,
    threadTs,
    broadcast: threadTs !== null && call.args.flag('reply_broadcast', false),
    username: call.args.text('username'),
    metadata: metadataOf(call.args),
  });
  // The documented defaults differ between pages; the careful reading is that only `false` keeps previews away.
  unfurlLater(call.world, call.posting, message, {
    links: call.args.flag('unfurl_links', true),
    media: call.args.flag('unfurl_media', true),
  });
  return { channel: channel.id, ts: message.ts, message: messageShape(call.world, message, true), ...warned(content) };
};

export const update: Handler = (call) => {
  const channel = channelOf(call);
  const message = ownMessage(call, channel, 'cant_update_message');
  if (message.stream?.state === 'streaming') throw new ApiFault('streaming_state_conflict');
  const content = contentOf(call.args, 'update');
  const blocksGiven = call.args.all['blocks'] !== undefined || call.args.text('markdown_text') !== null;
  const metadata = metadataOf(call.args);
  call.posting.edit(message, () => {
    message.text = content.text;
    // Text alone replaces the blocks as well.
    message.blocks = blocksGiven ? content.blocks : [];
    message.attachments = content.attachments;
    message.stream = null;
    if (metadata !== null) message.metadata = metadata;
    message.edited = { user: message.user, ts: call.world.newTs() };
  });
  return { channel: channel.id, ts: message.ts, text: message.text, message: messageShape(call.world, message, true) };
};

export const remove: Handler = (call) => {
  const channel = channelOf(call);
  const message = ownMessage(call, channel, 'cant_delete_message');
  call.posting.remove(message);
  return { channel: channel.id, ts: message.ts };
};

export const postEphemeral: Handler = (call) => {
  const channel = channelToWrite(call);
  const user = call.args.need('user', 'user_not_in_channel');
  if (!channel.members.has(user)) throw new ApiFault('user_not_in_channel');
  const content = contentOf(call.args, 'post');
  const ts = call.world.newTs();
  call.world.ephemerals.push({
    channel: channel.id,
    ts,
    user,
    threadTs: threadOf(call, channel, 'invalid_thread_ts'),
    text: content.text,
    blocks: content.blocks,
    by: 'app',
    deleted: false,
  });
  return { message_ts: ts, ...warned(content) };
};

export const getPermalink: Handler = (call) => {
  const channel = channelOf(call);
  const ts = call.args.need('message_ts', 'message_not_found');
  if (!call.world.messages.some((one) => one.channel === channel.id && one.ts === ts)) throw new ApiFault('message_not_found');
  return { channel: channel.id, permalink: `${call.world.baseUrl}/archives/${channel.id}/p${ts.replace('.', '')}` };
};

/** `blocks.validate` takes blocks without a token. */
export const validateBlocks: Handler = (call) => {
  const blocks = call.args.list('blocks', 'invalid_blocks_format');
  if (blocks === null) throw invalid('invalid_arguments', 'missing required field: blocks');
  checkBlocks(blocks, 'message');
  return {};
};
