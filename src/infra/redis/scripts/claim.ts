import { defineScript } from './script.ts';

/**
 * Takes a new fence and reads all that is to be done. The fence is the clock in milliseconds, or one more than the last fence where that is
 * greater: so it also grows over an erased conversation and over a failover to a replica that had not heard of the last claim.
 *
 * KEYS fence, session, mailbox, items, journal, outbox, posts, withdrawn. ARGV lifetime of the fence in milliseconds.
 * Answers {fence, session or '', keys of the mailbox, items, journal writes, posts, first journal write of a withdrawn turn or ''}.
 */
export const claimScript = defineScript(
  'claim',
  8,
  `
local time = redis.call('TIME')
local fence = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
if last >= fence then fence = last + 1 end
fence = string.format('%.0f', fence)
redis.call('SET', KEYS[1], fence, 'PX', ARGV[1])
local function values(list, hash)
  local found = {}
  for i, key in ipairs(redis.call('LRANGE', list, 0, -1)) do found[i] = redis.call('HGET', hash, key) or '' end
  return found
end
return {
  fence,
  redis.call('GET', KEYS[2]) or '',
  redis.call('LRANGE', KEYS[3], 0, -1),
  values(KEYS[3], KEYS[4]),
  redis.call('LRANGE', KEYS[5], 0, -1),
  values(KEYS[6], KEYS[7]),
  redis.call('GET', KEYS[8]) or '',
}
`,
);

/** The mailbox alone. KEYS mailbox, items. Answers the items, oldest first. */
export const mailboxScript = defineScript(
  'mailbox',
  2,
  `
local found = {}
for i, key in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do found[i] = redis.call('HGET', KEYS[2], key) or '' end
return found
`,
);
