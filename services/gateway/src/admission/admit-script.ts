import { countReadLua } from './count-read-script.ts';

/** Stands for a wanted key: the gateway holds the body itself, and only its delivery is to be counted. */
export const HELD_BODY = '+';

/**
 * Admission of a batch of requests. ARGV[6] has one line per request: key digest, account, tier and wanted key, parted
 * by blanks; `-` stands for what is not known or wanted, `+` for a body that the gateway holds itself. Where the gateway
 * does not know the key, account and tier are read from its principal. The first value that comes back has five lines per request: microseconds to wait (0 admits,
 * -1 is an unknown key), principal, balance (both JSON, so without line ends), whether one of the further values, in
 * order, is the wanted one, and what became of counting a cached body as read: `-` there is none, else `countRead`.
 *
 * The rate is a log of the last `limit` admissions: a request passes unless the admission `limit` places ago is
 * younger than the window. So no minute, wherever it starts, holds more than the limit, at the cost of a constant
 * number of steps. Refused requests leave no trace.
 *
 * One argument and one value for all: hundreds of small ones cost the client more than all the rest of admission.
 * Keys are built from values that are read here, so this script wants one Redis, not a cluster.
 */
export const admitScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local window = tonumber(ARGV[1])
local freshKey, principalPrefix, balancePrefix = ARGV[2], ARGV[3], ARGV[4]
local freeLimit, paidLimit, freeReads, paidReads = string.match(ARGV[5], '(%d+) (%d+) (%d+) (%d+)')
local limits = { free = tonumber(freeLimit), paid = tonumber(paidLimit) }
local reads = { free = tonumber(freeReads), paid = tonumber(paidReads) }
local day, readsPrefix = ARGV[7], ARGV[8]
${countReadLua}
local function decode(text)
  local kept = cjson.decode(text).value
  return kept.accountId, kept.tier
end

local function admit(rateKey, limit)
  local oldest = redis.call('LINDEX', rateKey, -limit)
  local free = oldest and oldest + window or now
  if free > now then return free - now end
  redis.call('RPUSH', rateKey, string.format('%.0f', now))
  if oldest then redis.call('LTRIM', rateKey, -limit, -1) end
  redis.call('PEXPIRE', rateKey, window / 1000)
  return 0
end

local answers, values = {}, {}
local last = 0
for digest, account, tier, wanted in string.gmatch(ARGV[6], '(%S+) (%S+) (%S+) (%S+)') do
  local principal = false
  if account == '-' and redis.call('EXISTS', freshKey) == 1 then
    principal = redis.call('GET', principalPrefix .. digest)
    local isReadable
    if principal then isReadable, account, tier = pcall(decode, principal) end
    if not isReadable then principal = false end
  end
  local limit = limits[tier]
  local wait = limit and admit('gateway:rate:' .. digest, limit) or -1
  local isHeld = wanted == '${HELD_BODY}'
  local value = wait == 0 and not isHeld and wanted ~= '-' and redis.call('GET', wanted)
  local counted = '-'
  if value or (isHeld and wait == 0) then counted = countRead(readsPrefix .. digest, day, reads[tier]) end
  if counted == 'x' then value = false end
  if value then values[#values + 1] = value end
  answers[last + 1] = string.format('%.0f', wait)
  answers[last + 2] = principal or '-'
  answers[last + 3] = limit and redis.call('GET', balancePrefix .. account) or '-'
  answers[last + 4] = value and '+' or '-'
  answers[last + 5] = counted
  last = last + 5
end
return { table.concat(answers, '\\n'), unpack(values) }
`;
