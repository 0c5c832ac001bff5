/** Makes a message durable: admitted, its files stored, in the mailbox, the queue woken. */
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import type { ConversationId } from '../core/ids.ts';
import type { MailboxItem, StoredFile } from '../core/message.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { distinctFileNames } from '../core/snapshot.ts';
import { tableFacts } from '../core/table.ts';
import type { Accepted, IncomingOf } from '../ports/adapter.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { ConversationStore } from '../ports/conversation-store.ts';
import type { Log } from '../ports/log.ts';
import type { TurnQueue } from '../ports/turn-queue.ts';
import { admit } from './admit.ts';
import type { AdmitDeps } from './admit.ts';
import { askGate } from './gatekeeper.ts';
import type { GateDeps } from './gatekeeper.ts';

export type EnqueueDeps = GateDeps &
  AdmitDeps & { readonly store: ConversationStore; readonly blobs: BlobStore; readonly queue: TurnQueue; readonly log: Log };

/** More messages than this may not wait in one conversation. */
const MAILBOX_CAP = 20;

/** A question, or code to run where `code` is given. */
export const enqueue = async (
  deps: EnqueueDeps,
  conversation: ConversationId,
  incoming: IncomingOf<'message'>,
  text: string,
  code: string | null,
): Promise<Result<Accepted, Failure>> => {
  const allowed = await askGate(deps, conversation, incoming, code === null ? 'talk' : 'run-code');
  if (!allowed.ok) return allowed;
  const admitted = await admit(deps, conversation, { kind: code === null ? 'ask' : 'run', key: incoming.key, author: incoming.author });
  if (!admitted.ok) return admitted;
  const files = await storeFiles(deps, conversation, incoming);
  if (!files.ok) return files;
  const base = { key: incoming.key, at: deps.clock.now(), author: incoming.author, origin: incoming.origin, text, files: files.value };
  return ingest(deps, conversation, code === null ? { kind: 'ask', ...base, earlier: incoming.earlier } : { kind: 'run', ...base, code });
};

const storeFiles = async (
  deps: EnqueueDeps,
  conversation: ConversationId,
  incoming: IncomingOf<'message'>,
): Promise<Result<readonly StoredFile[], Failure>> => {
  if (incoming.files.length === 0) return ok([]);
  const stored = await deps.blobs.putAll(
    conversation,
    incoming.files.map((file) => file.bytes),
  );
  if (!stored.ok) return stored;
  const names = distinctFileNames(incoming.files.map((file) => file.name));
  return ok(
    incoming.files.flatMap((file, index) => {
      const [name, blob] = [names[index], stored.value[index]];
      return name === undefined || blob === undefined
        ? []
        : [{ name, type: file.type, size: file.bytes.byteLength, blob, table: tableFacts(name, file.type, file.bytes) }];
    }),
  );
};

export const ingest = async (deps: EnqueueDeps, conversation: ConversationId, item: MailboxItem): Promise<Result<Accepted, Failure>> => {
  const ingested = await deps.store.ingest(conversation, item, MAILBOX_CAP);
  if (!ingested.ok) return ingested;
  if (ingested.value === 'full') return err(failure('mailbox-full', { limit: MAILBOX_CAP }));
  // Also for a duplicate: the first delivery may have died between the mailbox and the queue.
  await wake(deps, conversation);
  return ok({ conversation, duplicate: ingested.value === 'duplicate', answer: null });
};

/** What is to be done is stored already: the sweeper wakes what could not be woken now. */
export const wake = async (deps: Pick<EnqueueDeps, 'queue' | 'log'>, conversation: ConversationId): Promise<void> => {
  const woken = await deps.queue.wake(conversation);
  if (!woken.ok) deps.log.warn({ conversation, detail: woken.failure.detail }, 'a conversation could not be woken; the sweeper will');
};
