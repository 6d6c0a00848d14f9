import { randomUUID } from 'node:crypto';
import {
  LATENCY_BOUNDS_MS,
  LATENCY_SLOT_MS,
  type LatencyCohort,
  type LatencySlot,
  MAX_LATENCY_SLOTS,
  status,
} from '@tds/contracts';
import type { Kit } from '@tds/kit';
import type { Surface } from '../surface.ts';
import type { Answer, Exchange } from '../wire/index.ts';
import { type Batch, ownContext, startReport } from './flusher.ts';

const LAST = LATENCY_BOUNDS_MS.length - 1;
const ROUTE = 'getTranscript';
const FIRST_ERROR_STATUS = 400;

type Slot = LatencySlot & { readonly endsMs: number; isReported: boolean };

type CountedRequest = Pick<Exchange, 'route' | 'isAuthenticated' | 'keyId'>;

const isCounted = ({ route, isAuthenticated, keyId }: CountedRequest, status: number): boolean =>
  route === ROUTE && isAuthenticated && keyId !== null && status < FIRST_ERROR_STATUS;

const findBound = (milliseconds: number): number => {
  const index = LATENCY_BOUNDS_MS.findIndex((bound) => milliseconds <= bound);
  return index === -1 ? LAST : index;
};

/**
 * Sums by cohort and ten minutes. Each report contains the whole slot, so a repeat changes nothing. A killed process
 * loses its unreported sums.
 */
export const createLatencyReport = (now: () => Date) => {
  const slots = new Map<string, Slot>();
  const find = (cohort: LatencyCohort): Slot => {
    const slotMs = Math.floor(now().getTime() / LATENCY_SLOT_MS) * LATENCY_SLOT_MS;
    const name = `${cohort} ${slotMs}`;
    const slot = slots.get(name) ?? {
      cohort,
      slotAt: new Date(slotMs).toISOString(),
      counts: LATENCY_BOUNDS_MS.map(() => 0),
      endsMs: slotMs + LATENCY_SLOT_MS,
      isReported: false,
    };
    slots.set(name, slot);
    return slot;
  };
  return {
    /** Counts a transcript answered to a key, or a 202. */
    count(exchange: CountedRequest, { status, cache }: Pick<Answer, 'status' | 'cache'>, milliseconds: number) {
      if (cache === undefined || !isCounted(exchange, status)) return;
      const slot = find(cache === 'HIT' ? 'transcript_cache_hits' : 'transcript_cold');
      const bound = findBound(milliseconds);
      slot.counts[bound] = (slot.counts[bound] ?? 0) + 1;
      slot.isReported = false;
    },
    take(limit: number): LatencySlot[] {
      const changed = [...slots.values()].filter(({ isReported }) => !isReported).slice(-limit);
      for (const slot of changed) slot.isReported = true;
      // What has ended is counted no more.
      for (const [name, { endsMs }] of slots) if (endsMs <= now().getTime()) slots.delete(name);
      return changed.map(({ cohort, slotAt, counts }) => ({ cohort, slotAt, counts: [...counts] }));
    },
    isFilling: () => false,
    batchSize: MAX_LATENCY_SLOTS,
  };
};

const REPORT_EVERY_MS = 5_000;

/** Sums latencies and reports them every few seconds and at the end. */
export const startLatency = (kit: Pick<Kit<Surface>, 'call' | 'log' | 'onStop'>, now: () => Date) => {
  const report = createLatencyReport(now);
  const instance = randomUUID();
  const flusher = {
    ...report,
    send: ({ items }: Batch<LatencySlot>) =>
      kit.call(status.recordLatency, { instance, slots: items }, ownContext()),
    onRefused: (refused: readonly LatencySlot[], error: unknown) =>
      kit.log.error('latencies were not reported', { slots: refused.length, error }),
  };
  startReport(kit, 'latency', flusher, REPORT_EVERY_MS);
  return { count: report.count };
};
export type Latency = ReturnType<typeof startLatency>;
