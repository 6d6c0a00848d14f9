import { type Principal, personOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import {
  type Admission,
  type BalanceCache,
  type BusyKey,
  type CacheReads,
  type KeyLimits,
  type RequestUse,
  toPermitKind,
} from '../admission/index.ts';
import type { ProjectedTranscript, StoredTranscripts } from '../cache/index.ts';
import type { Credential, Exchange } from '../wire/index.ts';
import { type AdmitDeps, admitKey, admitSession, overLimit, unknownKey } from './admit-credential.ts';

/** Lets many keys share a round trip; much shorter than the life of the permits in hand. */
const GATHER_MS = 10;

/** Renews a key soon, in the background; repeated calls until then renew it once. */
type RequestRenewal = (key: BusyKey) => void;

/** Gathers renewals: a round trip for each would wake Redis and this process all the time. */
export const createRenewals = (renew: (key: BusyKey) => Promise<void>): RequestRenewal => {
  let pending = new Map<string, BusyKey>();
  const flush = (): void => {
    const batch = pending;
    pending = new Map();
    for (const key of batch.values()) void renew(key);
  };
  return (key) => {
    if (pending.size === 0) setTimeout(flush, GATHER_MS);
    pending.set(`${key.kind} ${key.keyDigest}`, key);
  };
};

type CallerAdmissionDeps = AdmitDeps & {
  readonly balances: BalanceCache;
  readonly reads: Pick<CacheReads, 'settle' | 'release'>;
  readonly stored: Pick<StoredTranscripts, 'find'>;
  readonly limits: KeyLimits;
};

export type Caller = { readonly principal: Principal; readonly transcript: ProjectedTranscript | null };

const nameAccount = (exchange: Exchange, principal: Principal): void => {
  exchange.accountId = principal.accountId;
  exchange.keyId = principal.keyId;
  exchange.personId = personOf(principal);
};

/** The caller of a closed account is told that, and nothing else. */
const rejectClosed = ({ status }: Principal): void => {
  if (status === 'closed') throw serviceError('account_closed');
};

/** Sets what every answer to this caller shows, admitted or not. */
const describeAccount = (
  { limits }: CallerAdmissionDeps,
  exchange: Exchange,
  principal: Principal,
  balance: number | null,
): void => {
  exchange.isAuthenticated = true;
  // A session has no per-key rate.
  exchange.rateLimit = principal.keyId === null ? null : limits[principal.tier].requestsPerMinute;
  exchange.balance = balance;
};

/** Describes the account in the exchange, then admits or refuses. */
const finishAdmission = async (
  deps: CallerAdmissionDeps,
  exchange: Exchange,
  { principal, waitMs, balance }: Admission,
): Promise<void> => {
  const { balances } = deps;
  nameAccount(exchange, principal);
  rejectClosed(principal);
  const { accountId } = principal;
  const projectedBalance = balance === null ? null : balances.keepProjected(accountId, balance);
  const available = projectedBalance ?? (await balances.find({ requestId: exchange.requestId, accountId }));
  describeAccount(deps, exchange, principal, available);
  if (waitMs > 0) throw overLimit(principal, waitMs);
};

/** A counted read counts only if there was a cached body. */
const settleRead = ({ reads }: CallerAdmissionDeps, { principal, read }: Admission, hasBody: boolean): void => {
  if (read === 'none') return;
  if (hasBody) reads.settle(principal, read);
  else if (read !== 'refused') reads.release(principal);
};

/** Takes a busy key's next permits, and refreshes its principal and balance with them. */
const createRenew =
  ({ admit, memory, balances, clock }: CallerAdmissionDeps) =>
  async ({ keyDigest, principal, kind }: BusyKey): Promise<void> => {
    const askedAt = clock();
    const renewal = await admit.renew({ keyDigest, principal, kind }, { rereads: memory.isAgeing(keyDigest) });
    if (renewal === null) return;
    if (renewal.isNew) memory.keep(keyDigest, renewal.principal, askedAt);
    if (renewal.balance !== null) balances.keepProjected(renewal.principal.accountId, renewal.balance);
  };

/** Admits a key without any call; null if Redis or identity has to be asked. */
const admitKeyLocally = (
  deps: CallerAdmissionDeps & { readonly requestRenewal: RequestRenewal },
  exchange: Exchange,
  keyDigest: string,
  use: RequestUse,
): Caller | null => {
  const principal = deps.memory.get(keyDigest);
  if (principal === 'unknown') throw unknownKey;
  if (principal === null || principal.status === 'closed') return null;
  const balance = deps.balances.recent(principal.accountId);
  if (balance === null) return null;
  const key = { keyDigest, principal };
  const decision = deps.admit.decideLocally(key, use);
  if (decision === null) return null;
  nameAccount(exchange, principal);
  describeAccount(deps, exchange, principal, balance);
  if (typeof decision === 'number') throw overLimit(principal, decision);
  const kind = toPermitKind(use);
  if (decision === 'admitted-and-low' && kind !== null) deps.requestRenewal({ ...key, kind });
  return { principal, transcript: null };
};

const isKnown = ({ memory, gate }: CallerAdmissionDeps, digest: string): boolean => {
  const cached = memory.get(digest);
  return cached === null ? gate.isKnown(digest) : cached !== 'unknown';
};

/**
 * Authenticates and admits a caller, and describes the account in the exchange. Throws invalid_api_key, session_required,
 * account_closed, rate_limit or cache_read_cap.
 */
export type CallerAdmission = {
  admit(exchange: Exchange, credential: Credential, use: RequestUse, network: () => string): Promise<Caller>;
};

export const createCallerAdmission = (deps: CallerAdmissionDeps): CallerAdmission => {
  const keyDeps = { ...deps, requestRenewal: createRenewals(createRenew(deps)) };
  return {
    async admit(exchange, { kind, digest }, use, network) {
      const caller = kind === 'key' ? admitKeyLocally(keyDeps, exchange, digest, use) : null;
      if (caller !== null) return caller;
      const requester = { requestId: exchange.requestId, network };
      const cacheKey = use !== null && typeof use === 'object' ? use.cacheKey : null;
      // Read the cache at the same time, but only for known callers.
      const finding = cacheKey !== null && isKnown(deps, digest) ? deps.stored.find(cacheKey) : null;
      const admission =
        kind === 'key'
          ? await admitKey(deps, digest, use, requester)
          : await admitSession(deps, digest, requester);
      await finishAdmission(deps, exchange, admission);
      const transcript = cacheKey === null ? null : await (finding ?? deps.stored.find(cacheKey));
      settleRead(deps, admission, cacheKey === null || transcript !== null);
      return { principal: admission.principal, transcript };
    },
  };
};
