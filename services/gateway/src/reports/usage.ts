import { endsWithin } from '@tds/base';
import { creditsLedger, MAX_USAGE_BATCH, type UsageItem, utcDay, utcDayNumber } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import type { Surface } from '../surface.ts';
import { type Batch, batchContext, createFlusher, type Flusher, startFlushing } from './flusher.ts';

const DAY_MS = 86_400_000;
/** Counters between two flushes; beyond that, requests are served but not counted. */
const MAX_COUNTERS = 20_000;
const FIRST_ERROR_STATUS = 400;

type Counter = { -readonly [Name in keyof Omit<UsageItem, 'day'>]: UsageItem[Name] } & {
  readonly dayNumber: number;
};

type CountedRequest = {
  readonly accountId: string | null;
  readonly keyId: string | null;
  readonly isAuthenticated: boolean;
};

type UsageCollector = {
  /** Counts an answered request, if it had a key. */
  count(request: CountedRequest, answer: { readonly status: number; readonly cache?: 'HIT' | 'MISS' }): void;
  /** Removes and returns up to `limit` items, oldest first. */
  take(limit: number): UsageItem[];
  /** Whether half of the counters are in use. */
  isFilling(): boolean;
  /** Requests not counted for lack of room since the last call. */
  takeUncounted(): number;
};

const toItem = ({ dayNumber, ...counts }: Counter): UsageItem => ({
  ...counts,
  day: utcDay(new Date(dayNumber * DAY_MS)),
});

/** Sums in memory. A killed process loses its sums; no charge depends on them. */
export const createUsageCollector = (now: () => Date, maxCounters = MAX_COUNTERS): UsageCollector => {
  /** Today's counters by key, and those of ended days since the last flush. */
  const current = new Map<string, Counter>();
  let endedCounters: Counter[] = [];
  let uncounted = 0;

  const find = (accountId: string, keyId: string): Counter | undefined => {
    const dayNumber = utcDayNumber(now());
    const previous = current.get(keyId);
    if (previous?.dayNumber === dayNumber) return previous;
    if (current.size + endedCounters.length >= maxCounters) return undefined;
    if (previous !== undefined) endedCounters.push(previous);
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
    take(limit) {
      const counters = endedCounters.slice(0, limit);
      endedCounters = endedCounters.slice(limit);
      for (const [keyId, counter] of current) {
        if (counters.length >= limit) break;
        counters.push(counter);
        current.delete(keyId);
      }
      return counters.map(toItem);
    },
    isFilling: () => 2 * (current.size + endedCounters.length) >= maxCounters,
    takeUncounted() {
      const count = uncounted;
      uncounted = 0;
      return count;
    },
  };
};

export type UsageBatch = Batch<UsageItem>;

type UsageFlusherDeps = {
  readonly collector: UsageCollector;
  send(batch: UsageBatch): Promise<unknown>;
  /** Reports requests that will never be counted. */
  onLoss(requests: number, cause: unknown): void;
};

export const createUsageFlusher = ({ collector, send, onLoss }: UsageFlusherDeps): Flusher => {
  const flusher = createFlusher<UsageItem>({
    ...{ collector, batchSize: MAX_USAGE_BATCH, send },
    onRefused: (items, cause) =>
      onLoss(
        items.reduce((sum, { requests }) => sum + requests, 0),
        cause,
      ),
  });
  const reportUncounted = (): void => {
    const uncounted = collector.takeUncounted();
    if (uncounted > 0) onLoss(uncounted, new Error('too many keys between two flushes'));
  };
  return {
    flushSome() {
      reportUncounted();
      return flusher.flushSome();
    },
    flushAll() {
      reportUncounted();
      return flusher.flushAll();
    },
  };
};

/** Much longer than it takes: readers do not wait for a slow ledger. */
const REPORT_TIMEOUT_MS = 500;

type Usage = {
  readonly count: UsageCollector['count'];
  /** Reports all counts to the ledger, so that a reader of usage finds what this gateway answered before. */
  reportAll(): Promise<void>;
};

/**
 * Counts requests per key and reports a batch every second, and everything at the end: thousands of busy keys cost the
 * ledger no more than hundreds.
 */
export const startUsage = (kit: Pick<Kit<Surface>, 'call' | 'log' | 'onStop'>, now: () => Date): Usage => {
  const collector = createUsageCollector(now);
  const flusher = createUsageFlusher({
    collector,
    send: (batch) => kit.call(creditsLedger.recordUsage, batch, batchContext()),
    onLoss: (requests, error) => kit.log.error('usage was not counted', { requests, error }),
  });
  startFlushing(kit, 'usage', flusher);
  const reportAll = async () => void (await endsWithin(flusher.flushAll(), REPORT_TIMEOUT_MS));
  return { count: collector.count, reportAll };
};
