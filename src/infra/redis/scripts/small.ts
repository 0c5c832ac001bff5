import { defineScript } from './script.ts';

/** Sets the session where there is none. KEYS session. ARGV session. Answers 1 where it is this one now (also if sent twice), else 0. */
export const createScript = defineScript(
  'create',
  1,
  `
local known = redis.call('GET', KEYS[1])
if not known then redis.call('SET', KEYS[1], ARGV[1]) end
return (not known or known == ARGV[1]) and 1 or 0
`,
);

/** Counts an attempt once per name. KEYS attempts, mailbox. ARGV event key, name. Answers the count; an item that is gone is not counted: 0. */
export const countAttemptScript = defineScript(
  'count-attempt',
  2,
  `
if not redis.call('LPOS', KEYS[2], ARGV[1]) then return 0 end
local count, name = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '0 -', '^(%d+) (.*)$')
count = tonumber(count)
if name ~= ARGV[2] then
  count = count + 1
  redis.call('HSET', KEYS[1], ARGV[1], count .. ' ' .. ARGV[2])
end
return count
`,
);

/** A page of a list. KEYS entries. ARGV from (negative: from the end), limit. Answers {from, total, records}. */
export const entriesScript = defineScript(
  'entries',
  1,
  `
local total = redis.call('LLEN', KEYS[1])
local from = tonumber(ARGV[1])
if from < 0 then from = math.max(0, total + from) end
from = math.min(from, total)
local limit = tonumber(ARGV[2])
return {from, total, limit < 1 and {} or redis.call('LRANGE', KEYS[1], from, from + limit - 1)}
`,
);

/** Remembers a stop request for a while and tells it. KEYS stop (also the channel). ARGV request, lifetime in milliseconds. */
export const stopScript = defineScript(
  'stop',
  1,
  `
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('PUBLISH', KEYS[1], ARGV[1])
return 'done'
`,
);

/** Appends to a topic. KEYS events (also the channel). ARGV data, length kept, lifetime in milliseconds. Answers the event's id. */
export const appendScript = defineScript(
  'append',
  1,
  `
local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'd', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', KEYS[1], id)
return id
`,
);

/** KEYS notes of a conversation. ARGV name, value, lifetime in milliseconds. Answers what stands there now. */
export const claimNoteScript = defineScript(
  'claim-note',
  1,
  `
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return redis.call('HGET', KEYS[1], ARGV[1])
`,
);

/** KEYS a fact. ARGV value, lifetime in milliseconds (0: none). Answers what stands there now. */
export const claimFactScript = defineScript(
  'claim-fact',
  1,
  `
local known = redis.call('GET', KEYS[1])
if known then return known end
if ARGV[2] == '0' then redis.call('SET', KEYS[1], ARGV[1]) else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return ARGV[1]
`,
);

/** Prolongs a lock. KEYS lock. ARGV token, lifetime in milliseconds. Answers 1, or 0 where it is somebody else's. */
export const prolongScript = defineScript(
  'prolong',
  1,
  `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0`,
);

/** Gives a lock back. KEYS lock. ARGV token. Answers 1, or 0 where it is somebody else's; also if sent twice. */
export const unlockScript = defineScript('unlock', 1, `return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`);
