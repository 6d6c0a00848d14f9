import { byHashTag, identity, type Principal } from '@tds/contracts';
import type { Redis } from 'ioredis';
import type { ReadProjected } from '../principals/projected-principals.ts';
import { MICROSECONDS } from './admit-wire.ts';
import { createBatch } from './batch.ts';

import type { RedisGuard } from './redis-guard.ts';

/** By the digest of a key. `unknown` if none is to be believed: identity has to be asked. Null if Redis is away. */
export type ReadPrincipal = (keyDigest: string) => Promise<Principal | 'unknown' | null>;

const { principal, principalsFresh } = identity;
const MS_PER_SECOND = 1_000;

type Reading = Pick<Redis, 'get' | 'mget' | 'time'>;

/** Principals as identity projects them, while it declares them fresh. */
export const createPrincipalReads = (
  redis: Reading,
  guard: RedisGuard,
  readProjected: ReadProjected,
): ReadPrincipal => {
  const readTexts = async (digests: readonly string[]): Promise<ReadonlyMap<string, string | null>> => {
    const read = byHashTag([...new Set(digests)], principal.key).map(async (some) => {
      const texts = await redis.mget(some.map((digest) => principal.key(digest)));
      return some.map((digest, index) => [digest, texts[index] ?? null] as const);
    });
    return new Map((await Promise.all(read)).flat());
  };
  return createBatch({
    send: (digests) =>
      guard.run(async () => {
        // In this order, so that what is read is at least as new as its freshness, and that at least as new as the time. The other
        // way round, an entry of before an outage could be read just before its removal, and taken for fresh just after.
        const [[seconds, microseconds], fresh, texts] = await Promise.all([
          redis.time(),
          redis.get(principalsFresh.key()),
          readTexts(digests),
        ]);
        const time = Number(seconds) * MS_PER_SECOND + Math.floor(Number(microseconds) / MICROSECONDS);
        return digests.map((digest) => {
          const text = texts.get(digest) ?? null;
          if (fresh === null || text === null) return 'unknown';
          return readProjected(digest, { time, fresh, text }) ?? 'unknown';
        });
      }),
    mayHold: () => !guard.isAway(),
  });
};
