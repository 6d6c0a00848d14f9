import { type Principal, serviceError, type Tier } from '@tds/contracts';
import type { Admission, KnownKey } from '../admission/admission.ts';
import { HELD_BODY } from '../admission/admit-script.ts';
import type { BalanceBook } from '../admission/balance-book.ts';
import type { CacheReads } from '../admission/cache-reads.ts';
import type { Limits } from '../admission/limits.ts';
import type { ProjectedTranscript, StoredTranscripts } from '../cache/stored-transcripts.ts';
import type { Credential, Exchange } from '../http/exchange.ts';
import { type AdmitParts, admitKey, admitSession, unknownKey } from './admit-credential.ts';
import { overLimit } from './over-limit.ts';
import { createRenewals, type WantRenewal } from './renewals.ts';

export type LetInParts = AdmitParts & {
  readonly book: BalanceBook;
  readonly reads: Pick<CacheReads, 'settle' | 'giveBack'>;
  readonly stored: Pick<StoredTranscripts, 'find'>;
  readonly limits: Readonly<Record<Tier, Limits>>;
};

export type LetIn = { readonly principal: Principal; readonly fetched: ProjectedTranscript | null };

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
  if (waitMs > 0) throw overLimit(principal, waitMs);
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
  if (typeof decided === 'number') throw overLimit(principal, decided);
  if (decided === 'admitted-and-low') parts.wantRenewal(key);
  return { principal, fetched: null };
};

const isKnown = ({ memory, gate }: LetInParts, digest: string): boolean => {
  const known = memory.get(digest);
  return known === null ? gate.isProven(digest) : known !== 'unknown';
};

/**
 * Finds out who a credential stands for and whether that one may pass now; writes what answers tell of the account
 * into the exchange. Both throw invalid_api_key, session_required, account_closed, rate_limit or cache_read_cap.
 */
export type LetInEveryone = {
  /** Without waiting for anybody, as for most cached reads; null where that cannot be. */
  atOnce(exchange: Exchange, credential: Credential, wantedKey: string | null): LetIn | null;
  ask(
    exchange: Exchange,
    credential: Credential,
    wantedKey: string | null,
    network: () => string,
  ): Promise<LetIn>;
};

export const createLetIn = (parts: LetInParts): LetInEveryone => {
  const busy = { ...parts, wantRenewal: createRenewals(createRenew(parts)) };
  return {
    atOnce: (exchange, { kind, digest }, wantedKey) =>
      kind === 'key' ? letKeyInAtOnce(busy, exchange, digest, wantedKey) : null,
    ask: async (exchange, { kind, digest }, wantedKey, network) => {
      const asker = { requestId: exchange.requestId, network };
      const sought = wantedKey === HELD_BODY ? null : wantedKey;
      // At the same time, so that nobody waits for it afterwards; but strangers have nothing looked for.
      const finding = sought !== null && isKnown(parts, digest) ? parts.stored.find(sought) : null;
      const admission =
        kind === 'key'
          ? await admitKey(parts, digest, wantedKey, asker)
          : await admitSession(parts, digest, asker);
      await receive(parts, exchange, admission);
      const fetched = sought === null ? null : await (finding ?? parts.stored.find(sought));
      settleRead(parts, admission, sought === null || fetched !== null);
      return { principal: admission.principal, fetched };
    },
  };
};
