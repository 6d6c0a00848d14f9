import { endsWithin } from '@tds/base';
import { creditsLedger, DAY_MS, MAX_USAGE_BATCH, type UsageItem, utcDay, utcDayNumber } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import type { Surface } from '../surface.ts';
import type { Answer, Exchange } from '../wire/index.ts';
import { type OnLoss, ownContext, startReport } from './flusher.ts';

/** Counters between two flushes; beyond that, requests are served but not counted. */
const MAX_COUNTERS = 20_000;
const FIRST_ERROR_STATUS = 400;

type Counter = { -readonly [Name in keyof Omit<UsageItem, 'day'>]: UsageItem[Name] } & {
  readonly dayNumber: number;
};

type CountedRequest = Pick<Exchange, 'accountId' | 'keyId' | 'isAuthenticated'>;

const toItem = ({ dayNumber, ...counts }: Counter): UsageItem => ({
  ...counts,
  day: utcDay(new Date(dayNumber * DAY_MS)),
});

/** Sums by key and day. */
const createCounters = (now: () => Date, maxCounters: number) => {
  /** Today's counters by key, and those of ended days since the last flush. */
  const current = new Map<string, Counter>();
  let endedCounters: Counter[] = [];
  return {
    /** Undefined if there is no room for another one. */
    find(accountId: string, keyId: string): Counter | undefined {
      const dayNumber = utcDayNumber(now());
      const previous = current.get(keyId);
      if (previous?.dayNumber === dayNumber) return previous;
      if (current.size + endedCounters.length >= maxCounters) return undefined;
      if (previous !== undefined) endedCounters.push(previous);
      const counter: Counter = { accountId, keyId, dayNumber, requests: 0, cacheHits: 0, failures: 0 };
      current.set(keyId, counter);
      return counter;
    },
    take(limit: number): UsageItem[] {
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
  };
};

/** Sums in memory. A killed process loses its sums; no charge depends on them. */
export const createUsageReport = (now: () => Date, onLoss: OnLoss, maxCounters = MAX_COUNTERS) => {
  const counters = createCounters(now, maxCounters);
  let uncounted = 0;
  return {
    /** Counts an answered request, if it had a key. */
    count({ accountId, keyId, isAuthenticated }: CountedRequest, answer: Pick<Answer, 'status' | 'cache'>) {
      if (!isAuthenticated || accountId === null || keyId === null) return;
      const counter = counters.find(accountId, keyId);
      if (counter === undefined) {
        uncounted += 1;
        return;
      }
      counter.requests += 1;
      if (answer.status >= FIRST_ERROR_STATUS) counter.failures += 1;
      else if (answer.cache === 'HIT') counter.cacheHits += 1;
    },
    take(limit: number) {
      if (uncounted > 0) onLoss(uncounted, new Error('too many keys between two flushes'));
      uncounted = 0;
      return counters.take(limit);
    },
    isFilling: counters.isFilling,
    batchSize: MAX_USAGE_BATCH,
    onRefused: (items: readonly UsageItem[], cause: unknown) =>
      onLoss(
        items.reduce((sum, { requests }) => sum + requests, 0),
        cause,
      ),
  };
};

/** Much longer than it takes: readers do not wait for a slow ledger. */
const REPORT_TIMEOUT_MS = 500;

/**
 * Counts requests per key and reports a batch every second, and everything at the end: thousands of busy keys cost the
 * ledger no more than hundreds.
 */
export const startUsage = (kit: Pick<Kit<Surface>, 'call' | 'log' | 'onStop'>, now: () => Date) => {
  const onLoss: OnLoss = (requests, error) => kit.log.error('usage was not counted', { requests, error });
  const report = createUsageReport(now, onLoss);
  const { flushAll } = startReport(kit, 'usage', {
    ...report,
    send: (batch) => kit.call(creditsLedger.recordUsage, batch, ownContext()),
  });
  return {
    count: report.count,
    /** Reports all counts to the ledger, so that a reader of usage finds what this gateway answered before. */
    reportAll: async (): Promise<void> => void (await endsWithin(flushAll(), REPORT_TIMEOUT_MS)),
  };
};
export type Usage = ReturnType<typeof startUsage>;
