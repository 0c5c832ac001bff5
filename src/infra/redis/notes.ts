import { z } from 'zod';
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import type { ConversationId } from '../../core/ids.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Notes } from '../../ports/notes.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { conversationKeys } from './keys.ts';
import { runScript } from './scripts/script.ts';
import { claimNoteScript } from './scripts/small.ts';
import type { TextSeal } from './seal.ts';

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/** Notes in Redis: one hash a conversation, beside its other keys, so that whatever erases those erases these. */
export const createNotes = ({ client, seal }: { readonly client: RedisClient; readonly seal: TextSeal }): Notes => {
  const keyOf = (conversation: ConversationId): string => conversationKeys(conversation).notes;
  const read = (conversation: ConversationId, name: string, stored: string): Result<string, Failure> => {
    const value = seal.open(conversation, name, stored);
    return value === null ? err(failure('entry-unreadable', {}, 'a note was sealed with another HEKTOR_ENCRYPTION_KEY')) : ok(value);
  };
  return {
    get: async (conversation, name) => {
      const reply = await attempt(() => client.hget(keyOf(conversation), name));
      if (!reply.ok) return reply;
      return reply.value === null ? ok(null) : read(conversation, name, reply.value);
    },
    set: async (conversation, name, value) => {
      const key = keyOf(conversation);
      const replies = await attempt(() =>
        client
          .multi()
          .hset(key, name, seal.close(conversation, name, value))
          .pexpire(key, MONTH_MS)
          .exec(),
      );
      return replies.ok ? ok(undefined) : replies;
    },
    claim: async (conversation, name, value) => {
      const sealed = seal.close(conversation, name, value);
      const reply = await attempt(() => runScript(client, claimNoteScript, [keyOf(conversation)], [name, sealed, MONTH_MS]));
      return reply.ok ? read(conversation, name, z.string().parse(reply.value)) : reply;
    },
    remove: async (conversation, name) => {
      const reply = await attempt(() => client.hdel(keyOf(conversation), name));
      return reply.ok ? ok(undefined) : reply;
    },
  };
};
