import type { AccountStatus, identity, PayloadOf, Principal, Tier } from '@tds/contracts';
import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from '../admission/redis-guard.ts';

const REMEMBERED_KEYS = 20_000;
const TRUSTED_MS = 10_000;
const UNKNOWN_MS = 5_000;
/** When a revocation arrives, nobody can hold what was read of the key longer ago than this. */
const REVOKED_MS = 60_000;
/** By then a change has come through by itself, even if its broadcast was lost. */
const CHANGED_MS = 30_000;

/** What changes of a key while it works, as of one version. */
export type KeyFacts = Pick<
  PayloadOf<typeof identity.keyChanged>,
  'keyVersion' | 'keyState' | 'dailyCreditCap'
>;

type Entry = { principal: Principal; readonly until: number };

/**
 * Keys by their digest. An entry counts from the moment at which its source was asked, and use never prolongs it: so
 * together with the projection's 15 s no revocation is honoured later than 30 s, whatever is down.
 */
export type PrincipalMemory = {
  /** `unknown`: there certainly is no such key; null: nothing is known. */
  get(keyDigest: string): Principal | 'unknown' | null;
  /** Whether it is time to ask again for a key that is in use, so that nobody has to wait for it later. */
  isAgeing(keyDigest: string): boolean;
  /** Returns the principal with the newest change, which may have arrived while its source was being asked. */
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
  const asChanged = (keyDigest: string, principal: Principal): Principal => {
    const facts = changes.get(keyDigest);
    return facts && facts.keyVersion > principal.keyVersion ? { ...principal, ...facts } : principal;
  };
  const changeAccount = (accountId: string, facts: Partial<Pick<Principal, 'status' | 'tier'>>): void => {
    // In place: setting an entry anew would move it while they are walked through.
    for (const entry of known.values())
      if (entry.principal.accountId === accountId) entry.principal = { ...entry.principal, ...facts };
  };
  const isUnknown = (keyDigest: string): boolean => (unknown.get(keyDigest) ?? 0) > clock();
  return {
    get(keyDigest) {
      // Whoever is in use is learnt anew within seconds, which keeps it young.
      const entry = known.peek(keyDigest);
      if (entry && entry.until > clock()) return entry.principal;
      return isUnknown(keyDigest) ? 'unknown' : null;
    },
    isAgeing: (keyDigest) => (known.peek(keyDigest)?.until ?? 0) < clock() + TRUSTED_MS / 2,
    learn(keyDigest, learnt, askedAt) {
      const principal = asChanged(keyDigest, learnt);
      // An answer that was under way while the key was revoked comes too late.
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
      if (entry) entry.principal = asChanged(keyDigest, entry.principal);
    },
    changeStatus: (accountId, status) => changeAccount(accountId, { status }),
    changeTier: (accountId, tier) => changeAccount(accountId, { tier }),
  };
};
