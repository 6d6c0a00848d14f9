import { LRUCache } from 'lru-cache';
import { WINDOW_MS } from './limits.ts';

/** The last `limit` admissions of one key, as the script in Redis keeps them. Times are monotonic milliseconds. */
export class RateLog {
  readonly #times: Float64Array;
  readonly #windowMs: number;
  #next = 0;

  constructor(limit: number, windowMs: number) {
    this.#times = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
    this.#windowMs = windowMs;
  }

  get limit(): number {
    return this.#times.length;
  }

  /** Milliseconds to wait; 0 admits and counts the request. */
  admit(nowMs: number): number {
    const oldest = this.#times[this.#next] ?? Number.NEGATIVE_INFINITY;
    const waitMs = oldest + this.#windowMs - nowMs;
    if (waitMs > 0) return waitMs;
    this.#times[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#times.length;
    return 0;
  }
}

const REMEMBERED_KEYS = 10_000;

/** Milliseconds to wait; 0 admits and counts the request. */
export type LocalLimiter = (counter: string, limit: number, nowMs: number) => number;

/**
 * The rate limit while Redis is away. Each process counts by itself, so N gateways admit up to N times the limit for
 * that time; refusing everything would be worse.
 */
export const createLocalLimiter = (): LocalLimiter => {
  const logs = new LRUCache<string, RateLog>({ max: REMEMBERED_KEYS });
  return (counter, limit, nowMs) => {
    let log = logs.get(counter);
    if (log === undefined || log.limit !== limit) {
      log = new RateLog(limit, WINDOW_MS);
      logs.set(counter, log);
    }
    return log.admit(nowMs);
  };
};

/** Counts cache reads in this process while Redis is away. */
export const createLocalReads = () => {
  const counts = new LRUCache<string, number>({ max: REMEMBERED_KEYS });
  return {
    /** False, and not counted, beyond `limit`. */
    count(reader: string, day: string, limit: number): boolean {
      const count = counts.get(`${reader} ${day}`) ?? 0;
      if (count < limit) counts.set(`${reader} ${day}`, count + 1);
      return count < limit;
    },
    release(reader: string, day: string): void {
      const count = counts.get(`${reader} ${day}`) ?? 0;
      if (count > 0) counts.set(`${reader} ${day}`, count - 1);
    },
  };
};
