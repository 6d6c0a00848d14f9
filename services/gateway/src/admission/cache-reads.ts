import { type Principal, secondsToNextUtcDay, type Tier, utcDay } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Redis } from 'ioredis';
import { defineScript, type RedisGuard, redisKeys } from '../redis/index.ts';
import type { KeyLimits } from './limits.ts';
import { createLocalReads } from './local-limits.ts';

const KEPT_SECONDS = 2 * 24 * 60 * 60;

/**
 * The Lua function `countRead(key, readsPerDay)` returns a `CountedRead` and how many reads are left today. A Redis that lost its data
 * counts the day anew: its reads are free, and the cap bounds load.
 */
export const countReadLua = `
local function countRead(key, readsPerDay)
  local count = redis.call('INCR', key)
  if count == 1 then redis.call('EXPIRE', key, ${KEPT_SECONDS}) end
  if count > readsPerDay then
    redis.call('DECR', key)
    return 'refused', 0
  end
  return 'counted', readsPerDay - count
end
`;

/** KEYS: counter. ARGV: reads per day. */
const countReadScript = `${countReadLua}
local read = countRead(KEYS[1], tonumber(ARGV[1]))
return read
`;

/** Takes one read back from the counter KEYS[1]. */
const releaseReadScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end
`;

/** `none`: no cached body; `refused`: the day's reads are used up, so it was not counted. */
export type CountedRead = 'none' | 'counted' | 'refused';

type CacheReadsDeps = {
  readonly redis: Redis;
  readonly guard: RedisGuard;
  readonly limits: KeyLimits;
  readonly now: () => Date;
};

/** Reads count under a key's slot; sessions have no cache reads. */
const readerOf = ({ limitId }: Principal): string => limitId as string;
const toCounterKey = (principal: Principal, day: string): string =>
  redisKeys.reads(principal.accountId, day, readerOf(principal));

/** Counts cached transcripts per key and UTC day, over all gateways. */
export const createCacheReads = ({ redis, guard, limits, now }: CacheReadsDeps) => {
  const countRead = defineScript<CountedRead>(redis, 'tdsCountRead', countReadScript);
  const releaseRead = defineScript(redis, 'tdsReleaseRead', releaseReadScript);
  const local = createLocalReads();
  const refusal = (tier: Tier): ServiceError =>
    serviceError('cache_read_cap', {
      message: `This key has read its ${limits[tier].cacheReadsPerDay} cached transcripts of today. More at 00:00 UTC.`,
      retryAfterSeconds: secondsToNextUtcDay(now()),
    });
  /** Acts on the result of counting; throws `cache_read_cap`. */
  const settle = ({ tier }: Principal, read: CountedRead): void => {
    if (read === 'refused') throw refusal(tier);
  };
  /** Counts in this process, while Redis is away. */
  const countLocally = (principal: Principal): CountedRead => {
    const limit = limits[principal.tier].cacheReadsPerDay;
    return local.count(readerOf(principal), utcDay(now()), limit) ? 'counted' : 'refused';
  };
  return {
    settle,
    countLocally,
    /** Counts a cached body that admission did not count; throws `cache_read_cap`. */
    async count(principal: Principal): Promise<void> {
      const day = utcDay(now());
      const limit = limits[principal.tier].cacheReadsPerDay;
      const read = await guard.run(() => countRead([toCounterKey(principal, day)], limit));
      settle(principal, read ?? countLocally(principal));
    },
    /** Takes back a counted read that found no cached body; in the background. */
    release(principal: Principal): void {
      const day = utcDay(now());
      if (guard.isAway()) local.release(readerOf(principal), day);
      else void guard.run(() => releaseRead([toCounterKey(principal, day)]));
    },
  };
};
export type CacheReads = ReturnType<typeof createCacheReads>;
