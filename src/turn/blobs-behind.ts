/** Which blobs a conversation still needs: for copying them (fork) and for throwing the others away. */
import type { Entry, Session } from '../core/conversation.ts';
import type { Failure } from '../core/failure.ts';
import type { BlobId, ConversationId, SnapshotId } from '../core/ids.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { blobsOf } from '../core/snapshot.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import { readManifest } from './attach-files.ts';
import type { TurnDeps } from './deps.ts';
import { HISTORY_ENTRIES } from './limits.ts';

/** States before and after this many of the newest runs stay: so far back can be undone. */
const UNDOABLE_RUNS = 50;
/** Blobs are looked through once in so many entries: it reads every state that stays. */
const COLLECT_EVERY = 40;
/** And after a pause as long as this: what is in use must be renewed long before it expires. */
const RENEW_AFTER_MS = 12 * 3_600_000;

/** Longer than any message takes from its files to the mailbox. */
const IDLE_MS = 10 * 60_000;

/** Every blob that these entries, the session and the states of the newest runs name; states that hold one of `without` are left out. */
export const blobsBehind = async (
  blobs: BlobStore,
  conversation: ConversationId,
  entries: readonly Entry[],
  session: Session,
  without: ReadonlySet<BlobId> = new Set(),
): Promise<Result<ReadonlySet<BlobId>, Failure>> => {
  const needed = new Set<BlobId>(entries.flatMap(filesOf));
  for (const state of statesOf(entries, session)) {
    const manifest = await readManifest(blobs, conversation, state);
    // A state that is gone already names nothing that could be kept; only an unreachable store is in the way.
    if (!manifest.ok && manifest.failure.code !== 'snapshot-lost') return manifest;
    if (!manifest.ok) continue;
    const named = [...blobsOf(manifest.value)];
    if (named.some((blob) => without.has(blob))) continue;
    needed.add(state);
    for (const blob of named) needed.add(blob);
  }
  return ok(needed);
};

const filesOf = (entry: Entry): readonly BlobId[] => {
  if (entry.kind === 'said' || entry.kind === 'answered') return entry.files.map((file) => file.blob);
  if (entry.kind === 'result') return [...(entry.kept === null ? [] : [entry.kept]), ...entry.files.map((file) => file.blob)];
  return entry.kind === 'ran' ? entry.run.files.map((file) => file.blob) : [];
};

const statesOf = (entries: readonly Entry[], session: Session): ReadonlySet<SnapshotId> => {
  const runs = entries.flatMap((entry) => (entry.kind === 'ran' ? [entry.run] : [])).slice(-UNDOABLE_RUNS);
  return new Set([session.head, ...runs.flatMap((run) => [run.before, run.after])].filter((state) => state !== null));
};

/**
 * Throws away what no entry and no state that can be undone to needs any more, and renews the rest. `total`: how many entries the
 * conversation has had before this turn; `added`: by it. A failure costs nothing but space.
 */
export const collectBlobs = async (
  deps: Pick<TurnDeps, 'store' | 'blobs' | 'log' | 'clock'>,
  conversation: ConversationId,
  session: Session,
  since: { readonly total: number; readonly added: number; readonly lastAt: number },
): Promise<void> => {
  const due = Math.floor((since.total + since.added) / COLLECT_EVERY) > Math.floor(since.total / COLLECT_EVERY);
  if (!due && deps.clock.now() - since.lastAt < RENEW_AFTER_MS) return;
  const page = await deps.store.entries(conversation, -HISTORY_ENTRIES, HISTORY_ENTRIES);
  if (!page.ok) return;
  const needed = await blobsBehind(deps.blobs, conversation, page.value.entries, session);
  // Files of messages that wait in the mailbox are not in the entries yet.
  const mailbox = await deps.store.mailbox(conversation);
  if (!needed.ok || !mailbox.ok) return;
  const waiting = mailbox.value.flatMap((item) =>
    item.kind === 'command' || item.kind === 'decision' ? [] : item.files.map((file) => file.blob),
  );
  if (waiting.length > 0) return;
  const removed = await deps.blobs.keepOnly(conversation, needed.value, IDLE_MS);
  deps.log.debug({ conversation, removed: removed.ok ? removed.value : removed.failure.code }, 'threw old blobs away');
};
