/** The external upload flow and `files.info`; the bytes themselves go through file-transfer.ts. */
import { botOf, channelToWrite, threadOf } from '../call.ts';
import type { Call, Handler } from '../call.ts';
import { checkBlocks } from '../blocks.ts';
import { ApiFault, invalid } from '../fault.ts';
import type { SlackFile } from '../model.ts';
import { fileShape } from '../shapes.ts';
import { mimeOf } from '../../support/mime.ts';

export const getUploadUrl: Handler = (call) => {
  const filename = call.args.need('filename');
  const length = call.args.number('length', 0);
  // A file without a byte is refused.
  if (length <= 0) throw invalid('invalid_arguments', 'length: must be greater than 0');
  if (length > 1024 ** 3) throw new ApiFault('file_upload_size_restricted');
  if ((call.args.text('alt_txt') ?? '').length > 1000) throw new ApiFault('alt_txt_too_large');
  const file: SlackFile = {
    id: call.world.newId('F'),
    team: call.team,
    user: botOf(call).botUser,
    name: filename,
    title: filename,
    mimetype: mimeOf(filename),
    bytes: null,
    declaredLength: length,
    // The client library 8.2 calls it alt_text, the method's page alt_txt.
    altText: call.args.text('alt_txt') ?? call.args.text('alt_text') ?? '',
    snippetType: call.args.text('snippet_type'),
    mode: call.args.text('snippet_type') === null ? 'hosted' : 'snippet',
    download: 'bytes',
    checkFileInfo: false,
    channels: new Set(),
    createdAt: call.world.clock.now(),
    completed: false,
  };
  call.world.files.set(file.id, file);
  return { upload_url: `${call.world.baseUrl}/upload/v1/${file.id}`, file_id: file.id };
};

const uploaded = (call: Call, id: unknown): SlackFile => {
  const file = call.world.files.get(String(id));
  if (file === undefined || file.user !== botOf(call).botUser) throw new ApiFault('file_not_found');
  if (file.bytes === null) throw new ApiFault('file_not_found');
  if (file.completed) throw new ApiFault('file_already_completed');
  return file;
};

/** The message that shares the files comes later, when they are processed. */
export const completeUpload: Handler = (call) => {
  const given = call.args.list('files', 'invalid_arguments') ?? [];
  if (given.length === 0) throw invalid('invalid_arguments', 'missing required field: files');
  const to = call.args.text('channel_id');
  const files = given.map((one) => ({ file: uploaded(call, one['id']), title: one['title'] }));
  const channel =
    to === null
      ? null
      : channelToWrite({ ...call, args: { ...call.args, need: (name, fault) => (name === 'channel' ? to : call.args.need(name, fault)) } });
  const threadTs = channel === null ? null : threadOf(call, channel, 'invalid_thread_ts');
  const blocks = call.args.list('blocks', 'invalid_blocks_format');
  const comment = call.args.text('initial_comment') ?? '';
  if (blocks !== null && comment !== '') throw invalid('invalid_arguments', 'blocks and initial_comment exclude each other');
  if (blocks !== null) checkBlocks(blocks, 'message');
  for (const { file, title } of files) {
    file.completed = true;
    if (typeof title === 'string' && title !== '') file.title = title;
    if (channel !== null) file.channels.add(channel.id);
  }
  if (channel !== null) {
    const { botUser, botId } = botOf(call);
    call.world.clock.after(call.world.settings.fileShareDelayMs, () => {
      call.posting.post({
        channel: channel.id,
        user: botUser,
        team: call.team,
        bot: { botId, appId: call.world.app.id },
        subtype: 'file_share',
        text: comment,
        blocks: blocks ?? [],
        files: files.map(({ file }) => file.id),
        threadTs,
      });
    });
  }
  return { files: files.map(({ file }) => fileShape(call.world, file, true)) };
};

export const info: Handler = (call) => {
  const file = call.world.files.get(call.args.need('file', 'file_not_found'));
  if (file === undefined || file.download === 'gone') throw new ApiFault('file_not_found');
  return { file: fileShape(call.world, file, true), comments: [], response_metadata: { next_cursor: '' } };
};

export const remove: Handler = (call) => {
  const file = call.world.files.get(call.args.need('file', 'file_not_found'));
  if (file === undefined) throw new ApiFault('file_not_found');
  if (file.user !== botOf(call).botUser) throw new ApiFault('cant_delete_file');
  file.mode = 'tombstone';
  file.bytes = null;
  call.world.changed();
  return {};
};
