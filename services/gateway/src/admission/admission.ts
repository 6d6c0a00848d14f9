import type { Principal, Tier } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import {
  type AdmissionAsk,
  HELD_BODY,
  PERMITS_ONLY,
  type RedisAnswer,
  type RedisAsk,
  UNCOUNTED,
  UNCOUNTED_PERMITS,
} from './admit-script.ts';
import type { CacheReads, CountedRead } from './cache-reads.ts';
import { type Limits, SESSION_REQUESTS_PER_MINUTE } from './limits.ts';
import type { LocalLimiter } from './local-limits.ts';
import { NO_PERMITS, type PermitBlocks } from './permit-blocks.ts';
import type { RedisAdmission } from './redis-admission.ts';
import type { MonotonicClock } from './redis-guard.ts';

const REMEMBERED_KEYS = 10_000;
/** Redis may forget: a key that it would admit again waits no longer than this. */
const TRUSTED_MS = 5_000;

type Refusal = { readonly limit: number; readonly freeAt: number; readonly askAgainAt: number };

/**
 * Keys over their limit, with the moment at which their next permit comes free: nothing can pass before, so Redis need
 * not be asked, and a caller that hammers costs next to nothing.
 */
type Refusals = {
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

export type Admission = {
  readonly principal: Principal;
  /** Whether the principal came from the projection just now, so that it may be remembered. */
  readonly isLearnt: boolean;
  /** 0 admits the request. */
  readonly waitMs: number;
  /** The balance as projected; null if it is not in Redis, or Redis was not asked. */
  readonly balance: string | null;
  readonly read: CountedRead;
};

type KnownKey = { readonly keyDigest: string; readonly principal: Principal };

/** Permits taken ahead are of cached reads, or of requests that count as none. */
type PermitKind = 'reads' | 'uncounted';
export type BusyKey = KnownKey & { readonly kind: PermitKind };

/** Null where no permits are taken ahead. */
export const kindOf = (wantedKey: string | null): PermitKind | null => {
  if (wantedKey === HELD_BODY) return 'reads';
  return wantedKey === UNCOUNTED ? 'uncounted' : null;
};

const permitsOnly = { reads: PERMITS_ONLY, uncounted: UNCOUNTED_PERMITS } as const;

/** `admitted-and-low` asks for the next permits to be taken now; a number is the milliseconds to wait. */
type Decided = 'admitted' | 'admitted-and-low' | number;

/** By a permit taken ahead, by Redis if it answers, else by this process alone. */
export type Admit = {
  /** Decides without a round trip; null if Redis has to be asked. */
  atOnce(key: KnownKey, wantedKey: string | null): Decided | null;
  /** Milliseconds for which a session is certainly refused, so that nobody need be asked who it is; else 0. */
  sessionWaitMs(sessionDigest: string): number;
  /** Asks Redis. Null if nobody here knows the key: identity has to be asked. */
  ask(ask: AdmissionAsk): Promise<Admission | null>;
  /** Takes the key's next permits of a kind, and on demand its principal as projected now. Null if nothing was learnt. */
  renew(key: BusyKey, how: { readonly rereads: boolean }): Promise<Admission | null>;
};

type AdmissionParts = {
  readonly redis: RedisAdmission;
  readonly local: LocalLimiter;
  readonly blocks: Readonly<Record<PermitKind, PermitBlocks>>;
  readonly reads: Pick<CacheReads, 'countLocally'>;
  readonly clock: MonotonicClock;
  readonly limits: Readonly<Record<Tier, Limits>>;
};

/** What follows from an answer of Redis, or from there being none; refusals are remembered. */
const createConclusions = (
  { local, reads, clock }: AdmissionParts,
  refusals: Refusals,
  perMinute: (principal: Principal) => number,
) => ({
  alone({ keyDigest, known, wantedKey }: AdmissionAsk): Admission | null {
    if (known === null) return null;
    const waitMs = local(keyDigest, perMinute(known), clock());
    if (waitMs > 0) refusals.keep(keyDigest, perMinute(known), waitMs, clock());
    const isRead = waitMs === 0 && wantedKey !== null && wantedKey !== UNCOUNTED;
    const read = isRead ? reads.countLocally(known) : 'none';
    return { isLearnt: false, balance: null, principal: known, waitMs, read };
  },
  from(answer: RedisAnswer, { keyDigest, known }: RedisAsk, askedAt: number): Admission | null {
    if (answer.kind === 'unknown-key') return null;
    const principal = known ?? answer.principal;
    if (principal === null) return null;
    const { waitMs } = answer;
    if (waitMs > 0) refusals.keep(keyDigest, perMinute(principal), waitMs, askedAt);
    return { ...answer, principal, isLearnt: known === null };
  },
});

export const createAdmission = (parts: AdmissionParts): Admit => {
  const { redis, blocks, clock, limits } = parts;
  const refusals = createRefusals();
  const perMinute = ({ keyId, tier }: Principal): number =>
    keyId === null ? SESSION_REQUESTS_PER_MINUTE : limits[tier].requestsPerMinute;
  const conclude = createConclusions(parts, refusals, perMinute);

  const send = async (kind: PermitKind, ask: RedisAsk): Promise<RedisAnswer | null> => {
    const answer = await redis(ask);
    blocks[kind].keep(ask.keyDigest, ask.block, answer?.kind === 'decided' ? answer.taken : '0');
    return answer;
  };
  return {
    atOnce({ keyDigest, principal }, wantedKey) {
      const kind = kindOf(wantedKey);
      const use = kind === null ? 'none' : blocks[kind].use(keyDigest);
      if (use === 'one') return 'admitted';
      if (use === 'one-of-the-last') return 'admitted-and-low';
      const waitMs = refusals.waitMs(keyDigest, perMinute(principal), clock());
      return waitMs > 0 ? waitMs : null;
    },
    sessionWaitMs: (sessionDigest) => refusals.waitMs(sessionDigest, SESSION_REQUESTS_PER_MINUTE, clock()),
    async ask(ask) {
      const { keyDigest, known, wantedKey } = ask;
      const askedAt = clock();
      const kind = known === null ? null : kindOf(wantedKey);
      const block =
        known === null || kind === null ? NO_PERMITS : blocks[kind].next(keyDigest, perMinute(known));
      const sent = { ...ask, block };
      const answer = await (kind === null ? redis(sent) : send(kind, sent));
      return answer === null ? conclude.alone(ask) : conclude.from(answer, sent, askedAt);
    },
    async renew({ keyDigest, principal, kind }, { rereads }) {
      const block = blocks[kind].next(keyDigest, perMinute(principal));
      if (block === NO_PERMITS) return null;
      const askedAt = clock();
      const sent = { keyDigest, known: rereads ? null : principal, wantedKey: permitsOnly[kind], block };
      const answer = await send(kind, sent);
      return answer && conclude.from(answer, sent, askedAt);
    },
  };
};
