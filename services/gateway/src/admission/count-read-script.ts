/**
 * Cache reads of a key on a UTC day, in one counter. A counter that holds everything is `seeded`: it stands above this
 * number, so that one step counts and tells both. One that Redis has lost today and begun anew is not.
 */
export const SEEDED = 2 ** 40;

const KEPT_SECONDS = 2 * 24 * 60 * 60;
/** So that whoever reads once a week begins with a complete counter, too. */
const SINCE_KEPT_SECONDS = 8 * 24 * 60 * 60;

/**
 * The Lua function `countRead(key, sinceKey, day, most)`: `+` counted, `?` counted in a counter that is not seeded, `x` refused
 * and not counted; and how many more there may be today, 0 if that is not known. A marker tells the day since which Redis
 * remembers the account: a counter that is missing on a later day is certainly 0, on that day it may have been lost.
 */
export const countReadLua = `
local function countRead(key, sinceKey, day, most)
  local count = redis.call('INCR', key)
  if count == 1 then
    local since = redis.call('GET', sinceKey) or day
    redis.call('SET', sinceKey, since, 'EX', ${SINCE_KEPT_SECONDS})
    if since < day then count = redis.call('INCRBY', key, '${SEEDED}') end
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

/** KEYS the counter and the marker of its account, ARGV the day and the most. */
export const countReadScript = `${countReadLua}
local sign = countRead(KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]))
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
