/** The parts of the store that change what is already there: edits, deletions, and items that cannot be read. */
import { failure } from '../../core/failure.ts';
import type { Entry } from '../../core/conversation.ts';
import type { Failure } from '../../core/failure.ts';
import type { ConversationId } from '../../core/ids.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConversationStore, Withdrawn } from '../../ports/conversation-store.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { conversationKeys } from './keys.ts';
import { decodeEntry, encode } from './records.ts';
import { runScript } from './scripts/script.ts';
import { redactScript, setAsideScript, withdrawScript } from './scripts/withdraw.ts';

/** Entries that are read at once. */
const PAGE = 500;
/** Entries that are rewritten at once. */
const BATCH = 50;
/** An entry that somebody else rewrites meanwhile is looked at again. */
const TRIES = 5;

export const createChanges = (
  client: RedisClient,
  clock: Clock,
  fenceMs: number,
): Pick<ConversationStore, 'withdraw' | 'redact' | 'setAside'> => ({
  withdraw: async (conversation, key, replacement) => {
    const keys = conversationKeys(conversation);
    const request = { id: clock.newId(), at: clock.now(), by: { id: '', name: '' } };
    const reply = await attempt(() =>
      runScript(
        client,
        withdrawScript,
        [keys.fence, keys.mailbox, keys.items, keys.attempts, keys.journal, keys.withdrawn, keys.stop],
        // As `person-joined` is written to the journal: within any text the quotation marks would be escaped.
        [key, replacement === null ? '' : encode(replacement), `"key":${JSON.stringify(key)}`, encode(request), fenceMs],
      ),
    );
    return reply.ok ? ok(withdrawnOf(reply.value)) : reply;
  },

  redact: async (conversation, change) => {
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const pass = await redactOnce(client, conversation, change);
      if (!pass.ok) return pass;
      if (pass.value.missed === 0) return ok(pass.value.done);
    }
    return err(failure('store-unreachable', {}, 'entries kept changing while they were rewritten'));
  },

  setAside: async (conversation, fence, key) => {
    const keys = conversationKeys(conversation);
    const reply = await attempt(() => runScript(client, setAsideScript, [keys.fence, keys.items, keys.aside], [fence, key]));
    if (!reply.ok) return reply;
    return reply.value === 'done' ? ok(undefined) : err(failure('fence-lost', {}, 'set-aside'));
  },
});

const withdrawnOf = (reply: unknown): Withdrawn => {
  if (reply === 'absent' || reply === 'waiting' || reply === 'begun') return reply;
  throw new TypeError(`the withdraw script answered ${String(reply)}`);
};

type Pass = { readonly done: number; readonly missed: number };

const redactOnce = async (
  client: RedisClient,
  conversation: ConversationId,
  change: (entry: Entry) => Entry,
): Promise<Result<Pass, Failure>> => {
  const { entries } = conversationKeys(conversation);
  let [done, missed] = [0, 0];
  for (let from = 0; ; from += PAGE) {
    const page = await attempt(() => client.lrange(entries, from, from + PAGE - 1));
    if (!page.ok) return page;
    const changed = page.value.flatMap((raw, index) => {
      const entry = decodeEntry(raw);
      if (!entry.ok) return [];
      const next = change(entry.value);
      return next === entry.value ? [] : [[from + index, raw, encode(next)] as const];
    });
    for (let at = 0; at < changed.length; at += BATCH) {
      const batch = changed.slice(at, at + BATCH);
      const reply = await attempt(() => runScript(client, redactScript, [entries], batch.flat()));
      if (!reply.ok) return reply;
      done += Number(reply.value);
      missed += batch.length - Number(reply.value);
    }
    if (page.value.length < PAGE) return ok({ done, missed });
  }
};
