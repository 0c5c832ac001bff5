/** A person's decision as its turn takes it up: looked at once more, for it may have come too late or a second time. */
import { findApproval, noDecision } from '../core/approval.ts';
import type { Entry, Session } from '../core/conversation.ts';
import type { ConversationId } from '../core/ids.ts';
import { turnId } from '../core/ids.ts';
import type { ItemOf, MailboxItem } from '../core/message.ts';
import { newPost } from '../core/outbound.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { Decision } from '../core/turn-event.ts';
import { botMessage } from '../core/turn-state.ts';
import type { Commit } from '../ports/conversation-store.ts';
import type { TurnDeps } from './deps.ts';

/** What the decision is about, or why nothing comes of it. `entries`: those that count; what was before a reset waits no more. */
export const decisionOn = (entries: readonly Entry[], conversation: ConversationId, item: ItemOf<'decision'>): Result<Decision, string> => {
  const found = findApproval(entries, conversation, item.approval, item.at);
  if (found.is === 'waiting') return ok({ waiting: found.waiting, others: found.others, passBack: found.passBack });
  return err(noDecision(found, item.approval) ?? '');
};

/** The commit by which a decision that came too late leaves the mailbox: only whoever made it is told. */
export const refusedDecision = (deps: Pick<TurnDeps, 'clock'>, item: MailboxItem, session: Session, words: string): Commit => {
  const turn = turnId(deps.clock.newId());
  return {
    taken: [item.key],
    entries: [],
    session,
    posts: [
      newPost({
        key: `${item.key}:refused`,
        turn,
        message: botMessage(turn),
        kind: 'command',
        text: words,
        status: 'failed',
        privateTo: item.author,
        origin: item.origin,
      }),
    ],
  };
};
