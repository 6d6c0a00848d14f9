import { type Principal, serviceError, type Tier } from '@tds/contracts';
import { type Admission, type BusyKey, kindOf } from '../admission/admission.ts';
import { isSought } from '../admission/admit-script.ts';
import type { BalanceCache } from '../admission/balance-cache.ts';
import type { CacheReads } from '../admission/cache-reads.ts';
import type { Limits } from '../admission/limits.ts';
import type { ProjectedTranscript, StoredTranscripts } from '../cache/stored-transcripts.ts';
import type { Credential, Exchange } from '../http/exchange.ts';
import { type AdmitParts, admitKey, admitSession, overLimit, unknownKey } from './admit-credential.ts';

/** Long enough for many keys to share a round trip, and far less than what the permits in hand last. */
const GATHER_MS = 10;

/** Has a key renewed shortly, in the background; however often that is wanted meanwhile, it is done once. */
type WantRenewal = (key: BusyKey) => void;

/** Nobody waits for a renewal, so they are gathered: a trip for each would wake Redis and this process all the time. */
export const createRenewals = (
  renew: (key: BusyKey) => Promise<void>,
  gatherMs: number = GATHER_MS,
): WantRenewal => {
  let wanted = new Map<string, BusyKey>();
  const flush = (): void => {
    const gathered = wanted;
    wanted = new Map();
    for (const key of gathered.values()) void renew(key);
  };
  return (key) => {
    if (wanted.size === 0) setTimeout(flush, gatherMs);
    wanted.set(`${key.kind} ${key.keyDigest}`, key);
  };
};

type CallerAdmissionParts = AdmitParts & {
  readonly balances: BalanceCache;
  readonly reads: Pick<CacheReads, 'settle' | 'giveBack'>;
  readonly stored: Pick<StoredTranscripts, 'find'>;
  readonly limits: Readonly<Record<Tier, Limits>>;
};

export type Caller = { readonly principal: Principal; readonly fetched: ProjectedTranscript | null };

const nameAccount = (exchange: Exchange, { accountId, keyId }: Principal): void => {
  exchange.accountId = accountId;
  exchange.keyId = keyId;
};

/** Keys and sessions of a closed account are told so, and nothing else. */
const refuseClosed = ({ status }: Principal): void => {
  if (status === 'closed') throw serviceError('account_closed');
};

/** Writes what every answer to the key's holder says, whether or not the request is admitted. */
const describeAccount = (
  { limits }: CallerAdmissionParts,
  exchange: Exchange,
  principal: Principal,
  balance: number | null,
): void => {
  exchange.isAuthenticated = true;
  // The header is about rates per key, and a session has none.
  exchange.rateLimit = principal.keyId === null ? null : limits[principal.tier].requestsPerMinute;
  exchange.balance = balance;
};

/** Completes an admission: writes down the account for whoever may know of it, then admits or refuses. */
const conclude = async (
  parts: CallerAdmissionParts,
  exchange: Exchange,
  { principal, waitMs, balance }: Admission,
): Promise<void> => {
  const { balances } = parts;
  nameAccount(exchange, principal);
  refuseClosed(principal);
  const { accountId } = principal;
  const projected = balance === null ? null : balances.keepProjected(accountId, balance);
  const available = projected ?? (await balances.find({ requestId: exchange.requestId, accountId }));
  describeAccount(parts, exchange, principal, available);
  if (waitMs > 0) throw overLimit(principal, waitMs);
};

/** What was counted as a cached read is one if there is a cached body. */
const settleRead = (
  { reads }: CallerAdmissionParts,
  { principal, read }: Admission,
  hasBody: boolean,
): void => {
  if (read === 'none') return;
  if (hasBody) reads.settle(principal, read);
  else if (read !== 'refused') reads.giveBack(principal);
};

/** Takes a busy key's next permits and looks again at what else goes stale, while its callers are being answered. */
const createRenew =
  ({ admit, memory, balances, reads, clock }: CallerAdmissionParts) =>
  async ({ keyDigest, principal, kind }: BusyKey): Promise<void> => {
    const askedAt = clock();
    const renewed = await admit.renew(
      { keyDigest, principal, kind },
      { rereads: memory.isAgeing(keyDigest) },
    );
    if (renewed === null) return;
    if (renewed.isLearnt) memory.learn(keyDigest, renewed.principal, askedAt);
    if (renewed.balance !== null) balances.keepProjected(renewed.principal.accountId, renewed.balance);
    if (renewed.read === 'unseeded') reads.settle(renewed.principal, renewed.read);
  };

/** Admits a key by what this process knows and holds; null if somebody has to be asked. */
const admitKeyAtOnce = (
  parts: CallerAdmissionParts & { readonly wantRenewal: WantRenewal },
  exchange: Exchange,
  keyDigest: string,
  wantedKey: string | null,
): Caller | null => {
  const principal = parts.memory.get(keyDigest);
  if (principal === 'unknown') throw unknownKey;
  if (principal === null || principal.status === 'closed') return null;
  const balance = parts.balances.recent(principal.accountId);
  if (balance === null) return null;
  const key = { keyDigest, principal };
  const decided = parts.admit.atOnce(key, wantedKey);
  if (decided === null) return null;
  nameAccount(exchange, principal);
  describeAccount(parts, exchange, principal, balance);
  if (typeof decided === 'number') throw overLimit(principal, decided);
  const kind = kindOf(wantedKey);
  if (decided === 'admitted-and-low' && kind !== null) parts.wantRenewal({ ...key, kind });
  return { principal, fetched: null };
};

const isKnown = ({ memory, gate }: CallerAdmissionParts, digest: string): boolean => {
  const known = memory.get(digest);
  return known === null ? gate.isProven(digest) : known !== 'unknown';
};

/**
 * Finds out who a credential stands for and whether that one may pass now; writes what answers say of the account
 * into the exchange. Both throw invalid_api_key, session_required, account_closed, rate_limit or cache_read_cap.
 */
export type CallerAdmission = {
  /** Without waiting for anybody, as for most cached reads; null if that cannot be. */
  admitAtOnce(exchange: Exchange, credential: Credential, wantedKey: string | null): Caller | null;
  authenticateAndAdmit(
    exchange: Exchange,
    credential: Credential,
    wantedKey: string | null,
    network: () => string,
  ): Promise<Caller>;
};

export const createCallerAdmission = (parts: CallerAdmissionParts): CallerAdmission => {
  const busy = { ...parts, wantRenewal: createRenewals(createRenew(parts)) };
  return {
    admitAtOnce: (exchange, { kind, digest }, wantedKey) =>
      kind === 'key' ? admitKeyAtOnce(busy, exchange, digest, wantedKey) : null,
    authenticateAndAdmit: async (exchange, { kind, digest }, wantedKey, network) => {
      const asker = { requestId: exchange.requestId, network };
      const sought = isSought(wantedKey) ? wantedKey : null;
      // At the same time, so that nobody waits for it afterwards; but strangers have nothing looked for.
      const finding = sought !== null && isKnown(parts, digest) ? parts.stored.find(sought) : null;
      const admission =
        kind === 'key'
          ? await admitKey(parts, digest, wantedKey, asker)
          : await admitSession(parts, digest, asker);
      await conclude(parts, exchange, admission);
      const fetched = sought === null ? null : await (finding ?? parts.stored.find(sought));
      settleRead(parts, admission, sought === null || fetched !== null);
      return { principal: admission.principal, fetched };
    },
  };
};
