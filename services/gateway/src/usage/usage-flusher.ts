import { randomUUID } from 'node:crypto';
import { LARGEST_USAGE_BATCH, type UsageItem } from '@tds/contracts';
import { isServiceAway } from '@tds/service-kit';
import type { UsageCollector } from './usage-collector.ts';

export type UsageBatch = { readonly id: string; readonly items: UsageItem[] };

/** A batch that the ledger itself refuses so often is given up, so that it does not stand in the way of all others. */
const MOST_REFUSALS = 10;

export type FlusherParts = {
  readonly collector: UsageCollector;
  send(batch: UsageBatch): Promise<unknown>;
  /** Of requests that will never be counted. */
  onLoss(requests: number, cause: unknown): void;
};

/** Sends what was collected, one batch at a time; neither rejects. */
export type UsageFlusher = {
  /** One batch, the longest collected first; all of it if room is running out. */
  flushSome(): Promise<void>;
  /** All that was counted before this call, unless the ledger does not take it. */
  flushAll(): Promise<void>;
};

/**
 * Sends the next batch; false where there is none, or it was not taken. One without an answer is sent again under its own id
 * before anything newer, so it is added once; meanwhile the collector goes on summing.
 */
const createSendNext = ({ collector, send, onLoss }: FlusherParts): (() => Promise<boolean>) => {
  let pending: UsageBatch | null = null;
  let refusals = 0;
  const next = (): UsageBatch | null => {
    if (pending !== null) return pending;
    const items = collector.take(LARGEST_USAGE_BATCH);
    return items.length === 0 ? null : { id: randomUUID(), items };
  };
  const forget = (): void => {
    pending = null;
    refusals = 0;
  };
  const refused = ({ items }: UsageBatch, error: unknown): void => {
    if (isServiceAway(error)) return;
    refusals += 1;
    if (refusals < MOST_REFUSALS) return;
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
      // The next flush tries again.
      refused(pending, error);
      return false;
    }
    forget();
    return true;
  };
};

export const createUsageFlusher = (parts: FlusherParts): UsageFlusher => {
  const { collector, onLoss } = parts;
  const sendNext = createSendNext(parts);
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
      // One that is under way may have looked for the last time before this call.
      if (running) await running;
      isAllWanted = true;
      await flushSome();
    },
  };
};
