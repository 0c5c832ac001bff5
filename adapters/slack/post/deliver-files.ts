/** The files of a post, after its text: all that Slack takes in one message, and a line about the others. */
import type { Failure } from '../../../src/core/failure.ts';
import type { BlobId, ConversationId } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { RunFile } from '../../../src/core/run.ts';
import type { Place } from '../api/api.ts';
import type { TextFile } from '../encode.ts';
import { slackLimits } from '../limits.ts';
import { once } from './once.ts';
import type { OnceDeps } from './once.ts';
import { findPosted } from './read-back.ts';
import { sendMessage } from './send.ts';
import { isShared, refusedFiles, shareFiles, uploadFile } from './upload.ts';
import type { FileToSend, Uploaded, UploadDeps } from './upload.ts';

export type FileDeps = OnceDeps &
  UploadDeps & { readonly blob: (conversation: ConversationId, id: BlobId) => Promise<Result<Uint8Array | null, Failure>> };

/** The files are part of the post `key`; they go out once. A file that cannot be sent is told of, and is no reason to fail. */
export const deliverFiles = async (
  deps: FileDeps,
  conversation: ConversationId,
  place: Place,
  key: string,
  files: readonly RunFile[],
  texts: readonly TextFile[],
): Promise<Result<void, Failure>> => {
  if (files.length + texts.length === 0) return ok(undefined);
  const name = `sent:${key}:files`;
  const before = await deps.notes.get(conversation, name);
  if (!before.ok) return before;
  if (before.value?.startsWith('ok:') === true) return ok(undefined);
  const problems: { readonly name: string; readonly problem: string }[] = [];
  const uploaded = await idsOf(deps, conversation, place, key, files, texts);
  if (!uploaded.ok) return uploaded;
  const ready = uploaded.value.flatMap((one) => ('id' in one ? [one] : []));
  problems.push(...uploaded.value.flatMap((one) => ('problem' in one ? [one] : [])));
  const shares = Array.from({ length: Math.ceil(ready.length / slackLimits.filesPerPost) }, (_, n) =>
    ready.slice(n * slackLimits.filesPerPost, (n + 1) * slackLimits.filesPerPost),
  );
  for (const [n, share] of shares.entries()) {
    const shared = await once(
      deps,
      conversation,
      `sent:${key}:share:${n}`,
      async () => {
        const done = await shareFiles(deps, place, share);
        return done.ok ? ok(done.value ?? '') : done;
      },
      async () => ((await isShared(deps, place, share[0]?.id ?? '')) === true ? ok('') : ok(null)),
    );
    if (!shared.ok) return shared;
    if (shared.value !== '') problems.push(...share.map((one) => ({ name: one.name, problem: shared.value })));
  }
  if (problems.length > 0) {
    const text = refusedFiles(problems);
    const mark = `${key}:refused`;
    const told = await once(
      deps,
      conversation,
      `sent:${mark}`,
      () => sendMessage(deps, place, { text, blocks: [] }, mark),
      (since) => findPosted(deps.api, place, mark, since),
    );
    if (!told.ok) return told;
  }
  await deps.notes.set(conversation, name, 'ok:');
  return ok(undefined);
};

/** Brings the bytes to Slack; the ids are noted, so that a second attempt shares the same files and not copies of them. */
const idsOf = async (
  deps: FileDeps,
  conversation: ConversationId,
  place: Place,
  key: string,
  files: readonly RunFile[],
  texts: readonly TextFile[],
): Promise<Result<readonly Uploaded[], Failure>> => {
  const out: Uploaded[] = [];
  for (const [n, file] of [...files, ...texts].entries()) {
    const note = `sent:${key}:file:${n}`;
    const known = await deps.notes.get(conversation, note);
    if (!known.ok) return known;
    if (known.value !== null) {
      out.push({ name: file.name, id: known.value });
      continue;
    }
    const content = await contentOf(deps, conversation, file);
    if (!content.ok) return content;
    const { value } = content;
    const sent: Result<Uploaded, Failure> =
      'problem' in value ? ok({ name: file.name, problem: value.problem }) : await uploadFile(deps, place, value);
    if (!sent.ok) return sent;
    if ('id' in sent.value) await deps.notes.set(conversation, note, sent.value.id);
    out.push(sent.value);
  }
  return ok(out);
};

const contentOf = async (
  deps: FileDeps,
  conversation: ConversationId,
  file: RunFile | TextFile,
): Promise<Result<FileToSend | { readonly problem: string }, Failure>> => {
  if ('content' in file) return ok({ name: file.name, bytes: new TextEncoder().encode(file.content), alt: '' });
  const bytes = await deps.blob(conversation, file.blob);
  if (!bytes.ok) return bytes;
  if (bytes.value === null) return ok({ problem: 'it is no longer stored' });
  if (bytes.value.byteLength > slackLimits.fileBytes) return ok({ problem: 'it is too large to be sent' });
  return ok({ name: file.name, bytes: bytes.value, alt: file.picture ? file.alt || `A plot: ${file.name}` : file.alt });
};
