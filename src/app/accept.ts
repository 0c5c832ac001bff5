/**
 * The way in for everything: authorise, decide what it is, make it durable, wake the queue. When `accept` has resolved with ok,
 * the platform may be acknowledged: nothing will be lost.
 */
import { readIntent } from '../core/addressing.ts';
import type { CommandPlan } from '../core/command.ts';
import { kindOf } from '../core/command.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { addressOf, conversationIdOf, turnId } from '../core/ids.ts';
import type { ConversationId } from '../core/ids.ts';
import type { MailboxItem, Person } from '../core/message.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { safeFileName } from '../core/snapshot.ts';
import { commandNames, commandOf } from '../commands/index.ts';
import type { Accepted, Gateway, IncomingOf } from '../ports/adapter.ts';
import type { EventStream } from '../ports/event-stream.ts';
import type { Metrics } from '../ports/metrics.ts';
import { commandView } from '../turn/command-view.ts';
import type { ViewDeps } from '../turn/command-view.ts';
import { admit } from './admit.ts';
import { deleteMessage, editMessage } from './change-message.ts';
import { enqueue, ingest } from './enqueue.ts';
import type { EnqueueDeps } from './enqueue.ts';
import { eraseConversation } from './erase.ts';
import { askGate } from './gatekeeper.ts';

export type AcceptDeps = ViewDeps &
  EnqueueDeps & { readonly events: EventStream; readonly metrics: Metrics; readonly limits: Gateway['limits'] };

/** What somebody says or calls. */
type Said = IncomingOf<'message' | 'command'>;

export const createAccept =
  (deps: AcceptDeps): Gateway['accept'] =>
  async (incoming) => {
    const accepted = await acceptOne(deps, incoming);
    deps.metrics.count('hektor_messages_total', {
      platform: incoming.address.platform,
      outcome: accepted.ok ? (accepted.value.duplicate ? 'duplicate' : 'accepted') : accepted.failure.code,
    });
    return accepted;
  };

const acceptOne: (deps: AcceptDeps, ...incoming: Parameters<Gateway['accept']>) => Promise<Result<Accepted, Failure>> = async (
  deps,
  incoming,
) => {
  const conversation = conversationIdOf(incoming.address);
  switch (incoming.kind) {
    case 'message':
      return message(deps, conversation, incoming);
    case 'command':
      return command(deps, conversation, incoming, incoming.name, incoming.args);
    case 'edit':
      return editMessage(deps, conversation, incoming, (anew) => message(deps, conversation, anew));
    case 'delete':
      return deleteMessage(deps, conversation, incoming.key);
    default:
      return incoming satisfies never;
  }
};

const message = async (
  deps: AcceptDeps,
  conversation: ConversationId,
  incoming: IncomingOf<'message'>,
): Promise<Result<Accepted, Failure>> => {
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

const command = async (
  deps: AcceptDeps,
  conversation: ConversationId,
  incoming: Said,
  name: string,
  args: string,
): Promise<Result<Accepted, Failure>> => {
  const found = commandOf(name);
  if (found === undefined) return err(failure('command-unknown', { name }));
  const { action, when } = kindOf(found, args);
  const allowed = await askGate(deps, conversation, incoming, action, { name, args });
  if (!allowed.ok) return allowed;
  const { key, author, origin } = incoming;
  const item: MailboxItem = { kind: 'command', key, at: deps.clock.now(), author, origin, name, args };
  if (when === 'in-turn') return ingest(deps, conversation, item);
  const session = await deps.store.session(conversation);
  if (!session.ok) return session;
  const mailbox = await deps.store.mailbox(conversation);
  if (!mailbox.ok) return mailbox;
  const view = await commandView(deps, { conversation, session: session.value, author, busy: mailbox.value.length > 0 });
  if (!view.ok) return view;
  const plan = await found.run({ args, item, turn: turnId(deps.clock.newId()), now: item.at, files: [] }, view.value);
  return plan.ok ? act(deps, conversation, author, plan.value) : plan;
};

/** A command that is done at once: what it wants done, its words, and perhaps an item that it stands for (`ask`, `py`, `retry`). */
const act = async (
  deps: AcceptDeps,
  conversation: ConversationId,
  author: Person,
  plan: CommandPlan,
): Promise<Result<Accepted, Failure>> => {
  const done = await perform(deps, conversation, author, plan);
  if (!done.ok) return done;
  const answer =
    plan.text === '' && plan.files === undefined ? null : { text: plan.text, private: plan.private === true, files: plan.files ?? [] };
  if (plan.send === undefined) return ok({ conversation, duplicate: false, answer });
  const admitted = await admit(deps, conversation, plan.send);
  if (!admitted.ok) return admitted;
  const ingested = await ingest(deps, conversation, plan.send);
  return ingested.ok ? ok({ ...ingested.value, answer }) : ingested;
};

const perform = async (
  deps: AcceptDeps,
  conversation: ConversationId,
  author: Person,
  plan: CommandPlan,
): Promise<Result<void, Failure>> => {
  if (plan.stop === true) return deps.store.requestStop(conversation, author);
  if (plan.erase === true) return eraseConversation(deps, conversation, author);
  const address = addressOf(conversation);
  if (plan.settings !== undefined && address !== undefined) return deps.channels.set(address, plan.settings);
  if (plan.rating === undefined) return ok(undefined);
  const { verdict } = plan.rating;
  deps.metrics.count('hektor_feedback_total', { platform: address?.platform ?? '', verdict });
  return deps.store.rate(conversation, { at: deps.clock.now(), by: author, ...plan.rating });
};
