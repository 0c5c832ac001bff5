/**
 * Edits and deletions of messages. What waits is changed in the mailbox; a turn that had begun on it is taken back as a whole; what is stored
 * is rewritten. Each step may be repeated, so an event that is delivered again, or after a crash, does no harm.
 */
import { readIntent } from '../core/addressing.ts';
import type { Entry, EntryOf } from '../core/conversation.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import type { ConversationId, EventKey } from '../core/ids.ts';
import type { ItemOf, MailboxItem } from '../core/message.ts';
import { isAbout, keyOfEdit, withoutMessage, withText } from '../core/redact.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { commandNames } from '../commands/index.ts';
import type { Accepted, Gateway, IncomingOf } from '../ports/adapter.ts';
import { wake } from './enqueue.ts';
import type { EnqueueDeps } from './enqueue.ts';
import { askGate } from './gatekeeper.ts';

type Deps = EnqueueDeps & { readonly limits: Gateway['limits'] };
type Edit = IncomingOf<'edit'>;
/** Takes a message in, as if it had just been sent. */
type Send = (message: IncomingOf<'message'>) => Promise<Result<Accepted, Failure>>;

/** Newer entries than this are looked through for the last question. */
const LOOKED_THROUGH = 200;

export const deleteMessage = async (deps: Deps, conversation: ConversationId, key: EventKey): Promise<Result<Accepted, Failure>> => {
  const known = await deps.store.knows(conversation);
  if (!known.ok || !known.value) return known.ok ? nothing(conversation) : known;
  const mailbox = await deps.store.mailbox(conversation);
  if (!mailbox.ok) return mailbox;
  for (const item of mailbox.value.filter((one) => isAbout(key, one.key))) {
    const withdrawn = await deps.store.withdraw(conversation, item.key, null);
    if (!withdrawn.ok) return withdrawn;
    await wake(deps, conversation);
  }
  const redacted = await deps.store.redact(conversation, withoutMessage(key, 'deleted'));
  return redacted.ok ? nothing(conversation) : redacted;
};

export const editMessage = async (deps: Deps, conversation: ConversationId, edit: Edit, send: Send): Promise<Result<Accepted, Failure>> => {
  const known = await deps.store.knows(conversation);
  if (!known.ok || !known.value) return known.ok ? nothing(conversation) : known;
  if (edit.text.length > deps.limits.textChars)
    return err(failure('message-too-long', { length: edit.text.length, limit: deps.limits.textChars }));
  const mailbox = await deps.store.mailbox(conversation);
  if (!mailbox.ok) return mailbox;
  const waiting = mailbox.value.find((item): item is ItemOf<'ask' | 'run'> => isMessage(item) && isAbout(edit.key, item.key));
  if (waiting !== undefined) {
    const changed = await changeWaiting(deps, conversation, edit, waiting, send);
    if (changed !== 'committed') return changed;
  }
  return changeStored(deps, conversation, edit, mailbox.value.length === (waiting === undefined ? 0 : 1), send);
};

const isMessage = (item: MailboxItem): boolean => item.kind === 'ask' || item.kind === 'run';

/** `committed`: its turn ended meanwhile, so it is to be looked for among the entries. */
const changeWaiting = async (
  deps: Deps,
  conversation: ConversationId,
  edit: Edit,
  item: ItemOf<'ask' | 'run'>,
  send: Send,
): Promise<Result<Accepted, Failure> | 'committed'> => {
  const intent = readIntent(edit.text, commandNames);
  const text = wordsOf(edit.text);
  // A message that is nothing but files has no words to change.
  if (!intent.ok || text === item.text) return nothing(conversation);
  const { kind } = intent.value;
  const allowed = await askGate(deps, conversation, edit, kind === 'run' ? 'run-code' : 'talk');
  if (!allowed.ok) return allowed;
  const replacement = kind === 'command' ? null : toItem(item, text, kind === 'run' ? intent.value.code : null);
  const withdrawn = await deps.store.withdraw(conversation, item.key, replacement);
  if (!withdrawn.ok) return withdrawn;
  if (withdrawn.value === 'absent') return 'committed';
  await wake(deps, conversation);
  return replacement === null ? send(asMessage(edit)) : nothing(conversation);
};

const toItem = (item: ItemOf<'ask' | 'run'>, text: string, code: string | null): MailboxItem => {
  const { key, at, author, origin, files } = item;
  const base = { key, at, author, origin, files, text };
  return code === null ? { kind: 'ask', ...base, earlier: item.kind === 'ask' ? item.earlier : [] } : { kind: 'run', ...base, code };
};

/** `idle`: nothing else waits. Only then can the message be the last word, and be answered anew. */
const changeStored = async (
  deps: Deps,
  conversation: ConversationId,
  edit: Edit,
  idle: boolean,
  send: Send,
): Promise<Result<Accepted, Failure>> => {
  const page = await deps.store.entries(conversation, -LOOKED_THROUGH, LOOKED_THROUGH);
  if (!page.ok) return page;
  const last = lastWord(page.value.entries);
  const again = keyOfEdit(edit.key, edit.version);
  const repeated = page.value.entries.some((entry) => entry.kind === 'said' && entry.key === again);
  if (repeated || (last?.kind === 'said' && isAbout(edit.key, last.key) && last.text === wordsOf(edit.text))) return nothing(conversation);
  if (!idle || last === undefined || !isAbout(edit.key, last.key)) {
    const redacted = await deps.store.redact(conversation, withText(edit.key, wordsOf(edit.text)));
    return redacted.ok ? nothing(conversation) : redacted;
  }
  // After a crash between the two the edit comes again: what stands in the place of the old words is then the last, and is answered anew.
  const redacted = await deps.store.redact(conversation, withoutMessage(edit.key, 'replaced'));
  return redacted.ok ? send(asMessage(edit)) : redacted;
};

/** The newest message, whether its words still stand or were taken back. */
const lastWord = (entries: readonly Entry[]): EntryOf<'said' | 'redacted'> | undefined =>
  entries.findLast(
    (entry): entry is EntryOf<'said' | 'redacted'> => entry.kind === 'said' || (entry.kind === 'redacted' && entry.why === 'replaced'),
  );

/** The words as they are stored: of a question without what only made it one. */
const wordsOf = (text: string): string => {
  const intent = readIntent(text, commandNames);
  return intent.ok && intent.value.kind === 'ask' ? intent.value.text : text;
};

/** Its files are in the workspace already, perhaps changed since. */
const asMessage = ({ address, key, author, standing, text, version, origin }: Edit): IncomingOf<'message'> => ({
  kind: 'message',
  address,
  key: keyOfEdit(key, version),
  author,
  standing,
  text,
  files: [],
  earlier: [],
  origin,
});

const nothing = (conversation: ConversationId): Result<Accepted, Failure> => ok({ conversation, duplicate: false, answer: null });
