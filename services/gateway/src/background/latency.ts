import { randomUUID } from 'node:crypto';
import {
  LATENCY_BOUNDS_MS,
  LATENCY_SLOT_MS,
  type LatencyCohort,
  type LatencySlot,
  latencyCohort,
  status,
} from '@tds/contracts';
import type { Kit } from '@tds/service-kit';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Surface } from '../surface.ts';

const DAY_MS = 86_400_000;
const LAST = LATENCY_BOUNDS_MS.length - 1;
const ROUTE = 'getTranscript';
const FIRST_ERROR_STATUS = 400;

/** `unsaid` of its answers nobody has been told of. */
type Slot = { readonly slotMs: number; readonly counts: number[]; unsaid: number };

/** What was taken, and how to say that it has arrived. */
type TakenLatency = { readonly slots: readonly LatencySlot[]; arrived(): void };

type LatencyCollector = {
  /** Counts a transcript that a key got, or a 202 in its place. */
  count(exchange: Exchange, answer: Pick<Answer, 'status' | 'cache'>, milliseconds: number): void;
  /** All of every slot of which something is still to be said. */
  take(): TakenLatency;
};

type Asked = Pick<Exchange, 'route' | 'isAuthenticated' | 'keyId'>;

const isCounted = ({ route, isAuthenticated, keyId }: Asked, status: number): boolean =>
  route === ROUTE && isAuthenticated && keyId !== null && status < FIRST_ERROR_STATUS;

const boundOf = (milliseconds: number): number => {
  const index = LATENCY_BOUNDS_MS.findIndex((bound) => milliseconds <= bound);
  return index === -1 ? LAST : index;
};

const emptySlot = (slotMs: number): Slot => ({ slotMs, counts: LATENCY_BOUNDS_MS.map(() => 0), unsaid: 0 });

/** The slots of one cohort in this process, the oldest first: a day of them at most. */
const createCohort = () => {
  let slots: Slot[] = [];
  const current = (nowMs: number): Slot => {
    const slotMs = Math.floor(nowMs / LATENCY_SLOT_MS) * LATENCY_SLOT_MS;
    const last = slots.at(-1);
    if (last?.slotMs === slotMs) return last;
    const slot = emptySlot(slotMs);
    // What a clock that went back left behind goes, too.
    slots = [...slots.filter((one) => Math.abs(slotMs - one.slotMs) < DAY_MS && one.slotMs !== slotMs), slot];
    return slot;
  };
  return {
    current,
    unsaid: () => slots.filter(({ unsaid }) => unsaid > 0),
    /** Those that are over and known to others are no longer needed. */
    forget: (nowMs: number) => {
      slots = slots.filter(({ slotMs, unsaid }) => unsaid > 0 || slotMs + LATENCY_SLOT_MS > nowMs);
    },
  };
};

/**
 * Sums by cohort and ten minutes. All of a slot is told each time, so a repeat changes nothing; what is in here when the process is killed
 * is lost.
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
      const bound = boundOf(milliseconds);
      slot.counts[bound] = (slot.counts[bound] ?? 0) + 1;
      slot.unsaid += 1;
    },
    take() {
      const taken = latencyCohort.options.flatMap((cohort) =>
        cohorts[cohort].unsaid().map((slot) => ({ cohort, slot, unsaid: slot.unsaid })),
      );
      return {
        slots: taken.map(({ cohort, slot: { slotMs, counts } }) => ({
          cohort,
          slotAt: new Date(slotMs).toISOString(),
          counts: [...counts],
        })),
        arrived: () => {
          for (const { slot, unsaid } of taken) slot.unsaid -= unsaid;
          for (const cohort of Object.values(cohorts)) cohort.forget(now().getTime());
        },
      };
    },
  };
};

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
