import { defineScript } from './script.ts';

/**
 * Takes an item out of the mailbox, or puts another one in its place. Where a turn may be at work on it (it is the head, or the journal says
 * that it joined), that turn loses its claim in the same step and is told to end: nothing of it will be committed. What it may have shown is
 * to be told as ended: the first write of its journal is kept for the next claim.
 *
 * KEYS fence, mailbox, items, attempts, journal, withdrawn, stop (a channel). ARGV key, the item in its place (empty: none), what the journal
 * holds where the item joined, a stop request, lifetime of the fence. Answers 'absent', 'waiting', or 'begun' where a turn had begun.
 */
export const withdrawScript = defineScript(
  'withdraw',
  7,
  `
local place = redis.call('LPOS', KEYS[2], ARGV[1])
if not place then return 'absent' end
local writes = redis.call('LRANGE', KEYS[5], 0, -1)
local joined = false
for _, write in ipairs(writes) do joined = joined or string.find(write, ARGV[3], 1, true) ~= nil end
redis.call('HDEL', KEYS[4], ARGV[1])
if ARGV[2] == '' then
  redis.call('LREM', KEYS[2], 1, ARGV[1])
  redis.call('HDEL', KEYS[3], ARGV[1])
else
  redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
end
if place > 0 and not joined then return 'waiting' end
local last = redis.call('GET', KEYS[1])
if last then redis.call('SET', KEYS[1], string.format('%.0f', tonumber(last) + 1), 'PX', ARGV[5]) end
redis.call('PUBLISH', KEYS[7], ARGV[4])
if #writes == 0 then return 'waiting' end
redis.call('SET', KEYS[6], writes[1])
redis.call('DEL', KEYS[5])
return 'begun'
`,
);

/**
 * Puts other entries in the place of some, each only where it is still what was read. KEYS entries. ARGV index, entry as read, entry as it is
 * to be, by turns. Answers how many now stand as they are to be (also if sent twice).
 */
export const redactScript = defineScript(
  'redact',
  1,
  `
local done = 0
for i = 1, #ARGV, 3 do
  local now = redis.call('LINDEX', KEYS[1], ARGV[i])
  if now == ARGV[i + 1] then
    redis.call('LSET', KEYS[1], ARGV[i], ARGV[i + 2])
    done = done + 1
  elseif now == ARGV[i + 2] then
    done = done + 1
  end
end
return done
`,
);

/** Keeps a copy of an item that cannot be read, before it is taken from the mailbox. KEYS fence, items, aside. ARGV fence, key. */
export const setAsideScript = defineScript(
  'set-aside',
  3,
  `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fence-lost' end
local item = redis.call('HGET', KEYS[2], ARGV[2])
if item then redis.call('HSET', KEYS[3], ARGV[2], item) end
return 'done'
`,
);
