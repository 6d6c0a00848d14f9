import type { Principal } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from '../redis/index.ts';
import type { CacheReads } from './cache-reads.ts';
import { counterOf, findRequestLimit, type KeyLimits, SESSION_REQUESTS_PER_MINUTE } from './limits.ts';
import type { LocalLimiter } from './local-limits.ts';
import { NO_ORDER, NO_PERMITS, type PermitBlocks, type PermitKind } from './permits.ts';
import type {
  AdmissionRequest,
  RedisAdmission,
  RedisDecision,
  RedisRequest,
  RequestUse,
} from './redis-admission.ts';

const REMEMBERED_KEYS = 10_000;
/** If Redis lost its counts, a refused key waits no longer than this. */
const TRUSTED_MS = 5_000;

type Refusal = { readonly limit: number; readonly freeAt: number; readonly askAgainAt: number };

/** Keys over their limit, with the moment of their next free place: until then Redis is not asked. */
export const createRefusals = () => {
  const entries = new LRUCache<string, Refusal>({ max: REMEMBERED_KEYS });
  return {
    /** Milliseconds still to wait; 0 if Redis has to be asked. */
    waitMs(counter: string, limit: number, nowMs: number): number {
      const refusal = entries.get(counter);
      if (refusal === undefined || refusal.limit !== limit || refusal.askAgainAt <= nowMs) return 0;
      return refusal.freeAt - nowMs;
    },
    keep(counter: string, limit: number, waitMs: number, nowMs: number): void {
      const freeAt = nowMs + waitMs;
      entries.set(counter, { limit, freeAt, askAgainAt: Math.min(freeAt, nowMs + TRUSTED_MS) });
    },
  };
};

export type Admission = Omit<RedisDecision, 'permits'> & {
  /** The principal was read from its projection just now, so it may be remembered. */
  readonly isNew: boolean;
};

type KnownKey = { readonly keyDigest: string; readonly principal: Principal };
export type BusyKey = KnownKey & { readonly kind: PermitKind };

/** The kind of permit that a request may use; null if none. */
export const toPermitKind = (use: RequestUse): PermitKind | null => (typeof use === 'string' ? use : null);

/** `admitted-and-low`: the next permits should be taken now. A number: milliseconds to wait. */
type ImmediateDecision = 'admitted' | 'admitted-and-low' | number;

type AdmissionDeps = {
  readonly redis: RedisAdmission;
  readonly local: LocalLimiter;
  readonly blocks: Readonly<Record<PermitKind, PermitBlocks>>;
  readonly reads: Pick<CacheReads, 'countLocally'>;
  readonly clock: MonotonicClock;
  readonly limits: KeyLimits;
};

/** Admissions from an answer of Redis, or without one; refusals are remembered. */
const createDecisions = (
  { local, reads, clock, limits }: AdmissionDeps,
  refusals: ReturnType<typeof createRefusals>,
) => ({
  withoutRedis({ keyDigest, principal, use }: AdmissionRequest): Admission | null {
    if (principal === null) return null;
    const limit = findRequestLimit(principal, limits);
    const counter = counterOf(principal, keyDigest);
    const waitMs = local(counter, limit, clock());
    if (waitMs > 0) refusals.keep(counter, limit, waitMs, clock());
    const isRead = waitMs === 0 && use !== null && use !== 'page';
    const read = isRead ? reads.countLocally(principal) : 'none';
    return { isNew: false, balance: null, principal, waitMs, read };
  },
  from(
    decision: RedisDecision,
    { keyDigest, principal: cached }: AdmissionRequest,
    askedAt: number,
  ): Admission {
    const { principal, waitMs, balance, read } = decision;
    const counter = counterOf(principal, keyDigest);
    if (waitMs > 0) refusals.keep(counter, findRequestLimit(principal, limits), waitMs, askedAt);
    return { principal, waitMs, balance, read, isNew: cached === null };
  },
});

/** Admission by a permit in hand, by Redis if it answers, else by this process alone. */
export const createAdmission = (deps: AdmissionDeps) => {
  const { redis, blocks, clock, limits } = deps;
  const refusals = createRefusals();
  const decide = createDecisions(deps, refusals);
  /** Asks Redis and keeps the permits that it grants. */
  const send = async (request: RedisRequest, kind: PermitKind | null, counter: string) => {
    const decision = await redis(request);
    const isDecided = decision !== null && decision !== 'unknown-key';
    if (kind !== null) blocks[kind].keep(counter, request.order, isDecided ? decision.permits : NO_PERMITS);
    return decision;
  };
  return {
    /** Decides without a round trip; null if Redis has to be asked. */
    decideLocally({ keyDigest, principal }: KnownKey, use: RequestUse): ImmediateDecision | null {
      const kind = toPermitKind(use);
      const counter = counterOf(principal, keyDigest);
      const permit = kind === null ? 'none' : blocks[kind].use(counter);
      if (permit !== 'none') return permit === 'low' ? 'admitted-and-low' : 'admitted';
      const waitMs = refusals.waitMs(counter, findRequestLimit(principal, limits), clock());
      return waitMs > 0 ? waitMs : null;
    },
    /** Milliseconds for which a session is certainly refused, so that identity is not asked; else 0. */
    sessionWaitMs: (sessionDigest: string) =>
      refusals.waitMs(sessionDigest, SESSION_REQUESTS_PER_MINUTE, clock()),
    /** Asks Redis. Null if neither Redis nor this process knows the key. */
    async ask(request: AdmissionRequest): Promise<Admission | null> {
      const { keyDigest, principal, use } = request;
      const askedAt = clock();
      const kind = principal && toPermitKind(use);
      const counter = principal === null ? keyDigest : counterOf(principal, keyDigest);
      const order =
        principal && kind ? blocks[kind].order(counter, findRequestLimit(principal, limits)) : NO_ORDER;
      const decision = await send({ ...request, order, isRenewal: false }, kind, counter);
      if (decision === null) return decide.withoutRedis(request);
      return decision === 'unknown-key' ? null : decide.from(decision, request, askedAt);
    },
    /** Takes the key's next permits and, if `rereads`, reads its principal again. Null if Redis did not answer. */
    async renew({ keyDigest, principal, kind }: BusyKey, { rereads }: { readonly rereads: boolean }) {
      const counter = counterOf(principal, keyDigest);
      const order = blocks[kind].order(counter, findRequestLimit(principal, limits));
      if (order === NO_ORDER) return null;
      const askedAt = clock();
      const request = { keyDigest, principal: rereads ? null : principal, use: kind };
      const decision = await send({ ...request, order, isRenewal: true }, kind, counter);
      return decision === null || decision === 'unknown-key' ? null : decide.from(decision, request, askedAt);
    },
  };
};
export type Admit = ReturnType<typeof createAdmission>;
