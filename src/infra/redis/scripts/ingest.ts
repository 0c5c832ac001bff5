import { defineScript } from './script.ts';

/**
 * Appends an item to the mailbox unless its key was seen or the mailbox is full. Remembering the key and queueing the item are one step,
 * so a message can neither be lost behind a key that was only seen (U025) nor be queued twice.
 *
 * KEYS mailbox, items, seen. ARGV key, item, cap, now, oldest time remembered, memory in milliseconds.
 * Answers 'accepted', 'duplicate' or 'full'. Sent twice, the second answers 'duplicate'.
 */
export const ingestScript = defineScript(
  'ingest',
  3,
  `
if redis.call('ZSCORE', KEYS[3], ARGV[1]) then return 'duplicate' end
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 'full' end
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[5])
redis.call('PEXPIRE', KEYS[3], ARGV[6])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('RPUSH', KEYS[1], ARGV[1])
return 'accepted'
`,
);
