import { type Principal, principals, principalsFresh } from '@tds/contracts';
import type { Kit } from '@tds/service-kit';
import { PROJECT_WITHIN_MS } from '../domain/revocation-bound.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Surface } from '../surface.ts';

/** An instant by Redis's own clock, which goes on while this process is frozen or its machine suspended. */
export type RedisTime = number;

export type ProjectedPrincipals = {
  /** To be asked before the database is read. Throws where Redis does not answer. */
  time(): Promise<RedisTime>;
  /** Keeps the entry for `lifeMs` unless more than two seconds have passed since `readAfter`. */
  write(entry: {
    keyDigest: string;
    principal: Principal;
    lifeMs: number;
    readAfter: RedisTime;
  }): Promise<void>;
  /** Throws where Redis does not answer: nobody may take silence for success. */
  remove(keyDigests: readonly string[]): Promise<void>;
  /** Vouches for all entries until 15 s after `sweptAfter`. */
  renewFreshness(sweptAfter: RedisTime): Promise<void>;
};

const REMOVED_AT_ONCE = 500;

/** Both scripts decide by Redis's clock, so that a command that arrives late changes nothing. */
const clock = `local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
const WRITE_ENTRY = `${clock}
if now > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;
const RENEW_FRESHNESS = `${clock}
local left = tonumber(ARGV[1]) - now
if left <= 0 or redis.call('PTTL', KEYS[1]) >= left then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', left)
return 1`;

/** As the kit's projections keep values. */
const encode = (value: unknown): string => JSON.stringify({ version: 0, value });

export const createProjectedPrincipals = (
  redis: Kit<Surface>['redis'],
  { writeWithinMs = PROJECT_WITHIN_MS }: { writeWithinMs?: number } = {},
): ProjectedPrincipals => ({
  time: async () => {
    const [seconds, microseconds] = await redis.time();
    return Number(seconds) * SECOND_MS + Math.floor(Number(microseconds) / SECOND_MS);
  },
  write: async ({ keyDigest, principal, lifeMs, readAfter }) => {
    if (lifeMs <= 0) return;
    const arguments_ = [readAfter + writeWithinMs, encode(principal), Math.floor(lifeMs)];
    await redis.eval(WRITE_ENTRY, 1, principals.key(keyDigest), ...arguments_);
  },
  remove: async (keyDigests) => {
    const keys = [...new Set(keyDigests)].map((digest) => principals.key(digest));
    for (let start = 0; start < keys.length; start += REMOVED_AT_ONCE) {
      await redis.unlink(keys.slice(start, start + REMOVED_AT_ONCE));
    }
  },
  renewFreshness: async (sweptAfter) => {
    const until = sweptAfter + principalsFresh.ttlSeconds * SECOND_MS;
    await redis.eval(RENEW_FRESHNESS, 1, principalsFresh.key(), until, encode('1'));
  },
});
