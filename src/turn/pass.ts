/**
 * One pass over a conversation: claim it, deliver what is still to be delivered, work the mailbox off item by item, settle.
 * Never rejects. What it leaves undone (shutdown, store or platform away) stays pending, and the next pass takes it up.
 */
import type { Session } from '../core/conversation.ts';
import { newSession } from '../core/conversation.ts';
import { forOperator, mayRetry } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import type { ConversationId, Fence } from '../core/ids.ts';
import type { LiveOp, Post } from '../core/outbound.ts';
import { emptyDraft, postsOf, renderEvent } from '../core/render.ts';
import type { ThreadEvent } from '../core/thread-event.ts';
import { itemsOf } from '../core/turn-state.ts';
import type { Turn, TurnItem } from '../core/turn-state.ts';
import { ok } from '../core/result.ts';
import type { Claim, Commit, Spoiled } from '../ports/conversation-store.ts';
import type { Pass } from '../ports/turn-queue.ts';
import { apology, apologyFor, endingOf } from './apology.ts';
import { attachFiles } from './attach-files.ts';
import { collectBlobs } from './blobs-behind.ts';
import { decisionOn, refusedDecision } from './decision.ts';
import type { TurnDeps } from './deps.ts';
import { HISTORY_ENTRIES, MAX_ATTEMPTS } from './limits.ts';
import { settingsOf } from './command-view.ts';
import { runCommand } from './run-command.ts';
import { runTurn } from './run-turn.ts';

type Step = 'next' | 'leave';

export const createPass =
  (deps: TurnDeps): Pass =>
  async (conversation, signal) => {
    try {
      while (!signal.aborted && (await workOnce(deps, conversation, signal)) === 'next');
    } catch (cause) {
      // Only a bug gets here. The attempt is counted, so a poisonous item is put aside after a few passes.
      deps.log.error({ conversation, error: cause instanceof Error ? cause.stack : String(cause) }, 'a pass ended by a bug');
    }
  };

const workOnce = async (deps: TurnDeps, conversation: ConversationId, signal: AbortSignal): Promise<Step> => {
  const claimed = await deps.store.claim(conversation);
  if (!claimed.ok) return left(deps, conversation, claimed.failure);
  const claim = claimed.value;
  if (!(await deliver(deps, conversation, claim.fence, claim.outbox))) return 'leave';
  if (claim.withdrawn !== null) return finish(deps, conversation, claim, endingOf(claim.withdrawn, claim.session));
  if (claim.spoiled !== null) return putAside(deps, conversation, claim, claim.spoiled);
  const [head] = claim.mailbox;
  if (head === undefined) {
    const settled = await deps.store.settle(conversation, claim.fence);
    return settled.ok && !settled.value ? 'next' : 'leave';
  }
  const attempts = await deps.store.countAttempt(conversation, head.key);
  if (!attempts.ok) return left(deps, conversation, attempts.failure);
  const session = claim.session ?? newSession(deps.clock.now(), head.author);
  if (attempts.value > MAX_ATTEMPTS) return finish(deps, conversation, claim, apology(deps, head, session));
  if (head.kind === 'command') {
    const done = await runCommand(deps, conversation, head, session);
    return done.ok ? finish(deps, conversation, claim, done.value) : left(deps, conversation, done.failure);
  }
  return answer(deps, conversation, claim, session, head, signal);
};

const answer = async (
  deps: TurnDeps,
  conversation: ConversationId,
  claim: Claim,
  session: Session,
  item: TurnItem,
  signal: AbortSignal,
): Promise<Step> => {
  const fresh = claim.journal.length === 0;
  const ready = fresh && item.kind !== 'decision' ? await attachFiles(deps.blobs, conversation, session, item.files) : ok(session);
  if (!ready.ok) return left(deps, conversation, ready.failure);
  const [history, channel] = await Promise.all([
    deps.store.entries(conversation, -HISTORY_ENTRIES, HISTORY_ENTRIES),
    settingsOf(deps, conversation),
  ]);
  if (!history.ok) return left(deps, conversation, history.failure);
  if (!channel.ok) return left(deps, conversation, channel.failure);
  const base = Math.max(history.value.from, session.since);
  const seen = history.value.entries.slice(base - history.value.from);
  const decision = item.kind === 'decision' && fresh ? decisionOn(seen, conversation, item) : null;
  if (decision?.ok === false) return finish(deps, conversation, claim, refusedDecision(deps, item, session, decision.failure));
  const show = shower(deps, conversation);
  const started = deps.clock.now();
  const turn = await runTurn(
    deps,
    {
      conversation,
      fence: claim.fence,
      session: ready.value,
      item,
      decision: decision?.value ?? null,
      journal: claim.journal,
      history: seen,
      base,
      channel: channel.value,
      tell: show,
    },
    signal,
  );
  await deps.sandbox.rest(conversation);
  if (turn === 'abandoned') return 'leave';
  const next = await finish(deps, conversation, claim, {
    taken: itemsOf(turn).map((one) => one.key),
    entries: turn.entries,
    session: turn.session,
    posts: postsOf(turn),
  });
  show({ type: 'turn-finished', turn: turn.id });
  count(deps, turn, deps.clock.now() - started);
  const { total, entries } = history.value;
  await collectBlobs(deps, conversation, turn.session, { total, added: turn.entries.length, lastAt: entries.at(-1)?.at ?? started });
  return next;
};

/** An item that cannot be read must not block the thread: it is kept aside, and the thread is told. */
const putAside = async (deps: TurnDeps, conversation: ConversationId, claim: Claim, spoiled: Spoiled): Promise<Step> => {
  const kept = await deps.store.setAside(conversation, claim.fence, spoiled.key);
  if (!kept.ok) return left(deps, conversation, kept.failure);
  deps.log.error({ conversation, key: spoiled.key }, 'a message could not be read and was put aside');
  return finish(deps, conversation, claim, apologyFor(deps, spoiled, claim.session ?? newSession(deps.clock.now(), spoiled.author)));
};

/** Commits and delivers. A commit that is refused means that somebody else has the conversation now. */
const finish = async (deps: TurnDeps, conversation: ConversationId, claim: Claim, commit: Commit): Promise<Step> => {
  const committed = await deps.store.commit(conversation, claim.fence, commit);
  if (!committed.ok) return left(deps, conversation, committed.failure);
  return (await deliver(deps, conversation, claim.fence, commit.posts)) ? 'next' : 'leave';
};

/** Sends posts in order; false where one has to wait for a later pass. A refused post is given up, so that it cannot block the thread. */
const deliver = async (deps: TurnDeps, conversation: ConversationId, fence: Fence, posts: readonly Post[]): Promise<boolean> => {
  const outbound = deps.outboundOf(conversation);
  for (const post of posts) {
    if (outbound === undefined) return false;
    const sent = await outbound.perform(conversation, { op: 'post', ...post });
    deps.metrics.count('hektor_posts_total', { outcome: sent.ok ? 'ok' : sent.failure.code });
    if (!sent.ok) {
      deps.log.warn({ conversation, post: post.key, code: sent.failure.code, detail: sent.failure.detail }, forOperator(sent.failure));
      if (mayRetry(sent.failure)) return false;
    }
    const noted = await deps.store.delivered(conversation, fence, post.key);
    if (!noted.ok) return false;
  }
  return true;
};

const left = (deps: TurnDeps, conversation: ConversationId, why: Failure): Step => {
  deps.log.warn({ conversation, code: why.code, detail: why.detail }, forOperator(why));
  return 'leave';
};

/** Live operations go out in order, and none of them can hold the turn up. */
const shower = (deps: TurnDeps, conversation: ConversationId): ((event: ThreadEvent) => void) => {
  const outbound = deps.outboundOf(conversation);
  const showLive = async (op: LiveOp): Promise<void> => {
    const sent = await outbound?.perform(conversation, op);
    if (sent?.ok === false) deps.log.debug({ conversation, op: op.op, code: sent.failure.code }, 'a live operation was dropped');
  };
  let draft = emptyDraft;
  return (event) => {
    const [next, ops] = renderEvent(draft, event);
    draft = next;
    for (const op of ops) void showLive(op);
  };
};

const count = (deps: TurnDeps, turn: Turn, ms: number): void => {
  const answered = turn.entries.findLast((entry) => entry.kind === 'answered');
  deps.metrics.count('hektor_turns_total', { kind: turn.item.kind, status: answered?.kind === 'answered' ? answered.status : 'complete' });
  deps.metrics.observe('hektor_turn_seconds', { kind: turn.item.kind }, ms / 1000);
};
