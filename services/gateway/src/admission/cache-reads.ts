import { setTimeout as sleep } from 'node:timers/promises';
import {
  creditsLedger,
  identity,
  type Principal,
  secondsToNextUtcDay,
  type Tier,
  utcDay,
} from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import type { Call } from '@tds/kit';
import type { Redis } from 'ioredis';
import type { Surface } from '../surface.ts';
import { type Limits, limitKeys } from './limits.ts';
import { createLocalReads } from './local-limits.ts';
import type { RedisGuard } from './redis-guard.ts';

/**
 * Cache reads of a key on a UTC day are one counter. This bit, far above any count, says that the counter is complete, so that one
 * INCR counts and shows completeness. A counter that Redis lost and began anew lacks it.
 */
export const COMPLETE_FLAG = 2 ** 40;

const KEPT_SECONDS = 2 * 24 * 60 * 60;
/** A key that reads once a week begins with a complete counter, too. */
const SINCE_KEPT_SECONDS = 8 * 24 * 60 * 60;

/**
 * The Lua function `countRead(key, sinceKey, day, readsPerDay)` returns a `CountedRead` and how many reads are left
 * today, 0 if unknown. A marker keeps the day since which Redis remembers the account: a counter that is missing on a
 * later day is certainly 0; on that day it may have been lost.
 */
export const countReadLua = `
local function countRead(key, sinceKey, day, readsPerDay)
  local count = redis.call('INCR', key)
  if count == 1 then
    local since = redis.call('GET', sinceKey) or day
    redis.call('SET', sinceKey, since, 'EX', ${SINCE_KEPT_SECONDS})
    if since < day then count = redis.call('INCRBY', key, '${COMPLETE_FLAG}') end
    redis.call('EXPIRE', key, ${KEPT_SECONDS})
  end
  local isComplete = count > ${COMPLETE_FLAG}
  if isComplete then count = count - ${COMPLETE_FLAG} end
  if count > readsPerDay then
    redis.call('DECR', key)
    return 'refused', 0
  end
  return isComplete and 'counted' or 'incomplete', isComplete and readsPerDay - count or 0
end
`;

/** KEYS: counter, marker of its account. ARGV: day, reads per day. */
const countReadScript = `${countReadLua}
local read = countRead(KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]))
return read
`;

/** Adds the ledger's count, ARGV[1], to the counter KEYS[1], once. */
const seedReadsScript = `
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count >= ${COMPLETE_FLAG} then return 0 end
redis.call('INCRBY', KEYS[1], ${COMPLETE_FLAG} + tonumber(ARGV[1]))
redis.call('EXPIRE', KEYS[1], ${KEPT_SECONDS})
return 1
`;

/** Takes one read back from the counter KEYS[1]. */
const giveBackReadScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end
`;

/**
 * `none`: no cached body; `counted`; `incomplete`: counted, but the counter may have been lost before; `refused`: the
 * day's reads are used up, so it was not counted.
 */
export type CountedRead = 'none' | 'counted' | 'incomplete' | 'refused';

/** By then every gateway has reported its counts from before Redis lost them. */
const SETTLED_MS = 1_200;
const AT_ONCE = 16;
const MAX_WAITING = 20_000;

type SeedDeps = {
  /** Cache reads of a key on a UTC day, from the ledger. */
  recall(principal: Principal, day: string): Promise<number>;
  /** Called when the first of several counters was found lost. */
  onLost(): void;
  /** Adds the reads to the counter, once. */
  seed(reader: string, principal: Principal, day: string, reads: number): Promise<unknown>;
  readonly settledMs?: number;
};

/** Seeds a lost counter within two seconds, in the background; never fails. */
type RequestSeed = (reader: string, principal: Principal, day: string) => void;

type LostCounter = {
  readonly reader: string;
  readonly principal: Principal;
  readonly day: string;
  readonly at: number;
};

/**
 * Seeds lost counters with the ledger's counts. Reads counted meanwhile may be in both, so no key exceeds its cap, and
 * at most the reads of that second are missing. If it fails, the key's next read tries again.
 */
export const createReadSeeds = ({ recall, seed, onLost, settledMs = SETTLED_MS }: SeedDeps): RequestSeed => {
  const waiting = new Map<string, LostCounter>();
  let isRunning = false;

  const seedOne = async ({ reader, principal, day }: LostCounter): Promise<void> => {
    try {
      await seed(reader, principal, day, await recall(principal, day));
    } catch {
      // The counter stays incomplete, so the next read tries again.
    } finally {
      waiting.delete(reader);
    }
  };
  const run = async (): Promise<void> => {
    while (waiting.size > 0) {
      const next = waiting.values().take(AT_ONCE).toArray();
      const youngest = Math.max(...next.map(({ at }) => at));
      await sleep(Math.max(0, youngest + settledMs - performance.now()), undefined, { ref: false });
      await Promise.all(next.map(seedOne));
    }
    isRunning = false;
  };
  return (reader, principal, day) => {
    if (waiting.has(reader) || waiting.size >= MAX_WAITING) return;
    waiting.set(reader, { reader, principal, day, at: performance.now() });
    if (isRunning) return;
    isRunning = true;
    onLost();
    void run();
  };
};

const PATIENCE_MS = 1_000;

type WithScripts = {
  tdsCountRead(key: string, sinceKey: string, day: string, most: number): Promise<CountedRead>;
  tdsSeedReads(key: string, reads: number): Promise<number>;
  tdsGiveBackRead(key: string): Promise<unknown>;
};

export type CacheReads = {
  /** Acts on the result of counting; throws `cache_read_cap`. */
  settle(principal: Principal, read: CountedRead): void;
  /** Counts a cached body that admission did not count; throws `cache_read_cap`. */
  count(principal: Principal): Promise<void>;
  /** Takes back a counted read that found no cached body; in the background. */
  giveBack(principal: Principal): void;
  /** Counts in this process, while Redis is away. */
  countLocally(principal: Principal): CountedRead;
};

type CacheReadsDeps = {
  readonly redis: Redis;
  readonly guard: RedisGuard;
  readonly call: Call<Surface>;
  readonly limits: Readonly<Record<Tier, Limits>>;
  readonly now: () => Date;
  /** Counters were lost: report all unreported reads to the ledger now. */
  readonly onLost: () => void;
};

const startOfDay = (day: string): string => new Date(day).toISOString();

/** Sums the ledger's counts of the keys of a slot. */
const recallFrom =
  (call: Call<Surface>) =>
  async ({ accountId, limitId }: Principal, day: string): Promise<number> => {
    const context = { requestId: crypto.randomUUID(), accountId, signal: AbortSignal.timeout(PATIENCE_MS) };
    const slot = { accountId, limitId: limitId as string, since: startOfDay(day) };
    const [{ keyIds }, { byKey }] = await Promise.all([
      call(identity.listSlotKeys, slot, context),
      call(creditsLedger.getDayUsage, { accountId, day }, context),
    ]);
    const counted = byKey.filter(({ keyId }) => keyId !== null && keyIds.includes(keyId));
    return counted.reduce((reads, { cacheHits }) => reads + cacheHits, 0);
  };

/** Reads count under a key's slot; sessions have no cache reads. */
const readerOf = ({ limitId }: Principal): string => limitId as string;
const toCounterKey = (principal: Principal, day: string): string =>
  limitKeys.reads(principal.accountId, day, readerOf(principal));

/** Counts cached transcripts per key and UTC day, over all gateways. */
export const createCacheReads = (deps: CacheReadsDeps): CacheReads => {
  const { redis, guard, call, limits, now, onLost } = deps;
  redis.defineCommand('tdsCountRead', { lua: countReadScript, numberOfKeys: 2 });
  redis.defineCommand('tdsSeedReads', { lua: seedReadsScript, numberOfKeys: 1 });
  redis.defineCommand('tdsGiveBackRead', { lua: giveBackReadScript, numberOfKeys: 1 });
  const scripted = redis as unknown as WithScripts;
  const local = createLocalReads();
  const requestSeed = createReadSeeds({
    recall: recallFrom(call),
    onLost,
    seed: (reader, { accountId }, day, count) =>
      guard.run(() => scripted.tdsSeedReads(limitKeys.reads(accountId, day, reader), count)),
  });
  const refusal = (tier: Tier): ServiceError =>
    serviceError('cache_read_cap', {
      message: `This key has read its ${limits[tier].cacheReadsPerDay} cached transcripts of today. More at 00:00 UTC.`,
      retryAfterSeconds: secondsToNextUtcDay(now()),
    });
  const reads: CacheReads = {
    settle(principal, read) {
      if (read === 'refused') throw refusal(principal.tier);
      if (read === 'incomplete') requestSeed(readerOf(principal), principal, utcDay(now()));
    },
    async count(principal) {
      const day = utcDay(now());
      const most = limits[principal.tier].cacheReadsPerDay;
      const since = limitKeys.readsSince(principal.accountId);
      const read = await guard.run(() =>
        scripted.tdsCountRead(toCounterKey(principal, day), since, day, most),
      );
      reads.settle(principal, read ?? reads.countLocally(principal));
    },
    giveBack(principal) {
      const day = utcDay(now());
      if (guard.isAway()) local.giveBack(readerOf(principal), day);
      else void guard.run(() => scripted.tdsGiveBackRead(toCounterKey(principal, day)));
    },
    countLocally: (principal) => {
      const most = limits[principal.tier].cacheReadsPerDay;
      return local.count(readerOf(principal), utcDay(now()), most) ? 'counted' : 'refused';
    },
  };
  return reads;
};
