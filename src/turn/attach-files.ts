/** Uploaded files enter the workspace by a new snapshot: no container is needed, and the next run finds them. */
import type { Session } from '../core/conversation.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import type { ConversationId, SnapshotId } from '../core/ids.ts';
import { snapshotId } from '../core/ids.ts';
import type { StoredFile } from '../core/message.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { emptyManifest, manifestSchema, withFiles } from '../core/snapshot.ts';
import type { Manifest } from '../core/snapshot.ts';
import type { BlobStore } from '../ports/blob-store.ts';

/** The manifest of a snapshot; the empty one for null. A missing or damaged one is `snapshot-lost`. */
export const readManifest = async (
  blobs: BlobStore,
  conversation: ConversationId,
  snapshot: SnapshotId | null,
): Promise<Result<Manifest, Failure>> => {
  if (snapshot === null) return ok(emptyManifest);
  const bytes = await blobs.get(conversation, snapshot);
  if (!bytes.ok) return bytes;
  if (bytes.value === null) return err(failure('snapshot-lost', {}, `manifest ${snapshot} is missing`));
  try {
    const decoded = manifestSchema.safeParse(JSON.parse(Buffer.from(bytes.value).toString('utf8')));
    return decoded.success ? ok(decoded.data) : err(failure('snapshot-lost', {}, `manifest ${snapshot}: ${decoded.error.message}`));
  } catch (cause) {
    return err(failure('snapshot-lost', {}, `manifest ${snapshot} is not JSON`, cause));
  }
};

/** The session with these files in its workspace, the newest of one name winning. */
export const attachFiles = async (
  blobs: BlobStore,
  conversation: ConversationId,
  session: Session,
  files: readonly StoredFile[],
): Promise<Result<Session, Failure>> => {
  if (files.length === 0) return ok(session);
  const manifest = await readManifest(blobs, conversation, session.head);
  // A state that cannot be read is told of by the next run; the files are put into an empty workspace meanwhile.
  if (!manifest.ok && manifest.failure.code !== 'snapshot-lost') return manifest;
  const base = manifest.ok ? manifest.value : emptyManifest;
  const head = await blobs.put(conversation, Buffer.from(JSON.stringify(withFiles(base, files))));
  return head.ok ? ok({ ...session, head: snapshotId(head.value) }) : head;
};
