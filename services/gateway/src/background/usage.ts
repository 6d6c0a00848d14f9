import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isServiceAway } from '@tds/base';
import { creditsLedger, MAX_USAGE_BATCH, type UsageItem, utcDay, utcDayNumber } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import type { Surface } from '../surface.ts';

const DAY_MS = 86_400_000;
/** Counters between two flushes; beyond that, requests are served but not counted. */
const MAX_COUNTERS = 20_000;
const FIRST_ERROR_STATUS = 400;

type Counter = { -readonly [Name in keyof Omit<UsageItem, 'day'>]: UsageItem[Name] } & {
  readonly dayNumber: number;
};

type Counted = {
  readonly accountId: string | null;
  readonly keyId: string | null;
  readonly isAuthenticated: boolean;
};

type UsageCollector = {
  /** Counts an answered request, if it had a key. */
  count(request: Counted, answer: { readonly status: number; readonly cache?: 'HIT' | 'MISS' }): void;
  /** Removes and returns up to `most` items, oldest first. */
  take(most: number): UsageItem[];
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
export const createUsageCollector = (now: () => Date, most = MAX_COUNTERS): UsageCollector => {
  /** Today's counters by key, and those of ended days since the last flush. */
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
    take(limit) {
      const taken = ended.slice(0, limit);
      ended = ended.slice(limit);
      for (const [keyId, counter] of current) {
        if (taken.length >= limit) break;
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

export type UsageBatch = { readonly id: string; readonly items: UsageItem[] };

/** A batch that the ledger refuses this often is dropped, so that it does not block the others. */
const MAX_REFUSALS = 10;

type FlusherDeps = {
  readonly collector: UsageCollector;
  send(batch: UsageBatch): Promise<unknown>;
  /** Reports requests that will never be counted. */
  onLoss(requests: number, cause: unknown): void;
};

/** Sends collected counts, one batch at a time; never rejects. */
type UsageFlusher = {
  /** Sends one batch, oldest first; all if room runs out. */
  flushSome(): Promise<void>;
  /** Sends all counted before this call, unless the ledger refuses it. */
  flushAll(): Promise<void>;
};

/**
 * Sends the next batch; false if there is none or it failed. A batch without an answer is sent again under its own id
 * before newer ones, so it is added once.
 */
const createSendNext = ({ collector, send, onLoss }: FlusherDeps): (() => Promise<boolean>) => {
  let pending: UsageBatch | null = null;
  let refusals = 0;
  const next = (): UsageBatch | null => {
    if (pending !== null) return pending;
    const items = collector.take(MAX_USAGE_BATCH);
    return items.length === 0 ? null : { id: randomUUID(), items };
  };
  const forget = (): void => {
    pending = null;
    refusals = 0;
  };
  const refused = ({ items }: UsageBatch, error: unknown): void => {
    if (isServiceAway(error)) return;
    refusals += 1;
    if (refusals < MAX_REFUSALS) return;
    onLoss(
      items.reduce((sum, { requests }) => sum + requests, 0),
      error,
    );
    forget();
  };
  return async () => {
    pending = next();
    if (pending === null) return false;
    try {
      await send(pending);
    } catch (error) {
      // The next flush retries.
      refused(pending, error);
      return false;
    }
    forget();
    return true;
  };
};

export const createUsageFlusher = (deps: FlusherDeps): UsageFlusher => {
  const { collector, onLoss } = deps;
  const sendNext = createSendNext(deps);
  let running: Promise<void> | null = null;
  let isAllWanted = false;

  const flush = async (): Promise<void> => {
    const uncounted = collector.takeUncounted();
    if (uncounted > 0) onLoss(uncounted, new Error('too many keys between two flushes'));
    isAllWanted ||= collector.isFilling();
    while ((await sendNext()) && isAllWanted);
    isAllWanted = false;
  };
  const flushSome = (): Promise<void> => {
    running ??= flush().finally(() => {
      running = null;
    });
    return running;
  };
  return {
    flushSome,
    async flushAll() {
      isAllWanted = true;
      // A running flush may have taken its last batch before this call.
      if (running) await running;
      isAllWanted = true;
      await flushSome();
    },
  };
};

const FLUSH_EVERY_MS = 1_000;
const PATIENCE_MS = 2_000;
/** Much longer than it takes: readers do not wait for a slow ledger. */
const REPORTED_WITHIN_MS = 500;

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
  const { flushSome, flushAll } = createUsageFlusher({
    collector,
    send: (batch: UsageBatch) =>
      kit.call(creditsLedger.recordUsage, batch, {
        requestId: randomUUID(),
        accountId: null,
        signal: AbortSignal.timeout(PATIENCE_MS),
      }),
    onLoss: (requests, error) => kit.log.error('usage was not counted', { requests, error }),
  });
  const timer = setInterval(() => void flushSome(), FLUSH_EVERY_MS);
  kit.onStop('usage', async () => {
    clearInterval(timer);
    await flushAll();
  });
  const reportAll = () => Promise.race([flushAll(), delay(REPORTED_WITHIN_MS, undefined, { ref: false })]);
  return { count: collector.count, reportAll };
};
