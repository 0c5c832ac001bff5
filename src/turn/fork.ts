/** A fork: the new thread with its entries, state and files, and the words that lead there. */
import type { CommandPlan } from '../core/command.ts';
import { failure, forPerson, mayRetry } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { addressOf, conversationIdOf } from '../core/ids.ts';
import type { Address, ConversationId } from '../core/ids.ts';
import { plainWords } from '../core/markdown-text.ts';
import type { ItemOf } from '../core/message.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { Outbound } from '../ports/adapter.ts';
import { blobsBehind } from './blobs-behind.ts';
import type { TurnDeps } from './deps.ts';

type ForkDeps = Pick<TurnDeps, 'store' | 'blobs' | 'notes' | 'outboundOf' | 'clock'>;
type ForkPlan = NonNullable<CommandPlan['fork']>;

/** `made` false: there is no new thread, and the words say why. */
export type Forked = { readonly made: boolean; readonly words: string };

/** How often a claim on the new thread is tried again: somebody may write there as soon as it can be seen. */
const CLAIMS = 3;

/** Doing the same item's fork again, after a crash, gives the same thread. */
export const forkThread = async (
  deps: ForkDeps,
  from: ConversationId,
  item: ItemOf<'command'>,
  plan: ForkPlan,
): Promise<Result<Forked, Failure>> => {
  const outbound = deps.outboundOf(from);
  const opened = await openThread(deps, outbound, from, item, plan);
  if (!opened.ok) {
    if (mayRetry(opened.failure)) return opened;
    return ok({ made: false, words: `No new thread could be opened here. ${forPerson(opened.failure)}` });
  }
  const to = conversationIdOf(opened.value);
  const filled = await fill(deps, from, to, plan);
  if (!filled.ok) return filled;
  const url = outbound?.linkTo?.(to) ?? null;
  const name = url === null ? opened.value.thread : `[${plainWords(plan.session.title)}](<${url}>)`;
  return ok({ made: true, words: `New thread: ${name}` });
};

/** On platforms whose threads begin with a message the adapter opens it; elsewhere a thread is nothing but a new name. */
const openThread = async (
  { notes, clock }: ForkDeps,
  outbound: Outbound | undefined,
  from: ConversationId,
  item: ItemOf<'command'>,
  plan: ForkPlan,
): Promise<Result<Address, Failure>> => {
  const address = addressOf(from);
  if (address === undefined) throw new TypeError('a conversation without an address');
  const key = `fork:${item.key}`;
  if (outbound?.openThread === undefined) {
    const thread = await notes.claim(from, key, clock.newId());
    return thread.ok ? ok({ ...address, thread: thread.value }) : thread;
  }
  const url = outbound.linkTo?.(from) ?? null;
  const origin = url === null ? 'another thread' : `[another thread](<${url}>)`;
  const { title } = plan.session;
  const text = `**${plainWords(title)}**\n\nThis goes on from ${origin}, with a copy of its history, Python state and files.`;
  return outbound.openThread(from, { key, title, text, by: item.author, origin: item.origin });
};

const fill = async (
  { store, blobs }: ForkDeps,
  from: ConversationId,
  to: ConversationId,
  plan: ForkPlan,
): Promise<Result<void, Failure>> => {
  const needed = await blobsBehind(blobs, from, plan.entries, plan.session);
  if (!needed.ok) return needed;
  const copied = await blobs.copy(from, to, [...needed.value]);
  if (!copied.ok) return copied;
  // Made first, so that it stands among the recent ones whatever becomes of the rest.
  const created = await store.create(to, plan.session);
  if (!created.ok) return created;
  for (let tries = 1; ; tries += 1) {
    // Entries that are there already are those of this fork, committed before a crash, or of somebody who went on from it. Nobody's claim is
    // taken away for finding that out.
    const known = await store.entries(to, 0, 1);
    if (!known.ok) return known;
    if (known.value.total > 0) return ok(undefined);
    const claim = await store.claim(to);
    if (!claim.ok) return claim;
    const made = await store.commit(to, claim.value.fence, { taken: [], entries: plan.entries, session: plan.session, posts: [] });
    if (made.ok || made.failure.code !== 'fence-lost') return made;
    if (tries >= CLAIMS) return err(failure('store-busy', {}, 'the thread of a fork is taken up by another worker again and again'));
  }
};
