/**
 * The pending list: which conversations have something to do, for the sweeper that wakes what nobody woke.
 *
 * On a Redis Cluster the list and a mailbox are in different slots, so "push" and "mark as pending" cannot be one step, nor can "is it empty"
 * and "unmark". What keeps every gap covered:
 *
 * 1. Ingest *announces* before it pushes: a token of its own (event key and a random part) beside the conversation. A gateway that dies
 *    between the two leaves an announcement of nothing: one idle pass. One that dies after the push leaves a pending message: swept.
 * 2. A push that was refused (duplicate, full) withdraws its own token, and only that: the token of the push that was accepted stays.
 * 3. Settling reads the tokens, *then* asks the mailbox: is it empty, and which of these event keys has it ever accepted? Only those, being
 *    accepted and no longer waiting, are done; only their tokens are removed. A token whose push is still on its way is not touched, and so is
 *    one that is announced while this goes on: the conversation stays on the list for it.
 * 4. A token whose push has not come after `GIVEN_UP_MS` belongs to a gateway that died (its commands time out long before), and goes too.
 */
import { defineScript } from './script.ts';

export const GIVEN_UP_MS = 60_000;

/**
 * KEYS pending, announced, recent, all, active. ARGV conversation, token, now, how many recent ones are kept.
 * The conversation counts as recent from here on, one command earlier than strictly true, to save a round trip.
 */
export const announceScript = defineScript(
  'announce',
  5,
  `
redis.call('ZADD', KEYS[1], 'NX', ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[4], ARGV[3], ARGV[1])
redis.call('ZADD', KEYS[5], ARGV[3], ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -1 - tonumber(ARGV[4]))
return 'done'
`,
);

/** KEYS pending, announced. ARGV conversation, tokens. Without any token left the conversation is off the list; else its oldest one's time counts. */
export const withdrawScript = defineScript(
  'withdraw',
  2,
  `
for i = 2, #ARGV do redis.call('ZREM', KEYS[2], ARGV[i]) end
local oldest = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
if #oldest == 0 then redis.call('ZREM', KEYS[1], ARGV[1]) else redis.call('ZADD', KEYS[1], oldest[2], ARGV[1]) end
return 'done'
`,
);

/**
 * KEYS fence, mailbox, outbox, seen. ARGV fence, event keys.
 * Answers {'fence-lost'}, {'busy'}, or {'empty', for each event key '1' where it was once accepted, else '0'}.
 */
export const emptyScript = defineScript(
  'empty',
  4,
  `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return {'fence-lost'} end
if redis.call('LLEN', KEYS[2]) > 0 or redis.call('LLEN', KEYS[3]) > 0 then return {'busy'} end
local answer = {'empty'}
for i = 2, #ARGV do answer[i] = redis.call('ZSCORE', KEYS[4], ARGV[i]) and '1' or '0' end
return answer
`,
);
