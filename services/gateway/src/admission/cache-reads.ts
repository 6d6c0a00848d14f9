import { setTimeout as sleep } from 'node:timers/promises';
import {
  creditsLedger,
  identity,
  type Principal,
  type ServiceError,
  secondsToNextUtcDay,
  serviceError,
  type Tier,
  utcDay,
} from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import type { Redis } from 'ioredis';
import type { Surface } from '../surface.ts';
import { type Limits, limitKeys } from './limits.ts';
import { createLocalReads } from './local-limits.ts';
import type { RedisGuard } from './redis-guard.ts';

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
    return 'refused', 0
  end
  return isSeeded and 'counted' or 'unseeded', isSeeded and most - count or 0
end
`;

/** KEYS the counter and the marker of its account, ARGV the day and the most. */
const countReadScript = `${countReadLua}
local read = countRead(KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]))
return read
`;

/** Adds what the ledger knows, ARGV[1], to the counter KEYS[1], once. */
const seedReadsScript = `
local count = tonumber(redis.call('GET', KEYS[1]) or '0')
if count >= ${SEEDED} then return 0 end
redis.call('INCRBY', KEYS[1], ${SEEDED} + tonumber(ARGV[1]))
redis.call('EXPIRE', KEYS[1], ${KEPT_SECONDS})
return 1
`;

/** Takes back one read of the counter KEYS[1] that was none after all. */
const giveBackReadScript = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end
`;

/**
 * What became of counting a cached body as read: there is none, it was counted, also if its counter may have been
 * lost before, or it is one too many for the day.
 */
export type CountedRead = 'none' | 'counted' | 'unseeded' | 'refused';

/** By then every gateway has reported to the ledger what it had counted before Redis forgot. */
const SETTLED_MS = 1_200;
const AT_ONCE = 16;
const MOST_WAITING = 20_000;

type SeedParts = {
  /** Cache reads of a key on a UTC day as the ledger knows them. */
  recall(principal: Principal, day: string): Promise<number>;
  /** The first of several counters was found to be lost. */
  onLost(): void;
  /** Adds them to the reader's counter, once. */
  seed(reader: string, principal: Principal, day: string, reads: number): Promise<unknown>;
  readonly settledMs?: number;
};

/** Has a counter that was lost seeded within two seconds, in the background; never fails. */
type WantSeed = (reader: string, principal: Principal, day: string) => void;

type Wanted = {
  readonly reader: string;
  readonly principal: Principal;
  readonly day: string;
  readonly at: number;
};

/**
 * Counters that Redis has lost get back what the ledger knows of them. Reads that are counted meanwhile may be in both:
 * so nothing is ever admitted beyond the cap for it, and at most the reads of that second are missing. If it fails,
 * the key's next read tries again.
 */
export const createReadSeeds = ({ recall, seed, onLost, settledMs = SETTLED_MS }: SeedParts): WantSeed => {
  const waiting = new Map<string, Wanted>();
  let isRunning = false;

  const seedOne = async ({ reader, principal, day }: Wanted): Promise<void> => {
    try {
      await seed(reader, principal, day, await recall(principal, day));
    } catch {
      // The counter stays as it is, and says so to the next who counts.
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
    if (waiting.has(reader) || waiting.size >= MOST_WAITING) return;
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
  /** Draws the consequence of what admission counted; throws `cache_read_cap`. */
  settle(principal: Principal, read: CountedRead): void;
  /** Counts a cached body that admission did not know of; throws `cache_read_cap`. */
  count(principal: Principal): Promise<void>;
  /** Takes back a read that admission counted and that found no cached body. Nobody waits for it. */
  giveBack(principal: Principal): void;
  /** Counts in this process alone, while Redis is away. */
  countLocally(principal: Principal): CountedRead;
};

type CacheReadsParts = {
  readonly redis: Redis;
  readonly guard: RedisGuard;
  readonly call: Call<Surface>;
  readonly limits: Readonly<Record<Tier, Limits>>;
  readonly now: () => Date;
  /** Counters were lost: whoever has counted reads and not reported them to the ledger yet is to do so now. */
  readonly onLost: () => void;
};

const startOfDay = (day: string): string => new Date(day).toISOString();

/** What the keys of a slot have read, of which the ledger knows each alone. */
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

/** Reads count under a key's slot, and only keys read. */
const readerOf = ({ limitId }: Principal): string => limitId as string;
const counterOf = (principal: Principal, day: string): string =>
  limitKeys.reads(principal.accountId, day, readerOf(principal));

/** How many cached transcripts each key has read on the UTC day, over all gateways. */
export const createCacheReads = (parts: CacheReadsParts): CacheReads => {
  const { redis, guard, call, limits, now, onLost } = parts;
  redis.defineCommand('tdsCountRead', { lua: countReadScript, numberOfKeys: 2 });
  redis.defineCommand('tdsSeedReads', { lua: seedReadsScript, numberOfKeys: 1 });
  redis.defineCommand('tdsGiveBackRead', { lua: giveBackReadScript, numberOfKeys: 1 });
  const scripted = redis as unknown as WithScripts;
  const local = createLocalReads();
  const wantSeed = createReadSeeds({
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
      if (read === 'unseeded') wantSeed(readerOf(principal), principal, utcDay(now()));
    },
    async count(principal) {
      const day = utcDay(now());
      const most = limits[principal.tier].cacheReadsPerDay;
      const since = limitKeys.readsSince(principal.accountId);
      const read = await guard.run(() => scripted.tdsCountRead(counterOf(principal, day), since, day, most));
      reads.settle(principal, read ?? reads.countLocally(principal));
    },
    giveBack(principal) {
      const day = utcDay(now());
      if (guard.isAway()) local.giveBack(readerOf(principal), day);
      else void guard.run(() => scripted.tdsGiveBackRead(counterOf(principal, day)));
    },
    countLocally: (principal) => {
      const most = limits[principal.tier].cacheReadsPerDay;
      return local.count(readerOf(principal), utcDay(now()), most) ? 'counted' : 'refused';
    },
  };
  return reads;
};
