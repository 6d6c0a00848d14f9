export { createGuardedBatcher, type MonotonicClock, type RedisGuard } from './redis-guard.ts';
export { redisKeys } from './redis-keys.ts';
export { defineScript } from './redis-script.ts';
