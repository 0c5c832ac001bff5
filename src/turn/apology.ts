/** How items end that no turn answered: what is said to the thread, and the commit that takes them from the mailbox. */
import type { EntryOf, Session } from '../core/conversation.ts';
import { newSession } from '../core/conversation.ts';
import { failure, toStoredFailure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { turnId } from '../core/ids.ts';
import type { TurnId } from '../core/ids.ts';
import type { MailboxItem } from '../core/message.ts';
import { newPost } from '../core/outbound.ts';
import type { Post } from '../core/outbound.ts';
import type { TurnEventOf } from '../core/turn-event.ts';
import { botMessage, saidIn } from '../core/turn-state.ts';
import type { Commit, Spoiled } from '../ports/conversation-store.ts';
import type { TurnDeps } from './deps.ts';

/** What becomes of an item at which every attempt failed: it is answered with an apology and leaves the mailbox. */
export const apology = (deps: TurnDeps, head: MailboxItem, session: Session): Commit => {
  const turn = turnId(deps.clock.newId());
  const said = head.kind === 'ask' || head.kind === 'run' ? saidIn(turn, head) : [];
  const { answered, post } = told(deps, turn, head.origin);
  return { taken: [head.key], entries: [...said, answered], session, posts: [{ ...post, actions: ['retry'] }] };
};

/** The same for an item of which nothing is known but, perhaps, whom to tell. */
export const apologyFor = (deps: TurnDeps, { key, origin }: Spoiled, session: Session): Commit => {
  const { answered, post } = told(deps, turnId(deps.clock.newId()), origin);
  return { taken: [key], entries: [answered], session, posts: [post] };
};

const told = (deps: TurnDeps, turn: TurnId, origin: Post['origin']): { readonly answered: EntryOf<'answered'>; readonly post: Post } => {
  const why = failure('turn-poisoned', {});
  deps.metrics.count('hektor_failures_total', { code: why.code });
  const post = postOf(turn, why, 'failed', origin);
  return {
    post,
    answered: {
      kind: 'answered',
      at: deps.clock.now(),
      turn,
      message: post.message,
      text: '',
      files: [],
      status: 'failed',
      failure: toStoredFailure(why),
      model: '',
      usage: null,
      costMicros: null,
      prompts: [],
    },
  };
};

/**
 * The end of a turn that was taken back because its message was edited or deleted: nothing of it is recorded, but what it had shown is
 * replaced by the word that it ended. Its post has the key of the answer that will not come.
 */
export const endingOf = ({ at, turn, item, session: then }: TurnEventOf<'turn-started'>, session: Session | null): Commit => ({
  taken: [],
  entries: [],
  session: session ?? newSession(at, then.owner ?? item.author),
  posts: [postOf(turn, failure('withdrawn', {}), 'stopped', item.origin)],
});

const postOf = (turn: TurnId, why: Failure, status: Post['status'], origin: Post['origin']): Post =>
  newPost({ key: `${turn}:answer`, turn, message: botMessage(turn), kind: 'answer', text: toStoredFailure(why).words, status, origin });
