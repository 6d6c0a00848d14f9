import { LRUCache } from 'lru-cache';
import { WINDOW_MS } from './limits.ts';
import { RateLog } from './rate-log.ts';

const REMEMBERED_KEYS = 10_000;

/** Milliseconds to wait before a key's next request; 0 admits and counts it. */
export type LocalLimiter = (keyDigest: string, limit: number, nowMs: number) => number;

/**
 * The limit while Redis is away. Each process counts for itself, so N gateways admit up to N times the limit for as
 * long as that lasts: better than turning everybody away.
 */
export const createLocalLimiter = (): LocalLimiter => {
  const logs = new LRUCache<string, RateLog>({ max: REMEMBERED_KEYS });
  return (keyDigest, limit, nowMs) => {
    let log = logs.get(keyDigest);
    if (log === undefined || log.limit !== limit) {
      log = new RateLog(limit, WINDOW_MS);
      logs.set(keyDigest, log);
    }
    return log.admit(nowMs);
  };
};
