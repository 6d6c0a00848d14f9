import { identity, keyRingUses, type Principal } from '@tds/contracts';
import { type KeyRing, type Kit, sealProjection } from '@tds/service-kit';
import { PROJECT_WITHIN_MS } from '../domain/revocation-bound.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Surface } from '../surface.ts';

/** An instant by Redis's own clock, which goes on while this process is frozen or its machine suspended. */
export type RedisTime = number;

export type ProjectedPrincipal = {
  readonly keyDigest: string;
  readonly principal: Principal;
  readonly lifeMs: number;
};

export type ProjectedPrincipals = {
  /** To be read before the database is. Throws if Redis does not answer. */
  time(): Promise<RedisTime>;
  /**
   * Keeps each entry for its life, as the database had it after `readAfter`. Entries that were removed since then are not put
   * back, and if more than two seconds have passed since then, all of them are removed instead.
   */
  write(entries: readonly ProjectedPrincipal[], readAfter: RedisTime): Promise<void>;
  /** Throws if Redis does not answer: silence must not pass for success. */
  remove(keyDigests: readonly string[]): Promise<void>;
  /** Declares all entries valid until 15 s after `sweptAfter`. What is written is sealed, so that gateways know whose word it is. */
  renewFreshness(sweptAfter: RedisTime): Promise<void>;
};

const AT_ONCE = 500;

/** All scripts decide by Redis's clock, so that a command that arrives late does no harm. */
const clock = `local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
/**
 * Of each key: its entry, and the mark of its removal, which lives for as long as an older read may be written. Entries end
 * when they say.
 */
const WRITE_ENTRIES = `${clock}
local isLate = now > ARGV[1] + ARGV[2]
for at = 1, #KEYS, 2 do
  local removed = redis.call('GET', KEYS[at + 1])
  if isLate then redis.call('UNLINK', KEYS[at])
  elseif not removed or tonumber(removed) < tonumber(ARGV[1]) then
    local left = ARGV[at + 3] - now
    if left > 0 then redis.call('SET', KEYS[at], ARGV[at + 2], 'PX', left) else redis.call('UNLINK', KEYS[at]) end
  end
end`;
const REMOVE_ENTRIES = `${clock}
for at = 1, #KEYS, 2 do
  redis.call('UNLINK', KEYS[at])
  redis.call('SET', KEYS[at + 1], now, 'PX', ARGV[1])
end`;
const RENEW_FRESHNESS = `${clock}
local left = tonumber(ARGV[1]) - now
if left <= 0 or redis.call('PTTL', KEYS[1]) >= left then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', left)
return 1`;

const keysOf = (keyDigest: string): [entry: string, removal: string] => {
  const entry = identity.principal.key(keyDigest);
  return [entry, `${entry}:removed`];
};

const inBatches = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / AT_ONCE) }, (_, batch) =>
    items.slice(batch * AT_ONCE, (batch + 1) * AT_ONCE),
  );

export const createProjectedPrincipals = (
  redis: Kit<Surface>['redis'],
  ring: KeyRing,
  { writeWithinMs = PROJECT_WITHIN_MS }: { writeWithinMs?: number } = {},
): ProjectedPrincipals => {
  const macs = ring.forUse(keyRingUses.principals);
  return {
    time: async () => {
      const [seconds, microseconds] = await redis.time();
      return Number(seconds) * SECOND_MS + Math.floor(Number(microseconds) / SECOND_MS);
    },
    write: async (entries, readAfter) => {
      for (const some of inBatches(entries.filter(({ lifeMs }) => lifeMs >= 1))) {
        const values = some.flatMap(({ keyDigest, principal, lifeMs }) => {
          const until = readAfter + Math.floor(lifeMs);
          return [sealProjection(macs, identity.principal.key(keyDigest), principal, until), until];
        });
        const keys = some.flatMap(({ keyDigest }) => keysOf(keyDigest));
        await redis.eval(WRITE_ENTRIES, keys.length, ...keys, readAfter, writeWithinMs, ...values);
      }
    },
    remove: async (keyDigests) => {
      for (const some of inBatches(keyDigests)) {
        const keys = some.flatMap(keysOf);
        await redis.eval(REMOVE_ENTRIES, keys.length, ...keys, 2 * writeWithinMs);
      }
    },
    renewFreshness: async (sweptAfter) => {
      const until = sweptAfter + identity.principalsFresh.ttlSeconds * SECOND_MS;
      const key = identity.principalsFresh.key();
      await redis.eval(RENEW_FRESHNESS, 1, key, until, sealProjection(macs, key, '1', until));
    },
  };
};
