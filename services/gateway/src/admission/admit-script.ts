/**
 * Admission of a batch of requests. Per request five arguments: rate key, principal key, account, tier, body key;
 * account and tier are empty where the gateway does not know the key, and are then read from the principal.
 *
 * The rate is a log of the last `limit` admissions: a request passes unless the admission `limit` places ago is
 * younger than the window. So no minute, wherever it starts, holds more than the limit, at the cost of a constant
 * number of steps. Refused requests leave no trace.
 *
 * Keys are built from values that are read here, so this script wants one Redis, not a cluster.
 */
export const admitScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local window = tonumber(ARGV[1])
local freshKey, balancePrefix = ARGV[2], ARGV[3]
local limits = { free = tonumber(ARGV[4]), paid = tonumber(ARGV[5]) }

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

local answers = {}
for at = 6, #ARGV, 5 do
  local rateKey, principalKey, account, tier, bodyKey = unpack(ARGV, at, at + 4)
  local principal = false
  if account == '' and redis.call('EXISTS', freshKey) == 1 then
    principal = redis.call('GET', principalKey)
    local isReadable
    if principal then isReadable, account, tier = pcall(decode, principal) end
    if not isReadable then principal = false end
  end
  local limit = limits[tier]
  if limit then
    local wait = admit(rateKey, limit)
    local body = wait == 0 and bodyKey ~= '' and redis.call('GET', bodyKey)
    answers[#answers + 1] = { wait, principal, redis.call('GET', balancePrefix .. account), body }
  else
    answers[#answers + 1] = { -1 }
  end
end
return answers
`;
