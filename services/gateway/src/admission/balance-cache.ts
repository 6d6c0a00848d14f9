import { availableCredits, BALANCE_WAIT_MS, creditsLedger, utcMonth } from '@tds/contracts';
import { type Call, decodeProjection } from '@tds/service-kit';
import { LRUCache } from 'lru-cache';
import type { Surface } from '../surface.ts';
import { PERMIT_LIFE_MS } from './permits.ts';
import type { MonotonicClock } from './redis-guard.ts';

const REMEMBERED_ACCOUNTS = 20_000;
/** Longer than permits that were taken ahead last; beyond it the ledger is asked for an account that Redis was not asked for. */
const YOUNG_MS = PERMIT_LIFE_MS + 500;

type Entry = {
  readonly text: string | null;
  readonly month: string;
  readonly available: number;
  seenAt: number;
};
type CallIds = { readonly requestId: string; readonly accountId: string };

/** What accounts can spend, for X-Credits-Balance: free and purchased credits together. */
export type BalanceCache = {
  /** Keeps a projected balance; null if it is unreadable. */
  keepProjected(accountId: string, text: string): number | null;
  /** What was read a moment ago; null if somebody has to be asked. */
  recent(accountId: string): number | null;
  /** Asks the ledger unless somebody did a moment ago. Null if nobody ever could tell. */
  find(ids: CallIds): Promise<number | null>;
  /** Keeps what the ledger said on the way of a request. */
  keep(accountId: string, available: number): void;
  /** Asks the ledger in any case: after work that may have moved credits. */
  refresh(ids: CallIds): Promise<number | null>;
};

/** Free credits of a past month are none of this one: then the ledger is asked, which grants the new ones. */
const parse = (text: string, month: string): number | null => {
  const balance = decodeProjection(creditsLedger.balance, text);
  return balance?.month === month ? availableCredits(balance) : null;
};

export const createBalanceCache = (
  call: Call<Surface>,
  clock: MonotonicClock,
  now: () => Date = () => new Date(),
): BalanceCache => {
  const entries = new LRUCache<string, Entry>({ max: REMEMBERED_ACCOUNTS });
  const put = (accountId: string, text: string | null, available: number): number => {
    entries.set(accountId, { text, month: utcMonth(now()), available, seenAt: clock() });
    return available;
  };
  const refresh = async (ids: CallIds): Promise<number | null> => {
    try {
      const signal = AbortSignal.timeout(BALANCE_WAIT_MS);
      const held = await call(creditsLedger.getBalance, { accountId: ids.accountId }, { ...ids, signal });
      return put(ids.accountId, null, availableCredits(held));
    } catch {
      // The balance is a courtesy on top of an answer: the last one known is better than no answer.
      return entries.get(ids.accountId)?.available ?? null;
    }
  };
  const recent = (accountId: string): number | null => {
    // Whoever is in use is read anew all the time, which keeps it young.
    const entry = entries.peek(accountId);
    const isYoung = entry !== undefined && clock() - entry.seenAt < YOUNG_MS;
    return isYoung && entry.month === utcMonth(now()) ? entry.available : null;
  };
  return {
    keepProjected(accountId, text) {
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
    find: async (ids) => recent(ids.accountId) ?? refresh(ids),
    keep: (accountId, available) => void put(accountId, null, available),
    refresh,
  };
};
