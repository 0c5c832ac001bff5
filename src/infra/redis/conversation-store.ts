import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import { addressOf, isConversationId } from '../../core/ids.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConversationStore, Ingested } from '../../ports/conversation-store.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { activeKey, allKey, conversationKeys, pendingKey, recentKey } from './keys.ts';
import { createChanges } from './changes.ts';
import { createPending } from './pending.ts';
import { decodeClaim, decodeMailbox, decodePage, decodeRatings, decodeSession, encode, encodeJournalWrite } from './records.ts';
import { claimScript, mailboxScript } from './scripts/claim.ts';
import { commitScript, deliveredScript } from './scripts/commit.ts';
import { ingestScript } from './scripts/ingest.ts';
import { journalScript } from './scripts/journal.ts';
import type { Script } from './scripts/script.ts';
import { runScript } from './scripts/script.ts';
import { countAttemptScript, createScript, entriesScript } from './scripts/small.ts';
import { createStops } from './stops.ts';
import type { Subscriber } from './subscriber.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long an event key is remembered. Platforms redeliver within hours. */
const SEEN_MS = 7 * DAY_MS;
/** A fence may be forgotten after this: the next one is the clock, which is greater. */
const FENCE_MS = 30 * DAY_MS;
/** How many ratings of a thread are kept. */
const RATINGS = 200;
/** No list is longer; keeps what scripts compute with far from where Lua loses digits. */
const MOST = 1_000_000_000;

export type StoreDeps = {
  /** Of purpose `ingest` in the gateway, `work` in a worker. */
  readonly client: RedisClient;
  readonly subscriber: Subscriber;
  readonly clock: Clock;
};

/** The conversation store in Redis (6.2 or later), standalone or Cluster. Keys: keys.ts. */
export const createConversationStore = ({ client, subscriber, clock }: StoreDeps): ConversationStore => {
  const run = (script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<Result<unknown, Failure>> =>
    attempt(() => runScript(client, script, keys, args));
  const fenced = async (script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<Result<void, Failure>> => {
    const reply = await run(script, keys, args);
    if (!reply.ok) return reply;
    return reply.value === 'done' ? ok(undefined) : err(failure('fence-lost', {}, `${script.name}: ${String(reply.value)}`));
  };
  const pending = createPending(client, clock);

  return {
    ...createStops(client, subscriber, clock),
    ...createChanges(client, clock, FENCE_MS),

    ingest: async (conversation, item, cap) => {
      const keys = conversationKeys(conversation);
      const token = await pending.announce(conversation, item.key);
      if (!token.ok) return token;
      const now = clock.now();
      const reply = await run(
        ingestScript,
        [keys.mailbox, keys.items, keys.seen],
        [item.key, encode(item), cap, now, now - SEEN_MS, SEEN_MS],
      );
      // Where the answer was lost the item may be in the mailbox: then its announcement must stay.
      if (!reply.ok) return reply;
      const ingested = ingestedOf(reply.value);
      if (ingested !== 'accepted') await pending.withdraw(conversation, [token.value]);
      return ok(ingested);
    },

    claim: async (conversation) => {
      const keys = conversationKeys(conversation);
      const reply = await run(
        claimScript,
        [keys.fence, keys.session, keys.mailbox, keys.items, keys.journal, keys.outbox, keys.posts, keys.withdrawn],
        [FENCE_MS],
      );
      return reply.ok ? decodeClaim(reply.value) : reply;
    },

    mailbox: async (conversation) => {
      const keys = conversationKeys(conversation);
      const reply = await run(mailboxScript, [keys.mailbox, keys.items], []);
      return reply.ok ? decodeMailbox(reply.value) : reply;
    },

    journal: async (conversation, fence, events) => {
      const keys = conversationKeys(conversation);
      return fenced(journalScript, [keys.fence, keys.journal], [fence, clock.newId(), encodeJournalWrite(events)]);
    },

    commit: async (conversation, fence, { taken, entries, session, posts }) => {
      const keys = conversationKeys(conversation);
      // Posts that answer no mailbox item have no announcement that keeps the conversation on the pending list until they are delivered.
      if (posts.length > 0 && taken.length === 0) {
        const marked = await pending.mark(conversation);
        if (!marked.ok) return marked;
      }
      return fenced(
        commitScript,
        [
          keys.fence,
          keys.mailbox,
          keys.items,
          keys.attempts,
          keys.session,
          keys.entries,
          keys.journal,
          keys.outbox,
          keys.posts,
          keys.committed,
          keys.withdrawn,
        ],
        [
          fence,
          clock.newId(),
          encode(session),
          taken.length,
          entries.length,
          posts.length,
          ...taken,
          ...entries.map(encode),
          ...posts.flatMap((post) => [post.key, encode(post)]),
        ],
      );
    },

    delivered: async (conversation, fence, postKey) => {
      const keys = conversationKeys(conversation);
      return fenced(deliveredScript, [keys.fence, keys.outbox, keys.posts], [fence, postKey]);
    },

    settle: pending.settle,

    countAttempt: async (conversation, key) => {
      const keys = conversationKeys(conversation);
      const reply = await run(countAttemptScript, [keys.attempts, keys.mailbox], [key, clock.newId()]);
      return reply.ok ? ok(Number(reply.value)) : reply;
    },

    pendingSince: async (at) => {
      const reply = await attempt(() => client.zrangebyscore(pendingKey, '-inf', `(${at}`, 'LIMIT', 0, 1_000));
      return reply.ok ? ok(reply.value.filter(isConversationId)) : reply;
    },

    session: async (conversation) => {
      const reply = await attempt(() => client.get(conversationKeys(conversation).session));
      if (!reply.ok) return reply;
      return reply.value === null ? ok(null) : decodeSession(reply.value);
    },

    knows: async (conversation) => {
      const keys = conversationKeys(conversation);
      const reply = await attempt(() => client.exists(keys.session, keys.mailbox));
      return reply.ok ? ok(reply.value > 0) : reply;
    },

    once: async (conversation, name) => {
      const reply = await attempt(() => client.hsetnx(conversationKeys(conversation).once, name, clock.now()));
      return reply.ok ? ok(reply.value === 1) : reply;
    },

    rate: async (conversation, rating) => {
      const { ratings } = conversationKeys(conversation);
      const reply = await attempt(() => client.multi().rpush(ratings, encode(rating)).ltrim(ratings, -RATINGS, -1).exec());
      return reply.ok ? ok(undefined) : reply;
    },

    ratings: async (conversation) => {
      const reply = await attempt(() => client.lrange(conversationKeys(conversation).ratings, 0, -1));
      return reply.ok ? decodeRatings(reply.value) : reply;
    },

    conversationsIn: async (where) => {
      const reply = await attempt(() => client.zrange(allKey(where), 0, -1));
      if (!reply.ok) return reply;
      const { channel } = where;
      return ok(reply.value.filter(isConversationId).filter((id) => channel === null || addressOf(id)?.channel === channel));
    },

    idleSince: async (at) => {
      const reply = await attempt(() => client.zrangebyscore(activeKey, '-inf', `(${at}`, 'LIMIT', 0, 1_000));
      return reply.ok ? ok(reply.value.filter(isConversationId)) : reply;
    },

    create: async (conversation, session) => {
      const made = await run(createScript, [conversationKeys(conversation).session], [encode(session)]);
      if (!made.ok || made.value !== 1) return made.ok ? ok(false) : made;
      const listed = await pending.remember(conversation);
      return listed.ok ? ok(true) : listed;
    },

    entries: async (conversation, from, limit) => {
      const reply = await run(entriesScript, [conversationKeys(conversation).entries], [bounded(from), bounded(limit)]);
      return reply.ok ? decodePage(reply.value) : reply;
    },

    recent: async (platform, workspace, limit) => {
      const reply = await attempt(() => client.zrange(recentKey({ platform, workspace }), 0, bounded(limit) - 1, 'REV'));
      if (!reply.ok) return reply;
      return ok(limit < 1 ? [] : reply.value.filter(isConversationId));
    },

    erase: async (conversation) => {
      // The fence goes with the rest: a running turn then holds one that is no longer there, and the next one is greater.
      const own = await attempt(() => client.unlink(...Object.values(conversationKeys(conversation))));
      return own.ok ? pending.forget(conversation) : own;
    },
  };
};

const ingestedOf = (reply: unknown): Ingested => {
  if (reply === 'accepted' || reply === 'duplicate' || reply === 'full') return reply;
  throw new TypeError(`the ingest script answered ${String(reply)}`);
};

const bounded = (n: number): number => Math.trunc(Math.min(MOST, Math.max(-MOST, n)));
