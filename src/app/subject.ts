/** Whose work a command would touch: what the gate is told beside who asks. */
import { readApprovalId } from '../core/approval.ts';
import type { Entry } from '../core/conversation.ts';
import type { Failure } from '../core/failure.ts';
import type { ConversationId } from '../core/ids.ts';
import { countingRuns } from '../core/ledger.ts';
import type { Person } from '../core/message.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { ConversationStore } from '../ports/conversation-store.ts';

/** Runs further back than this are the owner's alone to undo. */
const LOOKED_THROUGH = 2_000;

export type CalledCommand = { readonly name: string; readonly args: string };

/**
 * The person whose work would be touched, somebody else than `asker` where there is one; null: nobody's.
 * `stop` ends the turn of the mailbox's head. `approve` and `deny` are about a call that came of what somebody asked for. `undo` and `reset` take back runs: a person's own, or the model's for whoever asked it.
 */
export const subjectOf = async (
  store: ConversationStore,
  conversation: ConversationId,
  call: CalledCommand | null,
  asker: Person,
): Promise<Result<Person | null, Failure>> => {
  if (call?.name === 'stop') {
    const mailbox = await store.mailbox(conversation);
    return mailbox.ok ? ok(mailbox.value[0]?.author ?? null) : mailbox;
  }
  if (call?.name === 'approve' || call?.name === 'deny') {
    const page = await store.entries(conversation, -LOOKED_THROUGH, LOOKED_THROUGH);
    if (!page.ok) return page;
    const id = readApprovalId(call.args);
    const waiting = page.value.entries.find((entry) => entry.kind === 'awaiting' && entry.approval === id);
    return ok(waiting?.kind === 'awaiting' ? waiting.asker : null);
  }
  if (call?.name !== 'undo' && call?.name !== 'reset') return ok(null);
  const page = await store.entries(conversation, -LOOKED_THROUGH, LOOKED_THROUGH);
  if (!page.ok) return page;
  const people = authorsFrom(page.value.entries, call.name === 'reset' ? 1 : firstNumber(call.args));
  return ok(people.find((person) => person.id !== asker.id) ?? people.at(-1) ?? null);
};

const firstNumber = (args: string): number | undefined => {
  const digits = /\d{1,9}/.exec(args)?.[0];
  return digits === undefined ? undefined : Number(digits);
};

/** The people behind the runs from number `from` on; behind the last one where it is undefined. */
const authorsFrom = (entries: readonly Entry[], from: number | undefined): readonly Person[] => {
  const askers = new Map(entries.flatMap((entry) => (entry.kind === 'said' ? [[entry.turn, entry.author] as const] : [])));
  const runs = countingRuns(entries);
  const concerned = from === undefined ? runs.slice(-1) : runs.filter((ran) => ran.run.n >= from);
  return concerned.flatMap((ran) => ran.run.author ?? askers.get(ran.turn) ?? []);
};
