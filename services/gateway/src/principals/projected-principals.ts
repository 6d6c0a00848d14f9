import { type KeyRing, openProjection, type RefusalReason } from '@tds/base';
import {
  byHashTag,
  identity,
  keyRingUses,
  type PayloadOf,
  type Principal,
  type Projection,
  SECOND_MS,
} from '@tds/contracts';
import type { Kit } from '@tds/kit';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { ReadPrincipal } from '../admission/index.ts';
import { createGuardedBatcher, type MonotonicClock, type RedisGuard } from '../redis/index.ts';
import type { Surface } from '../surface.ts';

const { principal, principalsFresh } = identity;

/** What Redis returned, read in this order: its time (ms), the declaration of freshness, the principal. */
type ProjectedValues = { readonly time: number; readonly fresh: string; readonly text: string };

/** The principal; null if it is not valid, then identity is asked. */
type ReadProjected = (keyDigest: string, values: ProjectedValues) => Principal | null;

type OnRefused = (projection: Projection, why: RefusalReason) => void;

/** Accepts what identity signed for this key, until its end. */
export const createReadProjected = (ring: KeyRing, onRefused: OnRefused): ReadProjected => {
  const macs = ring.forUse(keyRingUses.principals);
  const open = <P extends Projection>(projection: P, key: string, text: string, now: number) => {
    const result = openProjection(macs, projection, key, text, now);
    if ('value' in result) return result;
    onRefused(projection, result.refused);
    return null;
  };
  // One value for all principals, valid for seconds, so verify it once.
  let cachedFresh = { text: '', until: 0 };
  const isFresh = (text: string, now: number): boolean => {
    if (text === cachedFresh.text && now <= cachedFresh.until) return true;
    const result = open(principalsFresh, principalsFresh.key(), text, now);
    if (result !== null) cachedFresh = { text, until: result.until };
    return result !== null;
  };
  return (keyDigest, { time, fresh, text }) =>
    isFresh(fresh, time) ? (open(principal, principal.key(keyDigest), text, time)?.value ?? null) : null;
};

const LINES_EVERY_MS = 60_000;

/** Counts every refusal and logs one line a minute: an attacker who can write one value can write many. */
export const reportRefused = (
  { log, metrics }: Pick<Kit<Surface>, 'log' | 'metrics'>,
  clock: MonotonicClock,
): OnRefused => {
  const quietUntil = new Map<string, number>();
  return ({ wireName: projection }, why) => {
    metrics.projectionsRefused.inc({ projection, why });
    const name = `${projection} ${why}`;
    if (clock() < (quietUntil.get(name) ?? Number.NEGATIVE_INFINITY)) return;
    quietUntil.set(name, clock() + LINES_EVERY_MS);
    log.error('a value in redis has no valid signature: identity is asked instead', { projection, why });
  };
};

const MICROSECONDS_PER_MS = 1_000;

/** Reads principals that identity projects, while identity declares them fresh. */
export const createPrincipalReads = (
  redis: Pick<Redis, 'get' | 'mget' | 'time'>,
  guard: RedisGuard,
  readProjected: ReadProjected,
): ReadPrincipal => {
  const readTexts = async (digests: readonly string[]): Promise<ReadonlyMap<string, string | null>> => {
    const groups = byHashTag([...new Set(digests)], principal.key).map(async (group) => {
      const texts = await redis.mget(group.map((digest) => principal.key(digest)));
      return group.map((digest, index) => [digest, texts[index] ?? null] as const);
    });
    return new Map((await Promise.all(groups)).flat());
  };
  return createGuardedBatcher(guard, async (digests) => {
    // In this order: the principal is at least as new as its freshness, and that as the time. Otherwise an entry from
    // before an outage could be read just before its removal and count as fresh just after.
    const [[seconds, microseconds], fresh, texts] = await Promise.all([
      redis.time(),
      redis.get(principalsFresh.key()),
      readTexts(digests),
    ]);
    const time = Number(seconds) * SECOND_MS + Math.floor(Number(microseconds) / MICROSECONDS_PER_MS);
    return digests.map((digest) => {
      const text = texts.get(digest) ?? null;
      if (fresh === null || text === null) return 'unknown';
      return readProjected(digest, { time, fresh, text }) ?? 'unknown';
    });
  });
};

const REMEMBERED_KEYS = 20_000;
const TRUSTED_MS = 10_000;
const UNKNOWN_MS = 5_000;
/** Longer than anything read before the revocation can still be remembered. */
const REVOKED_MS = 60_000;
/** By then every source has the change, even if its broadcast was lost. */
const CHANGED_MS = 30_000;

/** The changeable facts of a key, as of one version. */
type KeyFacts = Pick<
  PayloadOf<typeof identity.keyChanged>,
  'keyVersion' | 'keyState' | 'dailyCreditCap' | 'scopes'
>;

/** A token may what it was given, as far as its app may it now. */
const changed = (principal: Principal, { scopes, ...facts }: KeyFacts): Principal => ({
  ...{ ...principal, ...facts },
  ...(scopes && principal.scopes && { scopes: principal.scopes.filter((scope) => scopes.includes(scope)) }),
});

type Entry = { principal: Principal; readonly until: number };

/**
 * Principals by key digest. An entry's age counts from when its source was asked, and use never extends it: with the
 * projection's 15 s, a revoked key works for at most 30 s.
 */
export const createPrincipalMemory = (clock: MonotonicClock) => {
  const entries = new LRUCache<string, Entry>({ max: REMEMBERED_KEYS });
  const unknownUntil = new LRUCache<string, number>({ max: REMEMBERED_KEYS });
  const changes = new LRUCache<string, KeyFacts>({ max: REMEMBERED_KEYS, ttl: CHANGED_MS });
  const withChanges = (keyDigest: string, principal: Principal): Principal => {
    const facts = changes.get(keyDigest);
    return facts && facts.keyVersion > principal.keyVersion ? changed(principal, facts) : principal;
  };
  const isUnknown = (keyDigest: string): boolean => (unknownUntil.get(keyDigest) ?? 0) > clock();
  return {
    /** `unknown`: there is no such key; null: not known here. */
    get(keyDigest: string): Principal | 'unknown' | null {
      // `peek` is enough: keys in use are kept again within seconds.
      const entry = entries.peek(keyDigest);
      if (entry && entry.until > clock()) return entry.principal;
      return isUnknown(keyDigest) ? 'unknown' : null;
    },
    /** Whether to refresh a key in use before it expires. */
    isAgeing: (keyDigest: string) => (entries.peek(keyDigest)?.until ?? 0) < clock() + TRUSTED_MS / 2,
    /** Returns the principal with the newest change, which may have arrived while the source was asked. */
    keep(keyDigest: string, fresh: Principal, askedAt: number): Principal {
      const principal = withChanges(keyDigest, fresh);
      // Ignore an answer that was on its way when the key was revoked.
      if (!isUnknown(keyDigest)) entries.set(keyDigest, { principal, until: askedAt + TRUSTED_MS });
      return principal;
    },
    keepUnknown: (keyDigest: string, askedAt: number) => void unknownUntil.set(keyDigest, askedAt + UNKNOWN_MS),
    revoke(keyDigest: string): void {
      entries.delete(keyDigest);
      unknownUntil.set(keyDigest, clock() + REVOKED_MS);
    },
    changeKey(keyDigest: string, facts: KeyFacts): void {
      if (facts.keyVersion > (changes.get(keyDigest)?.keyVersion ?? 0)) changes.set(keyDigest, facts);
      const entry = entries.peek(keyDigest);
      if (entry) entry.principal = withChanges(keyDigest, entry.principal);
    },
    changeAccount(accountId: string, facts: Partial<Pick<Principal, 'status' | 'tier'>>): void {
      // In place: `set` would reorder the entries during the walk.
      for (const entry of entries.values())
        if (entry.principal.accountId === accountId) entry.principal = { ...entry.principal, ...facts };
    },
  };
};
export type PrincipalMemory = ReturnType<typeof createPrincipalMemory>;
