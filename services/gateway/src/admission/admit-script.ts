import { HELD_BODY, PERMITS_ONLY, SOUGHT_BODY, UNCOUNTED, UNCOUNTED_PERMITS } from './admit-wire.ts';
import { countReadLua } from './count-read-script.ts';
import { BLOCK_LIFE_MS } from './permit-blocks.ts';

/**
 * Admission of the requests of a batch whose accounts have one hash tag; they come as `ARGV[4]` and are answered in the
 * format of `admit-wire.ts`. KEYS are three for each credential: its rate, its reads of the day, and since when those of its
 * account are counted.
 *
 * The rate is a log of the last `limit` admissions: a request passes unless the admission `limit` before it is
 * younger than the window. So no minute, wherever it starts, holds more than the limit, at the cost of a constant
 * number of steps. Refused requests leave no trace. If Redis is full, the first step that counts fails, and this
 * process decides alone.
 */
const LIFE_MICROS = BLOCK_LIFE_MS * 1_000;

export const admitScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local lastUse = now + ${LIFE_MICROS}
local window = tonumber(ARGV[1])
local freeLimit, paidLimit, freeReads, paidReads, sessionLimit = string.match(ARGV[2], '(%d+) (%d+) (%d+) (%d+) (%d+)')
local limits = { free = tonumber(freeLimit), paid = tonumber(paidLimit), session = tonumber(sessionLimit) }
local reads = { free = tonumber(freeReads), paid = tonumber(paidReads) }
local day = ARGV[3]
${countReadLua}
-- An admission counts from its moment, a permit taken ahead from the last at which it may be used. Moments never run
-- backwards, so an entry is younger than all before it, and whatever a minute holds was used in it.
local function push(rateKey, at, count)
  local newest = redis.call('LINDEX', rateKey, -1)
  local moment = newest and tonumber(newest) > at and newest or string.format('%.0f', at)
  local moments = {}
  for permit = 1, count do moments[permit] = moment end
  redis.call('RPUSH', rateKey, unpack(moments))
  return moment
end

-- Permits are taken ahead only where they are free now; those of cached reads each as one, and none towards the end of a day's
-- reads. Without a readsKey they are of no reads.
local function takeAhead(rateKey, limit, ahead, readsKey, readsLeft)
  if ahead == 0 or (readsKey and readsLeft < ahead * 50) then return 0 end
  local oldest = redis.call('LINDEX', rateKey, ahead - limit)
  if oldest and oldest + window > now then return 0 end
  local moment = push(rateKey, lastUse, ahead)
  redis.call('LTRIM', rateKey, -limit, -1)
  if readsKey then redis.call('INCRBY', readsKey, ahead) end
  return ahead, moment
end

local function giveBack(rateKey, readsKey, back)
  local unused, at = string.match(back, '(%d+):(%d+)')
  local removed = unused and redis.call('LREM', rateKey, -unused, at) or 0
  if removed > 0 and readsKey and redis.call('EXISTS', readsKey) == 1 then redis.call('DECRBY', readsKey, removed) end
end

local function admit(rateKey, limit, at)
  local oldest = redis.call('LINDEX', rateKey, -limit)
  local free = oldest and oldest + window or now
  if free > now then return free - now end
  local moment = push(rateKey, at, 1)
  if oldest then redis.call('LTRIM', rateKey, -limit, -1) end
  redis.call('PEXPIRE', rateKey, (window + ${LIFE_MICROS}) / 1000)
  return 0, moment
end

local answers = {}
local last = 0
for credential, class, wanted, ahead, back in string.gmatch(ARGV[4], '(%d+) (%S+) (%S+) (%S+) (%S+)') do
  local limit = limits[class]
  local rateKey, readsKey, sinceKey = KEYS[3 * credential - 2], KEYS[3 * credential - 1], KEYS[3 * credential]
  local isUncounted = wanted == '${UNCOUNTED}' or wanted == '${UNCOUNTED_PERMITS}'
  if isUncounted then readsKey = nil end
  if back ~= '0' then giveBack(rateKey, readsKey, back) end
  local isForPermits = wanted == '${PERMITS_ONLY}' or wanted == '${UNCOUNTED_PERMITS}'
  local wait, moment = admit(rateKey, limit, isForPermits and lastUse or now)
  local isHeld = wanted == '${HELD_BODY}' or wanted == '${PERMITS_ONLY}'
  local counted, readsLeft, taken = '-', 0, 0
  if wait == 0 and (isHeld or wanted == '${SOUGHT_BODY}') then
    counted, readsLeft = countRead(readsKey, sinceKey, day, reads[class])
  end
  if counted == '+' and isHeld or isUncounted and wait == 0 then
    local permits, lastMoment = takeAhead(rateKey, limit, tonumber(ahead), readsKey, readsLeft)
    if permits > 0 then taken, moment = permits, lastMoment end
  end
  if isForPermits and wait == 0 and counted ~= 'x' then taken = taken + 1 end
  answers[last + 1] = string.format('%.0f', wait)
  answers[last + 2] = counted
  answers[last + 3] = taken > 0 and taken .. ':' .. moment or '0'
  last = last + 3
end
return table.concat(answers, '\\n')
`;
