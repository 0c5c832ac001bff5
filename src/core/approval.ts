/**
 * Calls that need a person's yes. The model's call is stored as it stands; a yes makes exactly that call, once. Pure.
 *
 * An approval's id is made from everything that it is about (`digestOf`), and is made anew when somebody decides: a record that was changed,
 * or copied into another thread, no longer bears its own id, and nothing comes of it.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { decidedWords } from './approval-words.ts';
import type { Entry, EntryOf, ToolCall } from './conversation.ts';
import type { ConversationId, TurnId } from './ids.ts';
import { messageId } from './ids.ts';
import { codeSpan } from './markdown-text.ts';
import type { Person } from './message.ts';
import type { AnyTool } from './plugin.ts';

/** `ask`: every call needs a yes. `tainted`: only once the thread holds words from outside. `never`: none does. */
export const approvalRuleSchema = z.enum(['ask', 'tainted', 'never']);
export type ApprovalRule = z.infer<typeof approvalRuleSchema>;

/** The most particular rule counts: a tool's, its plugin's, then `usual`, which is for tools with effects outside of the thread. */
export type ApprovalPolicy = {
  readonly usual: ApprovalRule;
  readonly plugins: ReadonlyMap<string, ApprovalRule>;
  readonly tools: ReadonlyMap<string, ApprovalRule>;
  /** How long a call waits, milliseconds. */
  readonly waitMs: number;
};

/** Whether a call of this tool needs a yes. `tainted`: the model has read words from outside. */
export const needsYes = (policy: ApprovalPolicy, tool: Pick<AnyTool, 'name' | 'effect' | 'of'>, tainted: boolean): boolean => {
  const own = policy.tools.get(tool.name) ?? policy.plugins.get(tool.of.name);
  // Code runs in a sandbox that reaches nothing, and can be undone: only a rule of its own makes it wait.
  const rule = own ?? (tool.effect === 'write' && tool.of.name !== 'python' ? policy.usual : 'never');
  return rule === 'ask' || (rule === 'tainted' && tainted);
};

/** What makes a call wait: the approval's id, and until when a yes counts. */
export const grantSchema = z.object({ approval: z.string(), expiresAt: z.number() }).readonly();
export type Grant = z.infer<typeof grantSchema>;

export type Waiting = EntryOf<'awaiting'>;

type About = {
  readonly conversation: ConversationId;
  readonly call: string;
  readonly tool: string;
  readonly arguments: string;
  readonly asker: Pick<Person, 'id'>;
  readonly expiresAt: number;
};

/** The id of an approval: short enough to be typed, and bound to the thread, the call, the one who asked and the time. */
export const approvalIdOf = (about: About): string =>
  hash(
    'sha256',
    JSON.stringify(['approval', about.conversation, about.call, about.tool, about.arguments, about.asker.id, about.expiresAt]),
    'hex',
  ).slice(0, 12);

export const awaitingEntry = (made: {
  readonly at: number;
  readonly turn: TurnId;
  readonly call: ToolCall;
  readonly asker: Person;
  readonly grant: Grant;
}): Waiting => ({
  kind: 'awaiting',
  at: made.at,
  turn: made.turn,
  message: messageId(`${made.turn}:${made.grant.approval}`),
  approval: made.grant.approval,
  call: made.call.id,
  tool: made.call.name,
  arguments: made.call.arguments,
  asker: made.asker,
  expiresAt: made.grant.expiresAt,
});

/** The calls that wait and may still be decided, oldest first. */
export const waitingIn = (entries: readonly Entry[], now: number): readonly Waiting[] => {
  const decided = new Set(entries.flatMap((entry) => (entry.kind === 'decided' ? [entry.approval] : [])));
  return entries.filter((entry): entry is Waiting => entry.kind === 'awaiting' && !decided.has(entry.approval) && entry.expiresAt > now);
};

/** What became of an approval, for whoever asks about it. */
export type Found =
  | { readonly is: 'waiting'; readonly waiting: Waiting; readonly others: number; readonly passBack: EntryOf<'called'>['passBack'] }
  | { readonly is: 'decided'; readonly decided: EntryOf<'decided'> }
  | { readonly is: 'expired' | 'unknown' };

/** `entries`: those that count. `now`: when it was decided. `others`: calls of the same turn that wait, too. `passBack`: of the reply that made the call. */
export const findApproval = (entries: readonly Entry[], conversation: ConversationId, approval: string, now: number): Found => {
  const decided = entries.find((entry) => entry.kind === 'decided' && entry.approval === approval);
  if (decided?.kind === 'decided') return { is: 'decided', decided };
  const entry = entries.find((one) => one.kind === 'awaiting' && one.approval === approval);
  if (entry?.kind !== 'awaiting' || approvalIdOf({ ...entry, conversation }) !== approval) return { is: 'unknown' };
  if (entry.expiresAt <= now) return { is: 'expired' };
  const others = waitingIn(entries, now).filter((one) => one.turn === entry.turn && one.approval !== approval).length;
  const called = entries.findLast((one) => one.kind === 'called' && one.calls.some((call) => call.id === entry.call));
  return { is: 'waiting', waiting: entry, others, passBack: called?.kind === 'called' ? called.passBack : null };
};

/** What is typed as an id: case, marks around it and a leading `#` do not count. */
export const readApprovalId = (text: string): string =>
  text
    .trim()
    .replace(/^[#`<]+|[`>]+$/g, '')
    .toLowerCase();

/** What stands in the way of a decision, as the person who made it is told; null where nothing does. */
export const noDecision = (found: Found, approval: string): string | null => {
  switch (found.is) {
    case 'waiting':
      return null;
    case 'decided':
      return `That was decided already: ${decidedWords(found.decided)}`;
    case 'expired':
      return 'That call has waited too long and can no longer be made. Ask me again if you still want it.';
    case 'unknown':
      return `Nothing that waits for a yes here is called ${codeSpan(approval.slice(0, 40))}.`;
    default:
      return found satisfies never;
  }
};
