/** `chat.startStream`, `chat.appendStream`, `chat.stopStream`: streams with a state and a life of about five minutes. */
import { checkBlocks } from '../blocks.ts';
import { botOf, channelToWrite, channelOf, ownMessage, threadOf } from '../call.ts';
import type { Call, Handler, Parts } from '../call.ts';
import { ApiFault, invalid } from '../fault.ts';
import type { Json, Message, Stream } from '../model.ts';
import { messageShape } from '../shapes.ts';
import { addChunks, checkChunks, streamText } from '../stream-parts.ts';
import { sessionAt, setSession } from './agents.ts';

const chunksOf = (call: Call, needed: boolean): readonly Json[] => {
  const chunks = call.args.list('chunks', 'invalid_chunks') ?? [];
  const markdown = call.args.text('markdown_text');
  if (markdown !== null && markdown.length > 12_000) throw new ApiFault('msg_too_long');
  const all = markdown === null ? chunks : [{ type: 'markdown_text', text: markdown }, ...chunks];
  if (needed && all.length === 0) throw new ApiFault('no_text');
  checkChunks(all);
  return all;
};

/** Ends the stream of a message, as its age, a person or the app does. */
export const endStream = (
  { world, posting }: Pick<Parts, 'world' | 'posting'>,
  message: Message,
  state: Stream['state'],
  change = (): void => {},
): void => {
  const { stream } = message;
  if (stream === null) return;
  posting.edit(message, () => {
    change();
    stream.state = state;
    message.text = streamText(stream);
  });
  world.changed();
};

export const startStream: Handler = (call) => {
  const channel = channelToWrite(call);
  // Documented as optional; live workspaces refuse the call without it.
  if (call.args.text('thread_ts') === null) throw new ApiFault('invalid_thread_ts');
  const threadTs = threadOf(call, channel, 'invalid_thread_ts');
  const user = call.args.text('recipient_user_id');
  const team = call.args.text('recipient_team_id');
  if (channel.kind !== 'im' && user === null) throw new ApiFault('missing_recipient_user_id');
  if ((channel.kind !== 'im' || user !== null) && team === null) throw new ApiFault('missing_recipient_team_id');
  const person = user === null ? null : call.world.people.get(user);
  if (person === undefined) throw new ApiFault('user_not_found');
  if (person !== null && person.team !== team) throw new ApiFault('missing_recipient_team_id');
  const mode = call.args.text('task_display_mode') ?? 'timeline';
  if (!['timeline', 'plan', 'dense'].includes(mode)) throw invalid('invalid_arguments', 'task_display_mode must be timeline or plan');
  const chunks = chunksOf(call, false);
  const stream: Stream = { startedAt: call.world.clock.now(), state: 'streaming', mode, recipient: { user, team }, parts: [], calls: [] };
  addChunks(stream, chunks);
  const { botUser, botId } = botOf(call);
  const message = call.posting.post({
    channel: channel.id,
    user: botUser,
    team: call.team,
    bot: { botId, appId: call.world.app.id },
    text: '',
    threadTs,
    stream,
    username: call.args.text('username'),
  });
  if (threadTs !== null && call.world.app.agents) setSession(call, channel.id, threadTs, { status: 'processing' });
  call.world.clock.after(call.world.settings.streamMs, () => {
    if (stream.state === 'streaming') endStream(call, message, 'expired');
  });
  return { channel: channel.id, ts: message.ts };
};

/** The message of a stream that still goes on. */
const streaming = (call: Call): { readonly message: Message; readonly stream: Stream } => {
  const channel = channelOf(call);
  const message = ownMessage(call, channel, 'message_not_owned_by_app');
  const { stream } = message;
  if (stream?.state === 'stopped_by_user') throw new ApiFault('stopped_by_user');
  if (stream === null || stream.state !== 'streaming') throw new ApiFault('message_not_in_streaming_state');
  return { message, stream };
};

export const appendStream: Handler = (call) => {
  const { message, stream } = streaming(call);
  addChunks(stream, chunksOf(call, true));
  call.world.changed();
  return { channel: message.channel, ts: message.ts };
};

export const stopStream: Handler = (call) => {
  const { message, stream } = streaming(call);
  const chunks = chunksOf(call, false);
  const blocks = call.args.list('blocks', 'invalid_blocks_format') ?? [];
  checkBlocks(blocks, 'message');
  const metadata = call.args.object('metadata', 'invalid_metadata_format');
  const status = call.args.text('session_status') ?? 'active';
  if (!['active', 'processing', 'suspended', 'closed'].includes(status)) throw invalid('invalid_arguments', 'session_status');
  endStream(call, message, 'stopped', () => {
    if (chunks.length > 0) addChunks(stream, chunks);
    message.blocks = blocks;
    if (metadata !== null) message.metadata = metadata;
  });
  if (message.threadTs !== null && sessionAt(call.world, message.channel, message.threadTs) !== null)
    setSession(call, message.channel, message.threadTs, { status });
  return { channel: message.channel, ts: message.ts, message: messageShape(call.world, message, true) };
};
