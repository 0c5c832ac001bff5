import { defineScript } from './script.ts';

/**
 * Appends one write to the running turn's journal. A write begins with its own name; one that is among the newest already was sent again
 * after a lost answer and is not appended a second time.
 *
 * KEYS fence, journal. ARGV fence, name of the write, the write. Answers 'done' or 'fence-lost'.
 */
export const journalScript = defineScript(
  'journal',
  2,
  `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'fence-lost' end
for _, write in ipairs(redis.call('LRANGE', KEYS[2], -32, -1)) do
  if string.sub(write, 1, string.len(ARGV[2]) + 1) == ARGV[2] .. ' ' then return 'done' end
end
redis.call('RPUSH', KEYS[2], ARGV[2] .. ' ' .. ARGV[3])
return 'done'
`,
);
