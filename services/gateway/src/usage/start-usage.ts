import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { creditsLedger } from '@tds/contracts';
import type { Kit } from '@tds/service-kit';
import type { Surface } from '../surface.ts';
import { createUsageCollector, type UsageCollector } from './usage-collector.ts';
import { createUsageFlusher, type UsageBatch } from './usage-flusher.ts';

const FLUSH_EVERY_MS = 1_000;
const PATIENCE_MS = 2_000;
/** Many times what it takes: a reader does not wait for a ledger that counts slowly. */
const REPORTED_WITHIN_MS = 500;

export type Usage = {
  readonly count: UsageCollector['count'];
  /** Reports to the ledger all that is known here, so that who reads usage afterwards finds what this gateway has answered before. */
  reportAll(): Promise<void>;
};

/**
 * Counts what keys ask for and reports a batch to the ledger every second, so that thousands of busy keys cost it no more than
 * hundreds do; and everything at the end.
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
