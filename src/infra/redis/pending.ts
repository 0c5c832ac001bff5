import { z } from 'zod';
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import { addressOf } from '../../core/ids.ts';
import type { Address, ConversationId, EventKey, Fence } from '../../core/ids.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { activeKey, allKey, announcedKey, conversationKeys, pendingKey, recentKey } from './keys.ts';
import { announceScript, emptyScript, GIVEN_UP_MS, withdrawScript } from './scripts/pending.ts';
import type { Script } from './scripts/script.ts';
import { runScript } from './scripts/script.ts';

/** How many conversations of a workspace the list of recent ones holds. */
const RECENT = 1_000;

/** The pending list's half of the store: scripts/pending.ts says how it stays right although it cannot share a script with the mailbox. */
export type Pending = {
  /** Before a push. Resolves with the token that stands for it. */
  readonly announce: (conversation: ConversationId, key: EventKey) => Promise<Result<string, Failure>>;
  readonly withdraw: (conversation: ConversationId, tokens: readonly string[]) => Promise<Result<void, Failure>>;
  /** Puts the conversation on the list until it is settled, without a message. */
  readonly mark: (conversation: ConversationId) => Promise<Result<void, Failure>>;
  readonly settle: (conversation: ConversationId, fence: Fence) => Promise<Result<boolean, Failure>>;
  /** Lists a conversation as recent. */
  readonly remember: (conversation: ConversationId) => Promise<Result<void, Failure>>;
  readonly forget: (conversation: ConversationId) => Promise<Result<void, Failure>>;
};

export const createPending = (client: RedisClient, clock: Clock): Pending => {
  const run = (script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<Result<unknown, Failure>> =>
    attempt(() => runScript(client, script, keys, args));

  const withdraw: Pending['withdraw'] = async (conversation, tokens) => {
    const reply = await run(withdrawScript, [pendingKey, announcedKey(conversation)], [conversation, ...tokens]);
    return reply.ok ? ok(undefined) : reply;
  };

  return {
    announce: async (conversation, key) => {
      const token = `${clock.newId()} ${key}`;
      const reply = await run(
        announceScript,
        [pendingKey, announcedKey(conversation), recentKeyOf(conversation), allKeyOf(conversation), activeKey],
        [conversation, token, clock.now(), RECENT],
      );
      return reply.ok ? ok(token) : reply;
    },

    withdraw,

    mark: async (conversation) => {
      const reply = await attempt(() => client.zadd(pendingKey, 'NX', clock.now(), conversation));
      return reply.ok ? ok(undefined) : reply;
    },

    settle: async (conversation, fence) => {
      const keys = conversationKeys(conversation);
      const announced = await attempt(() => client.zrange(announcedKey(conversation), 0, -1, 'WITHSCORES'));
      if (!announced.ok) return announced;
      const tokens = pairsOf(announced.value);
      const reply = await run(emptyScript, [keys.fence, keys.mailbox, keys.outbox, keys.seen], [fence, ...tokens.map(({ key }) => key)]);
      if (!reply.ok) return reply;
      const [state, ...accepted] = z.array(z.string()).parse(reply.value);
      if (state === 'fence-lost') return err(failure('fence-lost', {}, 'settle'));
      if (state === 'busy') return ok(false);
      const given = clock.now() - GIVEN_UP_MS;
      const done = tokens.filter(({ at }, index) => accepted[index] === '1' || at < given);
      const withdrawn = await withdraw(
        conversation,
        done.map(({ token }) => token),
      );
      return withdrawn.ok ? ok(true) : withdrawn;
    },

    remember: async (conversation) => {
      const reply = await attempt(() =>
        Promise.all([
          client.zadd(recentKeyOf(conversation), clock.now(), conversation),
          client.zadd(allKeyOf(conversation), clock.now(), conversation),
          client.zadd(activeKey, clock.now(), conversation),
        ]),
      );
      return reply.ok ? ok(undefined) : reply;
    },

    forget: async (conversation) => {
      const reply = await attempt(() =>
        Promise.all([
          client.zrem(pendingKey, conversation),
          client.unlink(announcedKey(conversation)),
          client.zrem(recentKeyOf(conversation), conversation),
          client.zrem(allKeyOf(conversation), conversation),
          client.zrem(activeKey, conversation),
        ]),
      );
      return reply.ok ? ok(undefined) : reply;
    },
  };
};

const placeOf = (conversation: ConversationId): Address => {
  const address = addressOf(conversation);
  if (address === undefined) throw new TypeError('not a conversation id');
  return address;
};
const recentKeyOf = (conversation: ConversationId): string => recentKey(placeOf(conversation));
const allKeyOf = (conversation: ConversationId): string => allKey(placeOf(conversation));

/** ZRANGE ... WITHSCORES answers member and score by turns; a token is a random part, a space, and the event key. */
const pairsOf = (reply: readonly string[]): readonly { readonly token: string; readonly key: string; readonly at: number }[] =>
  Array.from({ length: reply.length / 2 }, (_, index) => {
    const token = reply[2 * index] ?? '';
    return { token, key: token.slice(token.indexOf(' ') + 1), at: Number(reply[2 * index + 1]) };
  });
