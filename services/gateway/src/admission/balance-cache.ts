import { decodeProjection } from '@tds/base';
import { availableCredits, BALANCE_WAIT_MS, creditsLedger, utcMonth } from '@tds/contracts';
import type { Call } from '@tds/kit';
import { LRUCache } from 'lru-cache';
import type { MonotonicClock } from '../redis/index.ts';
import type { Surface } from '../surface.ts';
import { PERMIT_LIFE_MS } from './permits.ts';

const REMEMBERED_ACCOUNTS = 20_000;
/** Longer than permits live. An older balance is read from the ledger if the request did not ask Redis. */
const YOUNG_MS = PERMIT_LIFE_MS + 500;

type Entry = {
  readonly text: string | null;
  readonly month: string;
  readonly available: number;
  seenAt: number;
};
type CallIds = { readonly requestId: string; readonly accountId: string };

/** A balance of a past month is invalid: the ledger grants the new month's credits when asked. */
const parse = (text: string, month: string): number | null => {
  const balance = decodeProjection(creditsLedger.balance, text);
  return balance?.month === month ? availableCredits(balance) : null;
};

/** Balances for X-Credits-Balance: free and purchased credits together. */
export const createBalanceCache = (
  call: Call<Surface>,
  clock: MonotonicClock,
  now: () => Date = () => new Date(),
) => {
  const entries = new LRUCache<string, Entry>({ max: REMEMBERED_ACCOUNTS });
  const put = (accountId: string, text: string | null, available: number): number => {
    entries.set(accountId, { text, month: utcMonth(now()), available, seenAt: clock() });
    return available;
  };
  /** Asks the ledger: after work that may have moved credits. */
  const refresh = async (ids: CallIds): Promise<number | null> => {
    try {
      const signal = AbortSignal.timeout(BALANCE_WAIT_MS);
      const balance = await call(creditsLedger.getBalance, { accountId: ids.accountId }, { ...ids, signal });
      return put(ids.accountId, null, availableCredits(balance));
    } catch {
      // The balance is optional: the last known one is better than an error.
      return entries.get(ids.accountId)?.available ?? null;
    }
  };
  /** The balance if it was read a moment ago; else null. */
  const recent = (accountId: string): number | null => {
    // `peek` is enough: accounts in use are read again all the time.
    const entry = entries.peek(accountId);
    const isYoung = entry !== undefined && clock() - entry.seenAt < YOUNG_MS;
    return isYoung && entry.month === utcMonth(now()) ? entry.available : null;
  };
  return {
    /** Keeps a projected balance; null if it cannot be read. */
    keepProjected(accountId: string, text: string): number | null {
      const before = entries.get(accountId);
      const month = utcMonth(now());
      if (before?.text === text && before.month === month) {
        before.seenAt = clock();
        return before.available;
      }
      const available = parse(text, month);
      return available === null ? null : put(accountId, text, available);
    },
    recent,
    /** The recent balance, or the ledger's. Null if it was never known. */
    find: async (ids: CallIds) => recent(ids.accountId) ?? refresh(ids),
    /** Keeps the balance that a command returned. */
    keep: (accountId: string, available: number): void => void put(accountId, null, available),
    refresh,
  };
};
export type BalanceCache = ReturnType<typeof createBalanceCache>;
