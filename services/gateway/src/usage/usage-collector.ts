import { type UsageItem, utcDay, utcDayNumber } from '@tds/contracts';

const DAY_MS = 86_400_000;
/** Keys and days that are counted between two flushes; beyond that, requests are served but not counted. */
const MOST_COUNTERS = 20_000;
const FIRST_ERROR_STATUS = 400;

type Counter = { -readonly [Name in keyof Omit<UsageItem, 'day'>]: UsageItem[Name] } & {
  readonly dayNumber: number;
};

export type Counted = {
  readonly accountId: string | null;
  readonly keyId: string | null;
  readonly isAuthenticated: boolean;
};

export type UsageCollector = {
  /** One answered request; only those with a key count. */
  count(request: Counted, answer: { readonly status: number; readonly cache?: 'HIT' | 'MISS' }): void;
  /** Takes out up to so many items, the longest collected first. */
  take(most: number): UsageItem[];
  /** Whether half of the room is taken. */
  isFilling(): boolean;
  /** Requests that found no room, since this was asked last. */
  takeUncounted(): number;
};

const toItem = ({ dayNumber, ...counts }: Counter): UsageItem => ({
  ...counts,
  day: utcDay(new Date(dayNumber * DAY_MS)),
});

/** Sums in memory: what is in here when the process is killed is lost, and no charge depends on it. */
export const createUsageCollector = (now: () => Date, most = MOST_COUNTERS): UsageCollector => {
  /** The counters of today by key, and those of days that have ended since the last flush. */
  const current = new Map<string, Counter>();
  let ended: Counter[] = [];
  let uncounted = 0;

  const find = (accountId: string, keyId: string): Counter | undefined => {
    const dayNumber = utcDayNumber(now());
    const found = current.get(keyId);
    if (found?.dayNumber === dayNumber) return found;
    if (current.size + ended.length >= most) return undefined;
    if (found !== undefined) ended.push(found);
    const counter: Counter = { accountId, keyId, dayNumber, requests: 0, cacheHits: 0, failures: 0 };
    current.set(keyId, counter);
    return counter;
  };

  return {
    count({ accountId, keyId, isAuthenticated }, { status, cache }) {
      if (!isAuthenticated || accountId === null || keyId === null) return;
      const counter = find(accountId, keyId);
      if (counter === undefined) {
        uncounted += 1;
        return;
      }
      counter.requests += 1;
      if (status >= FIRST_ERROR_STATUS) counter.failures += 1;
      else if (cache === 'HIT') counter.cacheHits += 1;
    },
    take(wanted) {
      const taken = ended.slice(0, wanted);
      ended = ended.slice(wanted);
      for (const [keyId, counter] of current) {
        if (taken.length >= wanted) break;
        taken.push(counter);
        current.delete(keyId);
      }
      return taken.map(toItem);
    },
    isFilling: () => 2 * (current.size + ended.length) >= most,
    takeUncounted() {
      const count = uncounted;
      uncounted = 0;
      return count;
    },
  };
};
