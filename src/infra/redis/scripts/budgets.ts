import { defineScript } from './script.ts';

/**
 * Counts a message in the sliding minutes of a person and a channel, if neither is full.
 * KEYS minute of the person, of the channel. ARGV event, now, window in milliseconds, limit of the person, of the channel (-1: none).
 * Answers the milliseconds to wait, 0 where it is counted (also if sent twice).
 */
export const admitScript = defineScript(
  'admit',
  2,
  `
local now, window = tonumber(ARGV[2]), tonumber(ARGV[3])
local wait = 0
for i = 1, 2 do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now - window)
  local limit = tonumber(ARGV[3 + i])
  local excess = redis.call('ZCARD', KEYS[i]) - limit
  if limit >= 0 and excess >= 0 and not redis.call('ZSCORE', KEYS[i], ARGV[1]) then
    local oldest = redis.call('ZRANGE', KEYS[i], excess, excess, 'WITHSCORES')
    wait = math.max(wait, oldest[2] and (tonumber(oldest[2]) + window - now) or window, 1)
  end
end
if wait > 0 then return wait end
for i = 1, 2 do
  if tonumber(ARGV[3 + i]) >= 0 then
    redis.call('ZADD', KEYS[i], 'NX', now, ARGV[1])
    redis.call('PEXPIRE', KEYS[i], window)
  end
end
return 0
`,
);

/**
 * Holds an estimate if it fits. KEYS use of the day of workspace, channel, person; holds of workspace, channel, person.
 * ARGV hold id, now, its end, tokens, micro-dollars, then for each scope its limits of tokens and of micro-dollars (-1: none).
 * Answers '' or what it would break: the number of the scope and 't' or 'm'. Sent twice, the second counts its own hold no second time.
 */
export const reserveScript = defineScript(
  'reserve',
  6,
  `
local now = tonumber(ARGV[2])
local own = ARGV[1] .. ' ' .. ARGV[4] .. ' ' .. ARGV[5]
for i = 1, 3 do
  redis.call('ZREMRANGEBYSCORE', KEYS[3 + i], '-inf', now)
  local tokens = tonumber(redis.call('HGET', KEYS[i], 'tokens') or 0)
  local micros = tonumber(redis.call('HGET', KEYS[i], 'micros') or 0)
  for _, held in ipairs(redis.call('ZRANGE', KEYS[3 + i], 0, -1)) do
    if held ~= own then
      local t, m = string.match(held, ' (%d+) (%d+)$')
      tokens = tokens + tonumber(t)
      micros = micros + tonumber(m)
    end
  end
  local maxTokens, maxMicros = tonumber(ARGV[4 + 2 * i]), tonumber(ARGV[5 + 2 * i])
  if maxTokens >= 0 and (tokens >= maxTokens or tokens + tonumber(ARGV[4]) > maxTokens) then return i .. 't' end
  if maxMicros >= 0 and (micros >= maxMicros or micros + tonumber(ARGV[5]) > maxMicros) then return i .. 'm' end
end
for i = 1, 3 do
  redis.call('ZADD', KEYS[3 + i], ARGV[3], own)
  redis.call('PEXPIREAT', KEYS[3 + i], ARGV[3])
end
return ''
`,
);

/**
 * Counts what was used and ends the hold. KEYS as above, then what was settled lately.
 * ARGV hold id, now, lifetime of a day's counters, how long a settled id is remembered, then for each attempt: model, input, output,
 * micro-dollars (-1: unknown). Sent twice, the second does nothing.
 */
export const settleScript = defineScript(
  'settle',
  7,
  `
local now, memory = tonumber(ARGV[2]), tonumber(ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[7], '-inf', now - memory)
if redis.call('ZADD', KEYS[7], 'NX', now, ARGV[1]) == 0 then return 0 end
redis.call('PEXPIRE', KEYS[7], memory)
for i = 1, 3 do
  for _, held in ipairs(redis.call('ZRANGE', KEYS[3 + i], 0, -1)) do
    if string.sub(held, 1, #ARGV[1] + 1) == ARGV[1] .. ' ' then redis.call('ZREM', KEYS[3 + i], held) end
  end
  for a = 5, #ARGV, 4 do
    local model, input, output, micros = ARGV[a], ARGV[a + 1], ARGV[a + 2], tonumber(ARGV[a + 3])
    redis.call('HINCRBY', KEYS[i], 'tokens', input)
    redis.call('HINCRBY', KEYS[i], 'tokens', output)
    redis.call('HINCRBY', KEYS[i], 'requests ' .. model, 1)
    redis.call('HINCRBY', KEYS[i], 'input ' .. model, input)
    redis.call('HINCRBY', KEYS[i], 'output ' .. model, output)
    if micros >= 0 then
      redis.call('HINCRBY', KEYS[i], 'micros', ARGV[a + 3])
      redis.call('HINCRBY', KEYS[i], 'micros ' .. model, ARGV[a + 3])
    else
      redis.call('HINCRBY', KEYS[i], 'unknown ' .. model, 1)
    end
    redis.call('PEXPIRE', KEYS[i], ARGV[3])
  end
end
return 1
`,
);
