import { LRUCache } from 'lru-cache';

const REMEMBERED_KEYS = 10_000;
/** Redis may forget: a key that it would admit again waits no longer than this. */
const TRUSTED_MS = 5_000;

type Refusal = { readonly limit: number; readonly freeAt: number; readonly askAgainAt: number };

/**
 * Keys over their limit, with the moment at which their next permit comes free: nothing can pass before, so Redis need
 * not be asked, and a caller that hammers costs next to nothing.
 */
export type Refusals = {
  /** Milliseconds that are still to wait; 0 if Redis has to be asked. */
  waitMs(keyDigest: string, limit: number, nowMs: number): number;
  keep(keyDigest: string, limit: number, waitMs: number, nowMs: number): void;
};

export const createRefusals = (): Refusals => {
  const known = new LRUCache<string, Refusal>({ max: REMEMBERED_KEYS });
  return {
    waitMs(keyDigest, limit, nowMs) {
      const refusal = known.get(keyDigest);
      if (refusal === undefined || refusal.limit !== limit || refusal.askAgainAt <= nowMs) return 0;
      return refusal.freeAt - nowMs;
    },
    keep(keyDigest, limit, waitMs, nowMs) {
      const freeAt = nowMs + waitMs;
      known.set(keyDigest, { limit, freeAt, askAgainAt: Math.min(freeAt, nowMs + TRUSTED_MS) });
    },
  };
};
