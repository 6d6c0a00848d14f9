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
import { type CountedRead, countedRead } from './admit-wire.ts';
import { countReadScript, giveBackReadScript, seedReadsScript } from './count-read-script.ts';
import { limitKeys } from './limit-keys.ts';
import type { Limits } from './limits.ts';
import { createLocalReads } from './local-reads.ts';
import { createReadSeeds } from './read-seeds.ts';
import type { RedisGuard } from './redis-guard.ts';

const PATIENCE_MS = 1_000;

type WithScripts = {
  tdsCountRead(key: string, sinceKey: string, day: string, most: number): Promise<string>;
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

export type CacheReadsParts = {
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
      const sign = await guard.run(() => scripted.tdsCountRead(counterOf(principal, day), since, day, most));
      const read = sign === null ? reads.countLocally(principal) : countedRead(sign);
      reads.settle(principal, read);
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
