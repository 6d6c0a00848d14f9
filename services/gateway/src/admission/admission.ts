import { type Principal, principals, type Tier } from '@tds/contracts';
import { HELD_BODY } from './admit-script.ts';
import { type Blocks, NO_BLOCK } from './blocks.ts';
import type { CacheReads } from './cache-reads.ts';
import type { Limits } from './limits.ts';
import type { LocalLimiter } from './local-limiter.ts';
import type { AdmissionAsk, CountedRead, RedisAdmission, RedisAnswer } from './redis-admission.ts';
import type { MonotonicClock } from './redis-guard.ts';
import { createRefusals } from './refusals.ts';

export type Admission = {
  readonly principal: Principal;
  /** Whether the principal came from the projection just now, so that it may be remembered. */
  readonly isLearnt: boolean;
  /** 0 admits the request. */
  readonly waitMs: number;
  /** The balance as projected; null where it is not in Redis, or Redis was not asked. */
  readonly balance: string | null;
  readonly body: Buffer | null;
  readonly read: CountedRead;
};

/** Null where nobody here knows the key: identity has to be asked. */
export type Admit = (ask: AdmissionAsk) => Promise<Admission | null>;

const parsePrincipal = (text: string): Principal | null => {
  try {
    return principals.value.safeParse((JSON.parse(text) as { value?: unknown }).value).data ?? null;
  } catch {
    // Unreadable is as good as absent: identity is asked.
    return null;
  }
};

/** By a place taken ahead, by Redis where it answers, else by this process alone. */
export const createAdmission = (parts: {
  redis: RedisAdmission;
  local: LocalLimiter;
  blocks: Blocks;
  reads: Pick<CacheReads, 'countLocally'>;
  clock: MonotonicClock;
  limits: Readonly<Record<Tier, Limits>>;
}): Admit => {
  const { redis, local, blocks, reads, clock, limits } = parts;
  const nothing = { isLearnt: false, balance: null, body: null, read: 'none' } as const;
  const admitLocally = ({ keyDigest, known, wantedKey }: AdmissionAsk): Admission | null => {
    if (known === null) return null;
    const waitMs = local(keyDigest, limits[known.tier].requestsPerMinute, clock());
    const isRead = waitMs === 0 && wantedKey === HELD_BODY;
    return {
      ...{ ...nothing, principal: known, waitMs },
      ...(isRead && { read: reads.countLocally(keyDigest, known.tier) }),
    };
  };
  const refusals = createRefusals();
  const refuseAgain = ({ keyDigest, known }: AdmissionAsk): Admission | null => {
    const waitMs = known ? refusals.waitMs(keyDigest, limits[known.tier].requestsPerMinute, clock()) : 0;
    return known && waitMs > 0 ? { ...nothing, principal: known, waitMs } : null;
  };
  const useBlock = ({ keyDigest, known, wantedKey }: AdmissionAsk): Admission | null => {
    if (known === null || wantedKey !== HELD_BODY || !blocks.use(keyDigest)) return null;
    return { ...nothing, principal: known, waitMs: 0, read: 'counted' };
  };
  const askRedis = async (ask: AdmissionAsk): Promise<RedisAnswer | null> => {
    const { keyDigest, known, wantedKey } = ask;
    if (known === null || wantedKey !== HELD_BODY) return redis({ ...ask, block: NO_BLOCK });
    const block = blocks.next(keyDigest, limits[known.tier].requestsPerMinute);
    const answer = await redis({ ...ask, block });
    blocks.keep(keyDigest, block, answer?.kind === 'decided' ? answer.taken : '0');
    return answer;
  };
  return async (ask) => {
    const decided = useBlock(ask) ?? refuseAgain(ask);
    if (decided) return decided;
    const askedAt = clock();
    const answer = await askRedis(ask);
    if (answer === null) return admitLocally(ask);
    if (answer.kind === 'unknown-key') return null;
    const principal = ask.known ?? (answer.principal === null ? null : parsePrincipal(answer.principal));
    if (principal === null) return null;
    const { waitMs } = answer;
    if (waitMs > 0) {
      refusals.keep(ask.keyDigest, limits[principal.tier].requestsPerMinute, waitMs, askedAt);
    }
    return { ...answer, principal, isLearnt: ask.known === null };
  };
};
