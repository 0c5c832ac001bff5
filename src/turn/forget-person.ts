/** Erases one person's part of a thread: what they wrote, the files they sent, and what was answered to them alone. */
import type { Entry, Session } from '../core/conversation.ts';
import type { Failure } from '../core/failure.ts';
import type { BlobId, ConversationId } from '../core/ids.ts';
import { snapshotId } from '../core/ids.ts';
import type { Person } from '../core/message.ts';
import { turnsOf, withoutPerson } from '../core/redact.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { withoutFiles } from '../core/snapshot.ts';
import { readManifest } from './attach-files.ts';
import { blobsBehind } from './blobs-behind.ts';
import { allEntries } from './command-view.ts';
import type { TurnDeps } from './deps.ts';

type Deps = Pick<TurnDeps, 'store' | 'blobs' | 'events'>;

/** Resolves with the session as it is to be committed. Nothing else of the conversation runs meanwhile; a repeated call finds less to do. */
export const forgetPerson = async (
  deps: Deps,
  conversation: ConversationId,
  session: Session,
  person: Person,
): Promise<Result<Session, Failure>> => {
  const before = await allEntries(deps, conversation);
  if (!before.ok) return before;
  const sent = filesOf(before.value, person);
  const redacted = await deps.store.redact(conversation, withoutPerson(person, turnsOf(before.value, person)));
  if (!redacted.ok) return redacted;
  const head = await headWithout(deps, conversation, session, sent);
  if (!head.ok) return head;
  // A title of its own was made from the first question, which may have been theirs.
  const next: Session = { ...session, head: head.value, title: '' };
  const after = await allEntries(deps, conversation);
  if (!after.ok) return after;
  const mailbox = await deps.store.mailbox(conversation);
  if (!mailbox.ok) return mailbox;
  const needed = await blobsBehind(deps.blobs, conversation, after.value, next, sent);
  if (!needed.ok) return needed;
  const waiting = mailbox.value.flatMap((item) => (item.kind === 'ask' || item.kind === 'run' ? item.files.map((file) => file.blob) : []));
  const kept = await deps.blobs.keepOnly(conversation, new Set([...needed.value, ...waiting]), 0);
  if (!kept.ok) return kept;
  const shown = await deps.events.erase(conversation);
  return shown.ok ? ok(next) : shown;
};

const filesOf = (entries: readonly Entry[], person: Person): ReadonlySet<BlobId> =>
  new Set(entries.flatMap((entry) => (entry.kind === 'said' && entry.author.id === person.id ? entry.files.map((file) => file.blob) : [])));

/** The state without the files that the person sent; as it is where it holds none of them, or cannot be read. */
const headWithout = async (
  deps: Deps,
  conversation: ConversationId,
  session: Session,
  sent: ReadonlySet<BlobId>,
): Promise<Result<Session['head'], Failure>> => {
  const manifest = await readManifest(deps.blobs, conversation, session.head);
  if (!manifest.ok) return manifest.failure.code === 'snapshot-lost' ? ok(session.head) : manifest;
  const next = withoutFiles(manifest.value, sent);
  if (next === manifest.value) return ok(session.head);
  const head = await deps.blobs.put(conversation, Buffer.from(JSON.stringify(next)));
  return head.ok ? ok(snapshotId(head.value)) : head;
};
