import { type KeyRing, signProjection } from '@tds/base';
import { identity, keyRingUses, type Principal, SECOND_MS } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { PROJECT_WITHIN_MS } from '../domain/principal.ts';
import type { Surface } from '../surface.ts';

/** A time by Redis's clock, which continues while this process or its machine is suspended. */
type RedisTime = number;

export type ProjectedPrincipal = {
  readonly keyDigest: string;
  readonly principal: Principal;
  readonly lifeMs: number;
};

const BATCH_SIZE = 100;

/** All scripts use Redis's clock, so that a late command does no harm. */
const clock = `local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)`;
/** Keys: the entry and the mark of its removal, which outlives the write of any older read. Entries expire by themselves. */
const WRITE_ENTRY = `${clock}
local removed = redis.call('GET', KEYS[2])
local left = ARGV[4] - now
if left <= 0 or now > ARGV[1] + ARGV[2] then redis.call('UNLINK', KEYS[1])
elseif not removed or tonumber(removed) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[3], 'PX', left) end`;
const REMOVE_ENTRY = `${clock}
redis.call('UNLINK', KEYS[1])
redis.call('SET', KEYS[2], now, 'PX', ARGV[1])`;
const RENEW_FRESHNESS = `${clock}
local left = tonumber(ARGV[1]) - now
if left <= 0 or redis.call('PTTL', KEYS[1]) >= left then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', left)
return 1`;

const keysOf = (keyDigest: string): [entry: string, removal: string] => {
  const entry = identity.principal.key(keyDigest);
  return [entry, `${entry}:removed`];
};

type ScriptedRedis = {
  tdsWriteEntry(entry: string, removal: string, ...values: (string | number)[]): Promise<unknown>;
  tdsRemoveEntry(entry: string, removal: string, retentionMs: number): Promise<unknown>;
  tdsRenewFreshness(key: string, until: number, text: string): Promise<unknown>;
};

const defineScripts = (redis: Kit<Surface>['redis']): ScriptedRedis => {
  redis.defineCommand('tdsWriteEntry', { lua: WRITE_ENTRY, numberOfKeys: 2 });
  redis.defineCommand('tdsRemoveEntry', { lua: REMOVE_ENTRY, numberOfKeys: 2 });
  redis.defineCommand('tdsRenewFreshness', { lua: RENEW_FRESHNESS, numberOfKeys: 1 });
  return redis as unknown as ScriptedRedis;
};

/** Sends some items at a time; each is a separate step in Redis. */
async function inBatches<T>(items: readonly T[], send: (item: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += BATCH_SIZE)
    await Promise.all(items.slice(from, from + BATCH_SIZE).map(send));
}

export const createProjectedPrincipals = (redis: Kit<Surface>['redis'], ring: KeyRing) => {
  const scripted = defineScripts(redis);
  const macs = ring.forUse(keyRingUses.principals);
  return {
    /** Read it before the database. Throws if Redis does not answer. */
    time: async (): Promise<RedisTime> => {
      const [seconds, microseconds] = await redis.time();
      return Number(seconds) * SECOND_MS + Math.floor(Number(microseconds) / SECOND_MS);
    },
    /**
     * Writes each entry for its life, as read from the database after `readAfter`. Skips entries removed since then. If more than two seconds
     * have passed, removes all of them instead.
     */
    write: (entries: readonly ProjectedPrincipal[], readAfter: RedisTime) =>
      inBatches(
        entries.filter(({ lifeMs }) => lifeMs >= 1),
        ({ keyDigest, principal, lifeMs }) => {
          const [entry, removal] = keysOf(keyDigest);
          const until = readAfter + Math.floor(lifeMs);
          const text = signProjection(macs, entry, principal, until);
          return scripted.tdsWriteEntry(entry, removal, readAfter, PROJECT_WITHIN_MS, text, until);
        },
      ),
    /** Throws if Redis does not answer. */
    remove: (keyDigests: readonly string[]) =>
      inBatches(keyDigests, (keyDigest) =>
        scripted.tdsRemoveEntry(...keysOf(keyDigest), 2 * PROJECT_WITHIN_MS),
      ),
    /** Declares all entries valid until 15 s after `sweptAfter`. The mark is signed, so that gateways can verify its author. */
    renewFreshness: async (sweptAfter: RedisTime) => {
      const until = sweptAfter + identity.principalsFresh.ttlSeconds * SECOND_MS;
      const key = identity.principalsFresh.key();
      await scripted.tdsRenewFreshness(key, until, signProjection(macs, key, '1', until));
    },
  };
};
export type ProjectedPrincipals = ReturnType<typeof createProjectedPrincipals>;
