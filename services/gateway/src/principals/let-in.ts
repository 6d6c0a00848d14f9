import {
  authenticateSession,
  type Principal,
  type ServiceError,
  serviceError,
  type Tier,
} from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import type { Admission, Admit } from '../admission/admission.ts';
import type { BalanceBook } from '../admission/balance-book.ts';
import type { CacheReads } from '../admission/cache-reads.ts';
import type { Limits } from '../admission/limits.ts';
import type { MonotonicClock } from '../admission/redis-guard.ts';
import type { Credential } from '../http/credentials.ts';
import type { Exchange } from '../http/exchange.ts';
import type { GatewaySurface } from '../surface.ts';
import type { LookUpKey } from './key-look-ups.ts';
import type { PrincipalMemory } from './principal-memory.ts';

const MS = 1_000;

export type LetInParts = {
  readonly call: Call<GatewaySurface>;
  readonly admit: Admit;
  readonly memory: PrincipalMemory;
  readonly lookUpKey: LookUpKey;
  readonly book: BalanceBook;
  readonly reads: Pick<CacheReads, 'settle'>;
  readonly clock: MonotonicClock;
  readonly limits: Readonly<Record<Tier, Limits>>;
};

export type LetIn = { readonly principal: Principal; readonly fetched: Buffer | null };

const LONGEST_WAIT_SECONDS = 60;
/** Made once for each number of seconds: stacks would cost more than the refusal itself. */
const overLimits = Array.from({ length: LONGEST_WAIT_SECONDS + 1 }, (_, retryAfterSeconds) =>
  serviceError('rate_limit', { retryAfterSeconds }),
);
const overLimit = (waitMs: number): ServiceError =>
  overLimits[Math.ceil(waitMs / MS)] ??
  serviceError('rate_limit', { retryAfterSeconds: LONGEST_WAIT_SECONDS });

const admitKey = async (
  { admit, memory, lookUpKey, clock }: LetInParts,
  keyDigest: string,
  wantedKey: string | null,
  requestId: string,
): Promise<Admission> => {
  const known = memory.get(keyDigest);
  if (known === 'unknown') throw serviceError('invalid_api_key');
  const askedAt = clock();
  const admission = await admit({ keyDigest, known, wantedKey });
  if (admission === null) {
    const learnt = await lookUpKey(keyDigest, requestId);
    const second = await admit({ keyDigest, known: learnt, wantedKey });
    // With a principal in hand, Redis or this process always decides.
    return second as Admission;
  }
  if (admission.isLearnt) {
    memory.learn(keyDigest, admission.principal, askedAt);
    // Heard of a revocation meanwhile.
    if (memory.get(keyDigest) === 'unknown') throw serviceError('invalid_api_key');
  }
  return admission;
};

const nameAccount = (exchange: Exchange, { accountId, keyId }: Principal): void => {
  exchange.accountId = accountId;
  exchange.keyId = keyId;
};

/** A closed account's keys and sessions say so, and tell nothing else. */
const refuseClosed = ({ status }: Principal): void => {
  if (status === 'closed') throw serviceError('account_closed');
};

const letKeyIn = async (
  parts: LetInParts,
  exchange: Exchange,
  digest: string,
  wantedKey: string | null,
): Promise<LetIn> => {
  const { principal, waitMs, balance, body, read } = await admitKey(
    parts,
    digest,
    wantedKey,
    exchange.requestId,
  );
  nameAccount(exchange, principal);
  refuseClosed(principal);
  const { accountId } = principal;
  exchange.isAuthenticated = true;
  exchange.rateLimit = parts.limits[principal.tier].requestsPerMinute;
  exchange.balance =
    (balance === null ? null : parts.book.read(accountId, balance)) ??
    (await parts.book.find({ requestId: exchange.requestId, accountId }));
  if (waitMs > 0) throw overLimit(waitMs);
  if (read !== 'none') parts.reads.settle(digest, principal, read);
  return { principal, fetched: body };
};

const letSessionIn = async (
  { call, book }: LetInParts,
  exchange: Exchange,
  sessionDigest: string,
): Promise<LetIn> => {
  const { requestId } = exchange;
  const context = { requestId, accountId: null, signal: new AbortController().signal };
  const principal = await call(authenticateSession, { sessionDigest }, context);
  nameAccount(exchange, principal);
  refuseClosed(principal);
  exchange.isAuthenticated = true;
  exchange.balance = await book.find({ requestId, accountId: principal.accountId });
  return { principal, fetched: null };
};

/**
 * Finds out who a credential stands for and whether that one may pass now; writes what answers tell of the account
 * into the exchange. Throws invalid_api_key, session_required, account_closed, rate_limit or
 * cache_read_cap.
 */
export const createLetIn =
  (parts: LetInParts) =>
  (exchange: Exchange, { kind, digest }: Credential, wantedKey: string | null): Promise<LetIn> =>
    kind === 'key' ? letKeyIn(parts, exchange, digest, wantedKey) : letSessionIn(parts, exchange, digest);
