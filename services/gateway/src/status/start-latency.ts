import { randomUUID } from 'node:crypto';
import { status } from '@tds/contracts';
import type { Kit } from '@tds/service-kit';
import type { Surface } from '../surface.ts';
import { createLatencyCollector, type LatencyCollector } from './latency-collector.ts';

const REPORT_EVERY_MS = 5_000;
const PATIENCE_MS = 2_000;

/** Sums how long answers take, and reports the sums every few seconds and at the end; a report that fails comes with the next. */
export const startLatency = (
  { call, onStop }: Pick<Kit<Surface>, 'call' | 'onStop'>,
  now: () => Date,
): Pick<LatencyCollector, 'count'> => {
  const collector = createLatencyCollector(now);
  const instance = randomUUID();
  const report = async (): Promise<void> => {
    const { slots, arrived } = collector.take();
    if (slots.length === 0) return;
    const context = {
      requestId: randomUUID(),
      accountId: null,
      signal: AbortSignal.timeout(PATIENCE_MS),
    };
    await call(status.recordLatency, { instance, slots: [...slots] }, context).then(
      arrived,
      // All of it is told again with the next.
      () => {},
    );
  };
  let running = Promise.resolve();
  const reportNext = (): Promise<void> => {
    running = running.then(report);
    return running;
  };
  const timer = setInterval(() => void reportNext(), REPORT_EVERY_MS);
  onStop('latency', async () => {
    clearInterval(timer);
    await reportNext();
  });
  return { count: collector.count };
};
