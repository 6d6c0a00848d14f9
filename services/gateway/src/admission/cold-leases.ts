import type { Redis } from 'ioredis';
import { defineScript, type MonotonicClock, type RedisGuard, redisKeys } from '../redis/index.ts';

/** Longer than the longest wait for a cold fetch, so that only leases of dead gateways expire. */
const LEASE_MS = 40_000;

/** A sorted set: members are leases, scores their ends. Takes a lease if fewer than ARGV[1] are alive. */
const takeScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`;

/** Gives the lease back; never fails. */
type Release = () => Promise<void>;

/** Leases in this process; used only while Redis is away. */
const createLocalLeases = (clock: MonotonicClock) => {
  const ends = new Map<string, Map<string, number>>();
  return {
    take(slot: string, leaseId: string, concurrency: number): Release | null {
      const leases = ends.get(slot) ?? new Map<string, number>();
      for (const [id, end] of leases) if (end <= clock()) leases.delete(id);
      if (leases.size >= concurrency) return null;
      ends.set(slot, leases.set(leaseId, clock() + LEASE_MS));
      return async () => {
        leases.delete(leaseId);
        if (leases.size === 0 && ends.get(slot) === leases) ends.delete(slot);
      };
    },
  };
};

/** Leases on cold fetches per slot, shared by all gateways through Redis. */
export const createColdLeases = (redis: Redis, guard: RedisGuard, clock: MonotonicClock) => {
  const takeLease = defineScript<number>(redis, 'tdsTakeColdLease', takeScript);
  const local = createLocalLeases(clock);
  return {
    /** Null if the slot holds all its leases. `leaseId` is unique. */
    async take(slot: string, leaseId: string, concurrency: number): Promise<Release | null> {
      const key = redisKeys.cold(slot);
      const result = await guard.run(() => takeLease([key], concurrency, leaseId, LEASE_MS));
      if (result === null) return local.take(slot, leaseId, concurrency);
      // If it cannot be released now, it expires by itself.
      return result === 1 ? async () => void (await guard.run(() => redis.zrem(key, leaseId))) : null;
    },
  };
};
export type ColdLeases = ReturnType<typeof createColdLeases>;
