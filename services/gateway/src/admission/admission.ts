import { identity, type Principal, type Tier } from '@tds/contracts';
import { decodeProjection } from '@tds/service-kit';
import type { AdmissionAsk, CountedRead, RedisAnswer, RedisAsk } from './admit-wire.ts';
import { HELD_BODY, PERMITS_ONLY } from './admit-wire.ts';
import type { CacheReads } from './cache-reads.ts';
import { type Limits, SESSION_REQUESTS_PER_MINUTE } from './limits.ts';
import type { LocalLimiter } from './local-limiter.ts';
import { NO_PERMITS, type PermitBlocks } from './permit-blocks.ts';
import type { RedisAdmission } from './redis-admission.ts';
import type { MonotonicClock } from './redis-guard.ts';
import { createRefusals } from './refusals.ts';

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

export type KnownKey = { readonly keyDigest: string; readonly principal: Principal };

/** `admitted-and-low` asks for the next permits to be taken now; a number is the milliseconds to wait. */
export type Decided = 'admitted' | 'admitted-and-low' | number;

/** By a permit taken ahead, by Redis if it answers, else by this process alone. */
export type Admit = {
  /** Decides without a round trip; null if Redis has to be asked. */
  atOnce(key: KnownKey, wantedKey: string | null): Decided | null;
  /** Milliseconds for which a session is certainly refused, so that nobody need be asked who it is; else 0. */
  sessionWaitMs(sessionDigest: string): number;
  /** Asks Redis. Null if nobody here knows the key: identity has to be asked. */
  ask(ask: AdmissionAsk): Promise<Admission | null>;
  /** Takes the key's next permits, and on demand its principal as projected now. Null if nothing was learnt. */
  renew(key: KnownKey, how: { readonly rereads: boolean }): Promise<Admission | null>;
};

/** Null if it is unreadable: then identity is asked. */
const parsePrincipal = (text: string): Principal | null => decodeProjection(identity.principal, text);

export const createAdmission = (parts: {
  redis: RedisAdmission;
  local: LocalLimiter;
  blocks: PermitBlocks;
  reads: Pick<CacheReads, 'countLocally'>;
  clock: MonotonicClock;
  limits: Readonly<Record<Tier, Limits>>;
}): Admit => {
  const { redis, local, blocks, reads, clock, limits } = parts;
  const refusals = createRefusals();
  const perMinute = ({ keyId, tier }: Principal): number =>
    keyId === null ? SESSION_REQUESTS_PER_MINUTE : limits[tier].requestsPerMinute;

  const admitLocally = ({ keyDigest, known, wantedKey }: AdmissionAsk): Admission | null => {
    if (known === null) return null;
    const waitMs = local(keyDigest, perMinute(known), clock());
    if (waitMs > 0) refusals.keep(keyDigest, perMinute(known), waitMs, clock());
    const isRead = waitMs === 0 && wantedKey !== null;
    const read = isRead ? reads.countLocally(known) : 'none';
    return { isLearnt: false, balance: null, principal: known, waitMs, read };
  };
  const send = async (ask: RedisAsk): Promise<RedisAnswer | null> => {
    const answer = await redis(ask);
    blocks.keep(ask.keyDigest, ask.block, answer?.kind === 'decided' ? answer.taken : '0');
    return answer;
  };
  const toAdmission = (answer: RedisAnswer, { keyDigest, known }: RedisAsk, askedAt: number) => {
    if (answer.kind === 'unknown-key') return null;
    const principal = known ?? (answer.principal === null ? null : parsePrincipal(answer.principal));
    if (principal === null) return null;
    const { waitMs } = answer;
    if (waitMs > 0) refusals.keep(keyDigest, perMinute(principal), waitMs, askedAt);
    return { ...answer, principal, isLearnt: known === null };
  };
  return {
    atOnce({ keyDigest, principal }, wantedKey) {
      const use = wantedKey === HELD_BODY ? blocks.use(keyDigest) : 'none';
      if (use === 'one') return 'admitted';
      if (use === 'one-of-the-last') return 'admitted-and-low';
      const waitMs = refusals.waitMs(keyDigest, perMinute(principal), clock());
      return waitMs > 0 ? waitMs : null;
    },
    sessionWaitMs: (sessionDigest) => refusals.waitMs(sessionDigest, SESSION_REQUESTS_PER_MINUTE, clock()),
    async ask(ask) {
      const { keyDigest, known, wantedKey } = ask;
      const askedAt = clock();
      const isBlockWanted = known !== null && wantedKey === HELD_BODY;
      const block = isBlockWanted ? blocks.next(keyDigest, perMinute(known)) : NO_PERMITS;
      const sent = { ...ask, block };
      const answer = await (isBlockWanted ? send(sent) : redis(sent));
      return answer === null ? admitLocally(ask) : toAdmission(answer, sent, askedAt);
    },
    async renew({ keyDigest, principal }, { rereads }) {
      const block = blocks.next(keyDigest, perMinute(principal));
      if (block === NO_PERMITS) return null;
      const askedAt = clock();
      const sent = { keyDigest, known: rereads ? null : principal, wantedKey: PERMITS_ONLY, block };
      const answer = await send(sent);
      return answer && toAdmission(answer, sent, askedAt);
    },
  };
};
