import type { AccountStatus, Principal } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from '../admission/redis-guard.ts';

const REMEMBERED_KEYS = 20_000;
const TRUSTED_MS = 10_000;
const UNKNOWN_MS = 5_000;
/** Nobody can hold older news of a key than this when its revocation is heard of. */
const REVOKED_MS = 60_000;

type Entry = { principal: Principal; readonly until: number };

/**
 * Keys by their digest. An entry counts from the moment at which its source was asked, and use never prolongs it: so
 * together with the projection's 15 s no revocation is honoured later than 30 s, whatever is down.
 */
export type PrincipalMemory = {
  /** `unknown` is the certain news that there is no such key; null is no news. */
  get(keyDigest: string): Principal | 'unknown' | null;
  /** Whether it is time to ask again for a key that is in use, so that nobody has to wait for it later. */
  isAgeing(keyDigest: string): boolean;
  learn(keyDigest: string, principal: Principal, askedAt: number): void;
  learnUnknown(keyDigest: string, askedAt: number): void;
  revoke(keyDigest: string): void;
  changeStatus(accountId: string, status: AccountStatus): void;
};

export const createPrincipalMemory = (clock: MonotonicClock): PrincipalMemory => {
  const known = new LRUCache<string, Entry>({ max: REMEMBERED_KEYS });
  const unknown = new LRUCache<string, number>({ max: REMEMBERED_KEYS });
  const isUnknown = (keyDigest: string): boolean => (unknown.get(keyDigest) ?? 0) > clock();
  return {
    get(keyDigest) {
      // Whoever is in use is learnt anew within seconds, which keeps it young.
      const entry = known.peek(keyDigest);
      if (entry && entry.until > clock()) return entry.principal;
      return isUnknown(keyDigest) ? 'unknown' : null;
    },
    isAgeing: (keyDigest) => (known.peek(keyDigest)?.until ?? 0) < clock() + TRUSTED_MS / 2,
    learn(keyDigest, principal, askedAt) {
      // An answer that was under way while the key was revoked comes too late.
      if (!isUnknown(keyDigest)) known.set(keyDigest, { principal, until: askedAt + TRUSTED_MS });
    },
    learnUnknown: (keyDigest, askedAt) => void unknown.set(keyDigest, askedAt + UNKNOWN_MS),
    revoke(keyDigest) {
      known.delete(keyDigest);
      unknown.set(keyDigest, clock() + REVOKED_MS);
    },
    changeStatus(accountId, status) {
      // In place: setting an entry anew would move it while they are walked through.
      for (const entry of known.values()) {
        if (entry.principal.accountId === accountId) entry.principal = { ...entry.principal, status };
      }
    },
  };
};
