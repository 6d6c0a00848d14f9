import type { Kit } from '@tds/kit';
import type { Surface } from '../surface.ts';
import { createRedisGuard, isFull, type RedisGuardOptions } from './redis-guard.ts';

const PAUSE_MS = 1_000;

/** Log lines per server that is away. */
const fallbackMessages = {
  limits: 'admission goes on without redis',
  cache: 'reads go on without the redis cache',
};

/** The guard of one of the gateway's two servers, with its log lines and its metric. */
export const createServerGuard = (
  { log, metrics }: Pick<Kit<Surface>, 'log' | 'metrics'>,
  server: keyof typeof fallbackMessages,
  { clock, timeoutMs }: Pick<RedisGuardOptions, 'clock' | 'timeoutMs'>,
) =>
  createRedisGuard({
    clock,
    timeoutMs,
    pauseMs: PAUSE_MS,
    onAway: (error) => {
      log.warn(fallbackMessages[server], { error });
      metrics.redisAway.set({ server, why: isFull(error) ? 'full' : 'no answer' }, 1);
    },
    onBack: () => {
      log.info('redis is back in use', { server });
      for (const why of ['full', 'no answer']) metrics.redisAway.set({ server, why }, 0);
    },
  });
