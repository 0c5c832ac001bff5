/** Files into a thread, by Slack's flow of three steps: ask for an address, send the bytes there, share them. */
import { z } from 'zod';
import { failure } from '../../../src/core/failure.ts';
import type { Failure } from '../../../src/core/failure.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Log } from '../../../src/ports/log.ts';
import { patience, refusal, replies } from '../api/api.ts';
import type { Api, Place } from '../api/api.ts';
import { escapeText, shortText } from '../encode/encode-text.ts';

export type FileToSend = { readonly name: string; readonly bytes: Uint8Array; readonly alt: string };
export type UploadDeps = { readonly api: Api; readonly log: Log };

/** A file at Slack, not shared yet; or why it will never be. */
export type Uploaded = { readonly name: string; readonly id: string } | { readonly name: string; readonly problem: string };

const UPLOAD_MS = 120_000;

/** Brings the bytes to Slack. A failure: for now; try again. A file that Slack will not take comes back with the reason, in words for people. */
export const uploadFile = async ({ api, log }: UploadDeps, place: Place, file: FileToSend): Promise<Result<Uploaded, Failure>> => {
  const { name } = file;
  if (file.bytes.byteLength === 0) return ok({ name, problem: 'it is empty' });
  const args = {
    filename: name,
    length: file.bytes.byteLength,
    ...(file.alt === '' ? {} : { alt_text: file.alt.slice(0, 1_000), alt_txt: file.alt.slice(0, 1_000) }),
  };
  const offered = await api.call('files.getUploadURLExternal', place, args, replies.uploadUrl, patience.answer);
  if (!offered.ok) {
    const refused = refusal(offered.failure);
    if (refused === null) return offered;
    log.warn({ refused }, 'Slack does not take a file');
    return ok({ name, problem: problemOf(refused) });
  }
  const sent = await sendBytes(offered.value.upload_url, file.bytes);
  if (!sent.ok) return sent;
  return ok({ name, id: offered.value.file_id });
};

/** Asking for an address and sending bytes show nobody anything, so both may be done again. */
const sendBytes = async (url: string, bytes: Uint8Array): Promise<Result<void, Failure>> => {
  try {
    // The address is the permission; no token goes with it, and nowhere else does it lead.
    const response = await fetch(url, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: { 'content-type': 'application/octet-stream' },
      redirect: 'error',
      signal: AbortSignal.timeout(UPLOAD_MS),
    });
    await response.body?.cancel();
    return response.ok ? ok(undefined) : err(failure('delivery-unknown', {}, `an upload ended with HTTP ${response.status}`));
  } catch (cause) {
    return err(failure('delivery-unknown', {}, cause instanceof Error ? cause.message : 'an upload failed', cause));
  }
};

const problemOf = (refused: string): string => {
  switch (refused) {
    case 'file_uploads_disabled':
    case 'file_uploads_except_images_disabled':
      return 'uploads are switched off in this workspace';
    case 'file_type_not_allowed':
    case 'blocked_file_type':
      return 'files of its type are not allowed here';
    case 'file_upload_size_restricted':
    case 'file_size_limit_exceeded':
      return 'it is too large for this workspace';
    case 'missing_scope':
      return 'I lack the permission to upload files (`files:write`)';
    case 'not_in_channel':
    case 'channel_not_found':
      return 'I am not a member of this channel';
    default:
      return 'Slack refused it';
  }
};

/**
 * Shares uploaded files as one message. Resolves with null, or with why Slack refused. The message itself comes later as an event, which the
 * inbound half knows for our own. `alt` was given with the upload, and the title is what people read.
 */
export const shareFiles = async (
  { api, log }: UploadDeps,
  place: Place,
  files: readonly { readonly id: string; readonly name: string }[],
): Promise<Result<string | null, Failure>> => {
  const args = {
    files: files.map(({ id, name }) => ({ id, title: shortText(name, 200) })),
    channel_id: place.channel,
    ...(place.thread === '' ? {} : { thread_ts: place.thread }),
  };
  const said = await api.call('files.completeUploadExternal', place, args, replies.done, patience.answer);
  if (said.ok) return ok(null);
  const refused = refusal(said.failure);
  if (refused === null) return said;
  log.warn({ refused }, 'Slack does not share a file');
  return ok(problemOf(refused));
};

const info = z.object({
  file: z.looseObject({
    shares: z
      .object({ public: z.record(z.string(), z.unknown()).optional(), private: z.record(z.string(), z.unknown()).optional() })
      .optional(),
  }),
});

/** Whether a file was shared into the channel already; null where that cannot be seen. */
export const isShared = async ({ api }: UploadDeps, place: Place, id: string): Promise<boolean | null> => {
  const said = await api.call('files.info', place, { file: id }, info, patience.short);
  if (!said.ok) return null;
  const { shares } = said.value.file;
  return place.channel in (shares?.public ?? {}) || place.channel in (shares?.private ?? {});
};

/** What people read of files that could not be sent. */
export const refusedFiles = (refused: readonly { readonly name: string; readonly problem: string }[]): string =>
  refused.map(({ name, problem }) => `_${escapeText(name).replaceAll('_', '\u2060_')}_ could not be sent: ${problem}.`).join('\n');
