import type { AccountStatus, identity, PayloadOf, Principal, Tier } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from '../admission/redis-guard.ts';

const REMEMBERED_KEYS = 20_000;
const TRUSTED_MS = 10_000;
const UNKNOWN_MS = 5_000;
/** Longer than anything read before the revocation can still be remembered. */
const REVOKED_MS = 60_000;
/** By then every source has the change, even if its broadcast was lost. */
const CHANGED_MS = 30_000;

/** The changeable facts of a key, as of one version. */
type KeyFacts = Pick<PayloadOf<typeof identity.keyChanged>, 'keyVersion' | 'keyState' | 'dailyCreditCap'>;

type Entry = { principal: Principal; readonly until: number };

/**
 * Principals by key digest. An entry's age counts from when its source was asked, and use never extends it: with the
 * projection's 15 s, a revoked key works for at most 30 s.
 */
export type PrincipalMemory = {
  /** `unknown`: there is no such key; null: not known here. */
  get(keyDigest: string): Principal | 'unknown' | null;
  /** Whether to refresh a key in use before it expires. */
  isAgeing(keyDigest: string): boolean;
  /** Returns the principal with the newest change, which may have arrived while the source was asked. */
  learn(keyDigest: string, principal: Principal, askedAt: number): Principal;
  learnUnknown(keyDigest: string, askedAt: number): void;
  revoke(keyDigest: string): void;
  changeKey(keyDigest: string, facts: KeyFacts): void;
  changeStatus(accountId: string, status: AccountStatus): void;
  changeTier(accountId: string, tier: Tier): void;
};

export const createPrincipalMemory = (clock: MonotonicClock): PrincipalMemory => {
  const known = new LRUCache<string, Entry>({ max: REMEMBERED_KEYS });
  const unknown = new LRUCache<string, number>({ max: REMEMBERED_KEYS });
  const changes = new LRUCache<string, KeyFacts>({ max: REMEMBERED_KEYS, ttl: CHANGED_MS });
  const withChanges = (keyDigest: string, principal: Principal): Principal => {
    const facts = changes.get(keyDigest);
    return facts && facts.keyVersion > principal.keyVersion ? { ...principal, ...facts } : principal;
  };
  const changeAccount = (accountId: string, facts: Partial<Pick<Principal, 'status' | 'tier'>>): void => {
    // In place: `set` would reorder the entries during the walk.
    for (const entry of known.values())
      if (entry.principal.accountId === accountId) entry.principal = { ...entry.principal, ...facts };
  };
  const isUnknown = (keyDigest: string): boolean => (unknown.get(keyDigest) ?? 0) > clock();
  return {
    get(keyDigest) {
      // `peek` is enough: keys in use are learned again within seconds.
      const entry = known.peek(keyDigest);
      if (entry && entry.until > clock()) return entry.principal;
      return isUnknown(keyDigest) ? 'unknown' : null;
    },
    isAgeing: (keyDigest) => (known.peek(keyDigest)?.until ?? 0) < clock() + TRUSTED_MS / 2,
    learn(keyDigest, learnt, askedAt) {
      const principal = withChanges(keyDigest, learnt);
      // Ignore an answer that was on its way when the key was revoked.
      if (!isUnknown(keyDigest)) known.set(keyDigest, { principal, until: askedAt + TRUSTED_MS });
      return principal;
    },
    learnUnknown: (keyDigest, askedAt) => void unknown.set(keyDigest, askedAt + UNKNOWN_MS),
    revoke(keyDigest) {
      known.delete(keyDigest);
      unknown.set(keyDigest, clock() + REVOKED_MS);
    },
    changeKey(keyDigest, facts) {
      if (facts.keyVersion > (changes.get(keyDigest)?.keyVersion ?? 0)) changes.set(keyDigest, facts);
      const entry = known.peek(keyDigest);
      if (entry) entry.principal = withChanges(keyDigest, entry.principal);
    },
    changeStatus: (accountId, status) => changeAccount(accountId, { status }),
    changeTier: (accountId, tier) => changeAccount(accountId, { tier }),
  };
};
