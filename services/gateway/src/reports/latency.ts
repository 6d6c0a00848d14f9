import { randomUUID } from 'node:crypto';
import {
  LATENCY_BOUNDS_MS,
  LATENCY_SLOT_MS,
  type LatencyCohort,
  type LatencySlot,
  latencyCohort,
  status,
} from '@tds/contracts';
import type { Kit } from '@tds/kit';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Surface } from '../surface.ts';

const DAY_MS = 86_400_000;
const LAST = LATENCY_BOUNDS_MS.length - 1;
const ROUTE = 'getTranscript';
const FIRST_ERROR_STATUS = 400;

/** `unreported`: how many of its answers are not reported yet. */
type Slot = { readonly slotMs: number; readonly counts: number[]; unreported: number };

/** Slots to report; `arrived` marks them as reported. */
type TakenLatency = { readonly slots: readonly LatencySlot[]; markReported(): void };

type LatencyCollector = {
  /** Counts a transcript answered to a key, or a 202. */
  count(exchange: Exchange, answer: Pick<Answer, 'status' | 'cache'>, milliseconds: number): void;
  /** All slots with unreported answers, each complete. */
  take(): TakenLatency;
};

type CountedRequest = Pick<Exchange, 'route' | 'isAuthenticated' | 'keyId'>;

const isCounted = ({ route, isAuthenticated, keyId }: CountedRequest, status: number): boolean =>
  route === ROUTE && isAuthenticated && keyId !== null && status < FIRST_ERROR_STATUS;

const findBound = (milliseconds: number): number => {
  const index = LATENCY_BOUNDS_MS.findIndex((bound) => milliseconds <= bound);
  return index === -1 ? LAST : index;
};

const emptySlot = (slotMs: number): Slot => ({
  slotMs,
  counts: LATENCY_BOUNDS_MS.map(() => 0),
  unreported: 0,
});

/** One cohort's slots in this process, oldest first, for a day at most. */
const createCohort = () => {
  let slots: Slot[] = [];
  const current = (nowMs: number): Slot => {
    const slotMs = Math.floor(nowMs / LATENCY_SLOT_MS) * LATENCY_SLOT_MS;
    const last = slots.at(-1);
    if (last?.slotMs === slotMs) return last;
    const slot = emptySlot(slotMs);
    // Also drop slots that a clock set back left behind.
    slots = [...slots.filter((one) => Math.abs(slotMs - one.slotMs) < DAY_MS && one.slotMs !== slotMs), slot];
    return slot;
  };
  return {
    current,
    unreported: () => slots.filter(({ unreported }) => unreported > 0),
    /** Drops slots that are over and reported. */
    forget: (nowMs: number) => {
      slots = slots.filter(({ slotMs, unreported }) => unreported > 0 || slotMs + LATENCY_SLOT_MS > nowMs);
    },
  };
};

/**
 * Sums by cohort and ten minutes. Each report contains the whole slot, so a repeat changes nothing. A killed process
 * loses its unreported sums.
 */
export const createLatencyCollector = (now: () => Date): LatencyCollector => {
  const cohorts: Readonly<Record<LatencyCohort, ReturnType<typeof createCohort>>> = {
    transcript_cache_hits: createCohort(),
    transcript_cold: createCohort(),
  };
  return {
    count(exchange, { status, cache }, milliseconds) {
      if (cache === undefined || !isCounted(exchange, status)) return;
      const cohort = cache === 'HIT' ? cohorts.transcript_cache_hits : cohorts.transcript_cold;
      const slot = cohort.current(now().getTime());
      const bound = findBound(milliseconds);
      slot.counts[bound] = (slot.counts[bound] ?? 0) + 1;
      slot.unreported += 1;
    },
    take() {
      const reports = latencyCohort.options.flatMap((cohort) =>
        cohorts[cohort].unreported().map((slot) => ({ cohort, slot, unreported: slot.unreported })),
      );
      return {
        slots: reports.map(({ cohort, slot: { slotMs, counts } }) => ({
          cohort,
          slotAt: new Date(slotMs).toISOString(),
          counts: [...counts],
        })),
        markReported: () => {
          for (const { slot, unreported } of reports) slot.unreported -= unreported;
          for (const cohort of Object.values(cohorts)) cohort.forget(now().getTime());
        },
      };
    },
  };
};

const REPORT_EVERY_MS = 5_000;
const TIMEOUT_MS = 2_000;

/** Sums latencies and reports them every few seconds and at the end. A failed report is repeated with the next. */
export const startLatency = (
  { call, onStop }: Pick<Kit<Surface>, 'call' | 'onStop'>,
  now: () => Date,
): Pick<LatencyCollector, 'count'> => {
  const collector = createLatencyCollector(now);
  const instance = randomUUID();
  const report = async (): Promise<void> => {
    const { slots, markReported } = collector.take();
    if (slots.length === 0) return;
    const context = {
      requestId: randomUUID(),
      accountId: null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    };
    await call(status.recordLatency, { instance, slots: [...slots] }, context).then(
      markReported,
      // The next report repeats all of it.
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
