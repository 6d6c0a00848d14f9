import { byHashTag, creditsLedger, type Principal, utcDay } from '@tds/contracts';
import type { Redis } from 'ioredis';
import { createGuardedBatcher, defineScript, type RedisGuard, redisKeys } from '../redis/index.ts';
import { type CountedRead, countReadLua } from './cache-reads.ts';
import { counterOf, findRequestLimit, type KeyLimits, WINDOW_MS } from './limits.ts';
import { PERMIT_LIFE_MS, type PermitKind, type PermitOrder, type Permits } from './permits.ts';

const MICROSECONDS = 1_000;
const WINDOW_MICROS = WINDOW_MS * MICROSECONDS;
const LIFE_MICROS = PERMIT_LIFE_MS * MICROSECONDS;

/**
 * Admits the requests of a batch whose accounts share a hash tag.
 *
 * KEYS, two per key or session: its rate log, its cache reads of the day.
 * ARGV: a line per request as `encodeRequests` writes it. Answers are read by `decodeDecisions`.
 *
 * The rate log holds the moments of the last `limit` admissions. A request passes unless the admission `limit` before
 * it is younger than the window: so no minute, wherever it starts, holds more than the limit, in a constant number of
 * steps. A refused request leaves no trace. If Redis is full, the first write fails and the process decides alone.
 */
const admitScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
-- A permit counts from the last moment at which it may be used.
local lastUse = now + ${LIFE_MICROS}
${countReadLua}
local function isInWindow(moment)
  return moment and moment + ${WINDOW_MICROS} > now
end

-- Moments never run backwards, so an entry is younger than all before it.
local function push(rateKey, limit, at, count)
  local newest = redis.call('LINDEX', rateKey, -1)
  local moment = newest and tonumber(newest) > at and newest or string.format('%.0f', at)
  local moments = {}
  for entry = 1, count do moments[entry] = moment end
  local length = redis.call('RPUSH', rateKey, unpack(moments))
  if length > limit then redis.call('LTRIM', rateKey, -limit, -1) end
  return moment
end

local function release(rateKey, readsKey, unused, moment)
  local removed = redis.call('LREM', rateKey, -unused, moment)
  if removed > 0 and readsKey and redis.call('EXISTS', readsKey) == 1 then
    redis.call('DECRBY', readsKey, removed)
  end
end

-- A renewal takes a permit in place of admitting a request.
local function admit(rateKey, readsKey, limit, readsPerDay, isRenewal, ahead)
  local oldest = redis.call('LINDEX', rateKey, -limit)
  if isInWindow(oldest) then return oldest + ${WINDOW_MICROS} - now, 'none', 0, '0' end
  local moment = push(rateKey, limit, isRenewal and lastUse or now, 1)
  redis.call('PEXPIRE', rateKey, ${(WINDOW_MICROS + LIFE_MICROS) / MICROSECONDS})
  local read, readsLeft, taken = 'none', 0, 0
  if readsKey then read, readsLeft = countRead(readsKey, readsPerDay) end
  if isRenewal and read ~= 'refused' then taken = 1 end
  -- Further permits need room for all of them, and a day's reads that are far from their end.
  local mayTake = not readsKey or read == 'counted' and readsLeft >= ahead * 50
  if ahead > 0 and mayTake and not isInWindow(redis.call('LINDEX', rateKey, ahead - limit)) then
    moment = push(rateKey, limit, lastUse, ahead)
    if readsKey then redis.call('INCRBY', readsKey, ahead) end
    taken = taken + ahead
  end
  return 0, read, taken, moment
end

local answers = {}
local requests = string.gmatch(ARGV[1], '(%d+) (%a+) (%d+) (%w+) (%d+) (%d+) (%d+)')
for credential, purpose, limit, readsPerDay, ahead, unused, moment in requests do
  local rateKey, readsKey = KEYS[2 * credential - 1], nil
  if readsPerDay ~= 'none' then readsKey = KEYS[2 * credential] end
  if unused ~= '0' then release(rateKey, readsKey, unused, moment) end
  local last, isRenewal = #answers, purpose == 'renewal'
  answers[last + 1], answers[last + 2], answers[last + 3], answers[last + 4] =
    admit(rateKey, readsKey, tonumber(limit), tonumber(readsPerDay), isRenewal, tonumber(ahead))
end
return table.concat(answers, '\\n')
`;
const LINES_PER_ANSWER = 4;

/**
 * A request counts in its minute, and beside that: nothing (null), a page of a listing, a transcript that memory has, or a
 * transcript that the cache may have. The last two count as cache reads.
 */
export type RequestUse = PermitKind | { readonly cacheKey: string } | null;

export type AdmissionRequest = {
  readonly keyDigest: string;
  /** Null if the process does not know the key: then its projection is read. */
  readonly principal: Principal | null;
  readonly use: RequestUse;
};

/** A request, or the renewal of a busy key's permits. */
export type RedisRequest = AdmissionRequest & { readonly order: PermitOrder; readonly isRenewal: boolean };

export type RedisDecision = {
  readonly principal: Principal;
  /** 0 admits. */
  readonly waitMs: number;
  /** As projected; null if it is not in Redis, or Redis was not asked. */
  readonly balance: string | null;
  readonly read: CountedRead;
  readonly permits: Permits;
};

type KnownRequest = RedisRequest & { readonly principal: Principal };

/**
 * The script's keys and the requests as text: JSON costs Redis 40 % more per request, hundreds of small arguments cost
 * more than the rest of admission, and a call per request costs this process 45 % more (docs/records/09-gateway.md).
 * A line is: number of the key or session among them, `request` or `renewal`, requests per minute, cache reads per day
 * or `none`, permits to take ahead, permits to release, their moment.
 */
export const encodeRequests = (
  requests: readonly KnownRequest[],
  day: string,
  limits: KeyLimits,
): { readonly keys: readonly string[]; readonly lines: string } => {
  const keys: string[] = [];
  const numbers = new Map<string, number>();
  const lines = requests.map(({ keyDigest, principal, use, order: { ahead, unused }, isRenewal }) => {
    const { accountId, limitId, tier } = principal;
    const counter = counterOf(principal, keyDigest);
    const number = numbers.get(counter) ?? numbers.size + 1;
    if (number > numbers.size) {
      numbers.set(counter, number);
      keys.push(redisKeys.rate(accountId, counter), redisKeys.reads(accountId, day, limitId ?? 'none'));
    }
    const readsPerDay = use === null || use === 'page' ? 'none' : limits[tier].cacheReadsPerDay;
    const purpose = isRenewal ? 'renewal' : 'request';
    return `${number} ${purpose} ${findRequestLimit(principal, limits)} ${readsPerDay} ${ahead} ${unused.count} ${unused.moment}`;
  });
  return { keys, lines: lines.join('\n') };
};

/** An answer is four lines: microseconds to wait, the read, permits taken, their moment. */
export const decodeDecisions = (
  text: string,
  requests: readonly KnownRequest[],
  balances: readonly (string | null)[],
): RedisDecision[] => {
  const lines = text.split('\n');
  return requests.map(({ principal }, index) => {
    const at = index * LINES_PER_ANSWER;
    return {
      principal,
      waitMs: Number(lines[at]) / MICROSECONDS,
      balance: balances[index] ?? null,
      read: lines[at + 1] as CountedRead,
      permits: { count: Number(lines[at + 2]), moment: lines[at + 3] as string },
    };
  });
};

/** By key digest. `unknown` if identity has to be asked; null if Redis is away. */
export type ReadPrincipal = (keyDigest: string) => Promise<Principal | 'unknown' | null>;

/** Decides in one round trip, after another if the key is not known here; null if Redis is away. */
export type RedisAdmission = (request: RedisRequest) => Promise<RedisDecision | 'unknown-key' | null>;

type RedisAdmissionDeps = {
  readonly limits: KeyLimits;
  readonly now: () => Date;
  readonly readPrincipal: ReadPrincipal;
};

const balanceKey = ({ principal }: KnownRequest): string => creditsLedger.balance.key(principal.accountId);

export const createRedisAdmission = (
  redis: Redis,
  guard: RedisGuard,
  { limits, now, readPrincipal }: RedisAdmissionDeps,
): RedisAdmission => {
  const admit = defineScript<string>(redis, 'tdsAdmit', admitScript);
  const decideGroup = async (requests: readonly KnownRequest[]): Promise<RedisDecision[]> => {
    const day = utcDay(now());
    const { keys, lines } = encodeRequests(requests, day, limits);
    // The ledger owns the balances, and scripts touch the gateway's own keys only.
    const [text, balances] = await Promise.all([admit(keys, lines), redis.mget(requests.map(balanceKey))]);
    return decodeDecisions(text, requests, balances);
  };
  const decide = createGuardedBatcher(guard, async (requests: readonly KnownRequest[]) => {
    const decisions = new Map<KnownRequest, RedisDecision | undefined>();
    const groups = byHashTag(requests, balanceKey).map(async (group) => {
      const results = await decideGroup(group);
      for (const [index, request] of group.entries()) decisions.set(request, results[index]);
    });
    await Promise.all(groups);
    return requests.map((request) => decisions.get(request));
  });
  return async (request) => {
    const principal = request.principal ?? (await readPrincipal(request.keyDigest));
    if (principal === 'unknown') return 'unknown-key';
    return principal && ((await decide({ ...request, principal })) ?? null);
  };
};
