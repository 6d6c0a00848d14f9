/**
 * Cache reads of a key on a UTC day, in one counter. A counter that holds everything is `seeded`: it stands above this
 * number, so that one step counts and tells both. One that Redis has lost today and begun anew is not.
 */
export const SEEDED = 2 ** 40;

const KEPT_SECONDS = 2 * 24 * 60 * 60;

/**
 * The Lua function `countRead(key, day, most)`: `+` counted, `?` counted in a counter that is not seeded, `x` refused and
 * not counted; and how many more there may be today, 0 if that is not known. A marker tells the day on which Redis began to remember: a counter that is missing on a later day is
 * certainly 0, on that day it may have been lost.
 */
export const countReadLua = `
local function countRead(key, day, most)
  local count = redis.call('INCR', key)
  if count == 1 then
    local since = redis.call('GET', 'gateway:reads-by-key:since')
    if not since then redis.call('SET', 'gateway:reads-by-key:since', day) end
    if since and since < day then count = redis.call('INCRBY', key, '${SEEDED}') end
    redis.call('EXPIRE', key, ${KEPT_SECONDS})
  end
  local isSeeded = count > ${SEEDED}
  if isSeeded then count = count - ${SEEDED} end
  if count > most then
    redis.call('DECR', key)
    return 'x', 0
  end
  return isSeeded and '+' or '?', isSeeded and most - count or 0
end
`;

/** KEYS[1] the counter, ARGV the day and the most. */
export const countReadScript = `${countReadLua}
local sign = countRead(KEYS[1], ARGV[1], tonumber(ARGV[2]))
return sign
`;

/** Adds what the ledger knows, ARGV[1], to the counter KEYS[1], once. */
export const seedReadsScript = `
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count >= ${SEEDED} then return 0 end
redis.call('INCRBY', KEYS[1], ${SEEDED} + tonumber(ARGV[1]))
redis.call('EXPIRE', KEYS[1], ${KEPT_SECONDS})
return 1
`;

/** Takes back one read of the counter KEYS[1] that was none after all. */
export const giveBackReadScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end
`;

/** Before the id of the key under which reads count. */
export const readsPrefix = (day: string): string => `gateway:reads-by-key:${day}:`;
