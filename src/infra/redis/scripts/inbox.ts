/**
 * The in-tray of an adapter: lanes of items, each lane worked off by one holder at a time.
 *
 * A stream with a consumer group would not do: a group hands two items of a lane to two processes at once, and order would be lost. Here a
 * lane is *held* instead: whoever takes its first item gets a lease on the lane under a token of its own, renews it while it works, and gives
 * it back with the outcome. A holder that died stops renewing; when its lease is over, anybody may take the lane, at the same item. A holder
 * whose lease was taken over cannot change anything any more: its token is no longer the lane's.
 *
 * All times are those of Redis, so that the clocks of processes do not matter. An item's *place* is its lane, a space and a serial number with
 * leading zeros; places stand in one sorted set, all with score 0, so in the order of lanes and, within a lane, of arrival.
 */
import { defineScript } from './script.ts';

const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

const ENQUEUE = `
local function enqueue(serials, queue, items, lanes, lane, item)
  local place = lane .. ' ' .. string.format('%016.0f', redis.call('INCR', serials))
  redis.call('ZADD', queue, 0, place)
  redis.call('HSET', items, place, item)
  redis.call('ZADD', lanes, 'NX', now, lane)
  redis.call('PUBLISH', lanes, lane)
end
`;

/** KEYS seen, serials, queue, items, lanes (also the channel). ARGV id, lane, item, memory in milliseconds. Answers 'new' or 'duplicate'. */
export const putScript = defineScript(
  'inbox-put',
  5,
  `${NOW}${ENQUEUE}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[4]))
if redis.call('ZADD', KEYS[1], 'NX', now, ARGV[1]) == 0 then return 'duplicate' end
enqueue(KEYS[2], KEYS[3], KEYS[4], KEYS[5], ARGV[2], ARGV[3])
return 'new'
`,
);

/**
 * Takes the first items of lanes that nobody holds. KEYS lanes, owners, queue, items, tries. ARGV token, lease in milliseconds, at most.
 * Answers {milliseconds until the next lane is due or -1, {lane, place, failed attempts, times taken since, item}...}.
 * Sent twice, what the first one took waits until its lease is over.
 */
export const takeScript = defineScript(
  'inbox-take',
  5,
  `${NOW}
local taken = {}
for _, lane in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, tonumber(ARGV[3]))) do
  local place = redis.call('ZRANGEBYLEX', KEYS[3], '[' .. lane .. ' ', '[' .. lane .. ' ~', 'LIMIT', 0, 1)[1]
  if place then
    local failed, takes = string.match(redis.call('HGET', KEYS[5], place) or '0 0', '^(%d+) (%d+)$')
    takes = string.format('%.0f', tonumber(takes) + 1)
    redis.call('HSET', KEYS[5], place, failed .. ' ' .. takes)
    redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), lane)
    redis.call('HSET', KEYS[2], lane, ARGV[1])
    taken[#taken + 1] = {lane, place, failed, takes, redis.call('HGET', KEYS[4], place) or ''}
  else
    redis.call('ZREM', KEYS[1], lane)
    redis.call('HDEL', KEYS[2], lane)
  end
end
local due = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {due[2] and math.max(0, tonumber(due[2]) - now) or -1, taken}
`,
);

/** KEYS lanes, owners. ARGV lease in milliseconds, then lane and token by turns. Lanes that somebody else holds by now are left alone. */
export const renewScript = defineScript(
  'inbox-renew',
  2,
  `${NOW}
for i = 2, #ARGV, 2 do
  if redis.call('HGET', KEYS[2], ARGV[i]) == ARGV[i + 1] then redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[i]) end
end
return 'done'
`,
);

/**
 * Gives a lane back with what became of its first item. KEYS lanes (also the channel), owners, queue, items, tries, dead.
 * ARGV lane, token, place, outcome, pause in milliseconds, failed attempts, record of the dead, how many dead are kept.
 * Outcomes: 'done' and 'dead' remove the item, 'again' leaves it for after the pause. Answers 'done', or 'lost' where somebody else holds
 * the lane by now; also if sent twice.
 */
export const finishScript = defineScript(
  'inbox-finish',
  6,
  `${NOW}
local lane, place = ARGV[1], ARGV[3]
if redis.call('HGET', KEYS[2], lane) ~= ARGV[2] then return 'lost' end
redis.call('HDEL', KEYS[2], lane)
if ARGV[4] == 'again' then
  redis.call('HSET', KEYS[5], place, ARGV[6] .. ' 0')
  redis.call('ZADD', KEYS[1], now + tonumber(ARGV[5]), lane)
  redis.call('PUBLISH', KEYS[1], lane)
  return 'done'
end
if ARGV[4] == 'dead' then
  redis.call('LPUSH', KEYS[6], ARGV[7])
  redis.call('LTRIM', KEYS[6], 0, tonumber(ARGV[8]) - 1)
end
redis.call('ZREM', KEYS[3], place)
redis.call('HDEL', KEYS[4], place)
redis.call('HDEL', KEYS[5], place)
if redis.call('ZRANGEBYLEX', KEYS[3], '[' .. lane .. ' ', '[' .. lane .. ' ~', 'LIMIT', 0, 1)[1] then
  redis.call('ZADD', KEYS[1], now, lane)
else
  redis.call('ZREM', KEYS[1], lane)
end
return 'done'
`,
);

/** Puts a dead item back at the end of its lane. KEYS serials, queue, items, lanes, dead. ARGV record of the dead, lane, item. Answers 1, or 0 where it is gone. */
export const requeueScript = defineScript(
  'inbox-requeue',
  5,
  `${NOW}${ENQUEUE}
if redis.call('LREM', KEYS[5], 1, ARGV[1]) == 0 then return 0 end
enqueue(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[2], ARGV[3])
return 1
`,
);
