import { type Principal, secondsToNextUtcDay, type Tier, utcDay } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Redis } from 'ioredis';
import { type Limits, limitKeys } from './limits.ts';
import { createLocalReads } from './local-limits.ts';
import type { RedisGuard } from './redis-guard.ts';

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

type WithScripts = {
  tdsCountRead(key: string, limit: number): Promise<CountedRead>;
  tdsReleaseRead(key: string): Promise<unknown>;
};

export type CacheReads = {
  /** Acts on the result of counting; throws `cache_read_cap`. */
  settle(principal: Principal, read: CountedRead): void;
  /** Counts a cached body that admission did not count; throws `cache_read_cap`. */
  count(principal: Principal): Promise<void>;
  /** Takes back a counted read that found no cached body; in the background. */
  release(principal: Principal): void;
  /** Counts in this process, while Redis is away. */
  countLocally(principal: Principal): CountedRead;
};

type CacheReadsDeps = {
  readonly redis: Redis;
  readonly guard: RedisGuard;
  readonly limits: Readonly<Record<Tier, Limits>>;
  readonly now: () => Date;
};

/** Reads count under a key's slot; sessions have no cache reads. */
const readerOf = ({ limitId }: Principal): string => limitId as string;
const toCounterKey = (principal: Principal, day: string): string =>
  limitKeys.reads(principal.accountId, day, readerOf(principal));

/** Counts cached transcripts per key and UTC day, over all gateways. */
export const createCacheReads = ({ redis, guard, limits, now }: CacheReadsDeps): CacheReads => {
  redis.defineCommand('tdsCountRead', { lua: countReadScript, numberOfKeys: 1 });
  redis.defineCommand('tdsReleaseRead', { lua: releaseReadScript, numberOfKeys: 1 });
  const scripted = redis as unknown as WithScripts;
  const local = createLocalReads();
  const refusal = (tier: Tier): ServiceError =>
    serviceError('cache_read_cap', {
      message: `This key has read its ${limits[tier].cacheReadsPerDay} cached transcripts of today. More at 00:00 UTC.`,
      retryAfterSeconds: secondsToNextUtcDay(now()),
    });
  const reads: CacheReads = {
    settle(principal, read) {
      if (read === 'refused') throw refusal(principal.tier);
    },
    async count(principal) {
      const day = utcDay(now());
      const limit = limits[principal.tier].cacheReadsPerDay;
      const read = await guard.run(() => scripted.tdsCountRead(toCounterKey(principal, day), limit));
      reads.settle(principal, read ?? reads.countLocally(principal));
    },
    release(principal) {
      const day = utcDay(now());
      if (guard.isAway()) local.release(readerOf(principal), day);
      else void guard.run(() => scripted.tdsReleaseRead(toCounterKey(principal, day)));
    },
    countLocally: (principal) => {
      const limit = limits[principal.tier].cacheReadsPerDay;
      return local.count(readerOf(principal), utcDay(now()), limit) ? 'counted' : 'refused';
    },
  };
  return reads;
};
