import { defineScript } from './script.ts';

/**
 * A turn's outcome, all or nothing: refused where a newer claim exists or the head of the mailbox is not what the turn took.
 * A commit carries a name; the same one sent again after a lost answer is already done (the journal is cleared again, for a write of it may have been sent again too).
 *
 * KEYS fence, mailbox, items, attempts, session, entries, journal, outbox, posts, committed, withdrawn.
 * ARGV fence, name, session, number of keys taken, number of entries, number of posts, then the keys, the entries, and key and post by turns.
 * Answers 'done', 'fence-lost' or 'head-moved'.
 */
export const commitScript = defineScript(
  'commit',
  11,
  `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fence-lost' end
if redis.call('GET', KEYS[10]) == ARGV[2] then
  redis.call('DEL', KEYS[7])
  return 'done'
end
local taken, entries, posts = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local at = 6
for i = 1, taken do
  if redis.call('LINDEX', KEYS[2], i - 1) ~= ARGV[at + i] then return 'head-moved' end
end
for i = 1, taken do
  redis.call('HDEL', KEYS[3], ARGV[at + i])
  redis.call('HDEL', KEYS[4], ARGV[at + i])
end
if taken > 0 then redis.call('LTRIM', KEYS[2], taken, -1) end
at = at + taken
for i = 1, entries do redis.call('RPUSH', KEYS[6], ARGV[at + i]) end
at = at + entries
for i = 1, posts do
  local key, post = ARGV[at + 2 * i - 1], ARGV[at + 2 * i]
  if redis.call('HSET', KEYS[9], key, post) == 1 then redis.call('RPUSH', KEYS[8], key) end
end
redis.call('SET', KEYS[5], ARGV[3])
redis.call('DEL', KEYS[7], KEYS[11])
redis.call('SET', KEYS[10], ARGV[2])
return 'done'
`,
);

/** Takes a post out of the outbox. KEYS fence, outbox, posts. ARGV fence, post key. Answers 'done' or 'fence-lost'; again: 'done'. */
export const deliveredScript = defineScript(
  'delivered',
  3,
  `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fence-lost' end
redis.call('LREM', KEYS[2], 1, ARGV[2])
redis.call('HDEL', KEYS[3], ARGV[2])
return 'done'
`,
);
