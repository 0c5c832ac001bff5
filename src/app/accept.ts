/**
 * The way in for everything: authorise, decide what it is, make it durable, wake the queue. When `accept` has resolved with ok,
 * the platform may be acknowledged: nothing will be lost.
 */
import { readIntent } from '../core/addressing.ts';
import type { Action, CommandPlan } from '../core/command.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { authorise } from '../core/gate.ts';
import type { Rules } from '../core/gate.ts';
import { conversationIdOf, turnId } from '../core/ids.ts';
import type { ConversationId } from '../core/ids.ts';
import type { MailboxItem, Person, StoredFile } from '../core/message.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { tableFacts } from '../core/table.ts';
import { distinctFileNames, safeFileName } from '../core/snapshot.ts';
import { commandNames, commandOf } from '../commands/index.ts';
import type { Accepted, Gateway, Incoming, IncomingOf } from '../ports/adapter.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { ConversationStore } from '../ports/conversation-store.ts';
import type { EventStream } from '../ports/event-stream.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { TurnQueue } from '../ports/turn-queue.ts';
import { admit } from './admit.ts';
import type { AdmitDeps } from './admit.ts';
import { subjectOf } from './subject.ts';
import type { CalledCommand } from './subject.ts';
import { commandView } from '../turn/command-view.ts';
import type { ViewDeps } from '../turn/command-view.ts';

export type AcceptDeps = ViewDeps &
  AdmitDeps & {
    readonly store: ConversationStore;
    readonly blobs: BlobStore;
    readonly queue: TurnQueue;
    readonly events: EventStream;
    readonly log: Log;
    readonly metrics: Metrics;
    readonly rules: Rules;
    readonly limits: Gateway['limits'];
  };

/** What somebody says or calls. */
type Said = IncomingOf<'message' | 'command'>;

/** More messages than this may not wait in one conversation. */
const MAILBOX_CAP = 20;

export const createAccept =
  (deps: AcceptDeps): Gateway['accept'] =>
  async (incoming) => {
    const accepted = await route(deps, incoming);
    deps.metrics.count('hektor_messages_total', {
      platform: incoming.address.platform,
      outcome: accepted.ok ? (accepted.value.duplicate ? 'duplicate' : 'accepted') : accepted.failure.code,
    });
    return accepted;
  };

const route = async (deps: AcceptDeps, incoming: Incoming): Promise<Result<Accepted, Failure>> => {
  const conversation = conversationIdOf(incoming.address);
  if (incoming.kind === 'edit' || incoming.kind === 'delete') return ok({ conversation, duplicate: false, answer: null });
  if (incoming.kind === 'command') return command(deps, conversation, incoming, incoming.name, incoming.args);
  const tooMuch = overLimits(deps.limits, incoming);
  if (tooMuch !== undefined) return err(tooMuch);
  if (incoming.text.trim() === '' && incoming.files.length > 0) return enqueue(deps, conversation, incoming, 'Here are files.', null);
  const intent = readIntent(incoming.text, commandNames);
  if (!intent.ok) return intent;
  switch (intent.value.kind) {
    case 'ask':
      return enqueue(deps, conversation, incoming, intent.value.text, null);
    case 'run':
      return enqueue(deps, conversation, incoming, incoming.text, intent.value.code);
    case 'command':
      return command(deps, conversation, incoming, intent.value.name, intent.value.args);
    default:
      return intent.value satisfies never;
  }
};

const overLimits = (limits: Gateway['limits'], incoming: IncomingOf<'message'>): Failure | undefined => {
  if (incoming.text.length > limits.textChars)
    return failure('message-too-long', { length: incoming.text.length, limit: limits.textChars });
  if (incoming.files.length > limits.files) return failure('too-many-files', { limit: limits.files });
  const large = incoming.files.find((file) => file.bytes.byteLength > limits.fileBytes);
  return large === undefined ? undefined : failure('file-too-large', { name: safeFileName(large.name), limit: limits.fileBytes });
};

/** A question, or code to run where `code` is given. */
const enqueue = async (
  deps: AcceptDeps,
  conversation: ConversationId,
  incoming: IncomingOf<'message'>,
  text: string,
  code: string | null,
): Promise<Result<Accepted, Failure>> => {
  const allowed = await ask(deps, conversation, incoming, code === null ? 'talk' : 'run-code');
  if (!allowed.ok) return allowed;
  const admitted = await admit(deps, conversation, { kind: code === null ? 'ask' : 'run', key: incoming.key, author: incoming.author });
  if (!admitted.ok) return admitted;
  const files = await storeFiles(deps, conversation, incoming);
  if (!files.ok) return files;
  const base = { key: incoming.key, at: deps.clock.now(), author: incoming.author, origin: incoming.origin, text, files: files.value };
  return ingest(deps, conversation, code === null ? { kind: 'ask', ...base, earlier: incoming.earlier } : { kind: 'run', ...base, code });
};

const storeFiles = async (
  deps: AcceptDeps,
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

const ingest = async (deps: AcceptDeps, conversation: ConversationId, item: MailboxItem): Promise<Result<Accepted, Failure>> => {
  const ingested = await deps.store.ingest(conversation, item, MAILBOX_CAP);
  if (!ingested.ok) return ingested;
  if (ingested.value === 'full') return err(failure('mailbox-full', { limit: MAILBOX_CAP }));
  // Also for a duplicate: the first delivery may have died between the mailbox and the queue.
  const woken = await deps.queue.wake(conversation);
  // It is in the mailbox, so it will be answered: the sweeper wakes what could not be woken now.
  if (!woken.ok) deps.log.warn({ conversation, detail: woken.failure.detail }, 'a conversation could not be woken; the sweeper will');
  return ok({ conversation, duplicate: ingested.value === 'duplicate', answer: null });
};

const command = async (
  deps: AcceptDeps,
  conversation: ConversationId,
  incoming: Said,
  name: string,
  args: string,
): Promise<Result<Accepted, Failure>> => {
  const found = commandOf(name);
  if (found === undefined) return err(failure('command-unknown', { name }));
  const allowed = await ask(deps, conversation, incoming, found.action, { name, args });
  if (!allowed.ok) return allowed;
  const item: MailboxItem = {
    kind: 'command',
    key: incoming.key,
    at: deps.clock.now(),
    author: incoming.author,
    origin: incoming.origin,
    name,
    args,
  };
  if (found.when === 'in-turn') return ingest(deps, conversation, item);
  const session = await deps.store.session(conversation);
  if (!session.ok) return session;
  const mailbox = await deps.store.mailbox(conversation);
  if (!mailbox.ok) return mailbox;
  const view = commandView(deps, { conversation, session: session.value, author: incoming.author, busy: mailbox.value.length > 0 });
  const plan = await found.run({ args, item, turn: turnId(deps.clock.newId()), now: item.at, files: [] }, view);
  return plan.ok ? act(deps, conversation, incoming, plan.value) : plan;
};

/** A command that is done at once: what it wants stopped or erased, its words, and perhaps an item that it stands for (`ask`, `py`, `retry`). */
const act = async (
  deps: AcceptDeps,
  conversation: ConversationId,
  incoming: Said,
  plan: CommandPlan,
): Promise<Result<Accepted, Failure>> => {
  if (plan.stop === true) {
    const requested = await deps.store.requestStop(conversation, incoming.author);
    if (!requested.ok) return requested;
  }
  if (plan.erase === true) {
    const erased = await erase(deps, conversation, incoming.author);
    if (!erased.ok) return erased;
  }
  const answer =
    plan.text === '' && plan.files === undefined ? null : { text: plan.text, private: plan.private === true, files: plan.files ?? [] };
  if (plan.send === undefined) return ok({ conversation, duplicate: false, answer });
  const admitted = await admit(deps, conversation, plan.send);
  if (!admitted.ok) return admitted;
  const ingested = await ingest(deps, conversation, plan.send);
  return ingested.ok ? ok({ ...ingested.value, answer }) : ingested;
};

/** The one path by which a conversation is erased: the running turn is stopped and loses its claim, then every store forgets. */
const erase = async (deps: AcceptDeps, conversation: ConversationId, by: Person): Promise<Result<void, Failure>> => {
  const stopped = await deps.store.requestStop(conversation, by);
  if (!stopped.ok) return stopped;
  for (const forget of [deps.store.erase, deps.blobs.erase, deps.events.erase]) {
    const forgotten = await forget(conversation);
    if (!forgotten.ok) return forgotten;
  }
  return ok(undefined);
};

const ask = async (
  deps: AcceptDeps,
  conversation: ConversationId,
  incoming: Said,
  action: Action,
  call: CalledCommand | null = null,
): Promise<Result<void, Failure>> => {
  const [subject, session] = await Promise.all([
    subjectOf(deps.store, conversation, call, incoming.author),
    deps.store.session(conversation),
  ]);
  if (!session.ok) return session;
  if (!subject.ok) return subject;
  return authorise({ action, person: incoming.author, owner: session.value?.owner ?? null, subject: subject.value }, deps.rules);
};
