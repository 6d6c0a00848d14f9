import { authenticateSession, type Principal, ServiceError, serviceError, type Tier } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import type { Admission, Admit, KnownKey } from '../admission/admission.ts';
import { HELD_BODY } from '../admission/admit-script.ts';
import type { BalanceBook } from '../admission/balance-book.ts';
import { BLOCK_LIFE_MS } from '../admission/blocks.ts';
import type { CacheReads } from '../admission/cache-reads.ts';
import { type Limits, WINDOW_MS } from '../admission/limits.ts';
import type { AdmissionAsk } from '../admission/redis-admission.ts';
import type { MonotonicClock } from '../admission/redis-guard.ts';
import type { ProjectedTranscript, StoredTranscripts } from '../cache/stored-transcripts.ts';
import type { Credential, Exchange } from '../http/exchange.ts';
import type { GatewaySurface } from '../surface.ts';
import type { LookUpKey } from './key-look-ups.ts';
import type { PrincipalMemory } from './principal-memory.ts';
import { createRenewals, type WantRenewal } from './renewals.ts';

const MS = 1_000;

export type LetInParts = {
  readonly call: Call<GatewaySurface>;
  readonly admit: Admit;
  readonly memory: PrincipalMemory;
  readonly lookUpKey: LookUpKey;
  readonly book: BalanceBook;
  readonly reads: Pick<CacheReads, 'settle' | 'giveBack'>;
  readonly stored: Pick<StoredTranscripts, 'find'>;
  readonly clock: MonotonicClock;
  readonly limits: Readonly<Record<Tier, Limits>>;
};

export type LetIn = { readonly principal: Principal; readonly fetched: ProjectedTranscript | null };

const LONGEST_WAIT_SECONDS = (WINDOW_MS + BLOCK_LIFE_MS) / MS;
/** Made once for each number of seconds: stacks would cost more than the refusal itself. */
const overLimits = Array.from({ length: LONGEST_WAIT_SECONDS + 1 }, (_, retryAfterSeconds) =>
  serviceError('rate_limit', { retryAfterSeconds }),
);
const overLimit = (waitMs: number): ServiceError =>
  overLimits[Math.ceil(waitMs / MS)] ??
  serviceError('rate_limit', { retryAfterSeconds: LONGEST_WAIT_SECONDS });

const unknownKey = serviceError('invalid_api_key');

const nameAccount = (exchange: Exchange, { accountId, keyId }: Principal): void => {
  exchange.accountId = accountId;
  exchange.keyId = keyId;
};

/** A closed account's keys and sessions say so, and tell nothing else. */
const refuseClosed = ({ status }: Principal): void => {
  if (status === 'closed') throw serviceError('account_closed');
};

/** What every answer to the key's holder tells, whether or not it is let in. */
const welcome = (
  { limits }: LetInParts,
  exchange: Exchange,
  principal: Principal,
  balance: number | null,
): void => {
  exchange.isAuthenticated = true;
  // The header tells of rates per key, and a session has none.
  exchange.rateLimit = principal.keyId === null ? null : limits[principal.tier].requestsPerMinute;
  exchange.balance = balance;
};

const learn = ({ memory }: LetInParts, digest: string, learnt: Principal, askedAt: number): Principal => {
  const principal = memory.learn(digest, learnt, askedAt);
  // Heard of a revocation meanwhile.
  if (memory.get(digest) === 'unknown') throw unknownKey;
  return principal;
};

const isAway = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'service_unavailable';

/** Identity's word where Redis has none. With a principal in hand, Redis or this process always decides. */
const admitByIdentity = async (
  { admit, lookUpKey }: LetInParts,
  ask: AdmissionAsk,
  requestId: string,
): Promise<Admission> => {
  try {
    const known = await lookUpKey(ask.keyDigest, requestId);
    return (await admit.ask({ ...ask, known })) as Admission;
  } catch (error) {
    // Redis may only have been late, and its projection is as good as identity's word.
    const admission = isAway(error) ? await admit.ask(ask) : null;
    if (admission === null) throw error;
    return admission;
  }
};

const admitKey = async (
  parts: LetInParts,
  keyDigest: string,
  wantedKey: string | null,
  requestId: string,
): Promise<Admission> => {
  const { admit, memory, clock } = parts;
  const known = memory.get(keyDigest);
  if (known === 'unknown') throw unknownKey;
  const askedAt = clock();
  const ask = { keyDigest, known, wantedKey };
  const admission = (await admit.ask(ask)) ?? (await admitByIdentity(parts, ask, requestId));
  if (!admission.isLearnt) return admission;
  return { ...admission, principal: learn(parts, keyDigest, admission.principal, askedAt) };
};

/** Rates are per key: a session has none. */
const admitSession = async (
  { call }: LetInParts,
  sessionDigest: string,
  requestId: string,
): Promise<Admission> => {
  const context = { requestId, accountId: null, signal: new AbortController().signal };
  const principal = await call(authenticateSession, { sessionDigest }, context);
  return { principal, isLearnt: false, waitMs: 0, balance: null, read: 'none' };
};

/** What became of the admission: tells of the account whoever may hear of it, then lets in or refuses. */
const receive = async (
  parts: LetInParts,
  exchange: Exchange,
  { principal, waitMs, balance }: Admission,
): Promise<void> => {
  const { book } = parts;
  nameAccount(exchange, principal);
  refuseClosed(principal);
  const { accountId } = principal;
  const projected = balance === null ? null : book.read(accountId, balance);
  const available = projected ?? (await book.find({ requestId: exchange.requestId, accountId }));
  welcome(parts, exchange, principal, available);
  if (waitMs > 0) throw overLimit(waitMs);
};

/** What was counted as a cached read is one if there is a cached body. */
const settleRead = ({ reads }: LetInParts, { principal, read }: Admission, hasBody: boolean): void => {
  if (read === 'none') return;
  if (hasBody) reads.settle(principal, read);
  else if (read !== 'refused') reads.giveBack(principal);
};

/** Takes a busy key's next places and looks again at what else goes stale, while its callers are being answered. */
const createRenew =
  ({ admit, memory, book, reads, clock }: LetInParts) =>
  async ({ keyDigest, principal }: KnownKey): Promise<void> => {
    const askedAt = clock();
    const renewed = await admit.renew({ keyDigest, principal }, { rereads: memory.isAgeing(keyDigest) });
    if (renewed === null) return;
    if (renewed.isLearnt) memory.learn(keyDigest, renewed.principal, askedAt);
    if (renewed.balance !== null) book.read(renewed.principal.accountId, renewed.balance);
    if (renewed.read === 'unseeded') reads.settle(renewed.principal, renewed.read);
  };

/** Lets a key in by what this process knows and holds; null where somebody has to be asked. */
const letKeyInAtOnce = (
  parts: LetInParts & { readonly wantRenewal: WantRenewal },
  exchange: Exchange,
  keyDigest: string,
  wantedKey: string | null,
): LetIn | null => {
  const principal = parts.memory.get(keyDigest);
  if (principal === 'unknown') throw unknownKey;
  if (principal === null || principal.status === 'closed') return null;
  const balance = parts.book.recall(principal.accountId);
  if (balance === null) return null;
  const key = { keyDigest, principal };
  const decided = parts.admit.atOnce(key, wantedKey);
  if (decided === null) return null;
  nameAccount(exchange, principal);
  welcome(parts, exchange, principal, balance);
  if (typeof decided === 'number') throw overLimit(decided);
  if (decided === 'admitted-and-low') parts.wantRenewal(key);
  return { principal, fetched: null };
};

/**
 * Finds out who a credential stands for and whether that one may pass now; writes what answers tell of the account
 * into the exchange. Both throw invalid_api_key, session_required, account_closed, rate_limit or cache_read_cap.
 */
export type LetInEveryone = {
  /** Without waiting for anybody, as for most cached reads; null where that cannot be. */
  atOnce(exchange: Exchange, credential: Credential, wantedKey: string | null): LetIn | null;
  ask(exchange: Exchange, credential: Credential, wantedKey: string | null): Promise<LetIn>;
};

export const createLetIn = (parts: LetInParts): LetInEveryone => {
  const busy = { ...parts, wantRenewal: createRenewals(createRenew(parts)) };
  return {
    atOnce: (exchange, { kind, digest }, wantedKey) =>
      kind === 'key' ? letKeyInAtOnce(busy, exchange, digest, wantedKey) : null,
    ask: async (exchange, { kind, digest }, wantedKey) => {
      const { requestId } = exchange;
      const isHeld = wantedKey === HELD_BODY;
      // At the same time, so that whoever is let in does not wait for it afterwards.
      const finding = wantedKey === null || isHeld ? null : parts.stored.find(wantedKey);
      const admission =
        kind === 'key'
          ? await admitKey(parts, digest, wantedKey, requestId)
          : await admitSession(parts, digest, requestId);
      await receive(parts, exchange, admission);
      const fetched = await finding;
      settleRead(parts, admission, isHeld || fetched !== null);
      return { principal: admission.principal, fetched };
    },
  };
};
