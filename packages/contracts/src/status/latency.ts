import { z } from 'zod';

/** Upper bounds in milliseconds; what took longer than the last one counts there. */
export const LATENCY_BOUNDS_MS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000,
  7_500, 10_000, 15_000, 20_000, 25_000, 30_000, 60_000,
] as const;

/** What is summed together. */
export const LATENCY_SLOT_MS = 600_000;
/** Slots of one message: those of a day. */
const MOST_SLOTS = 145;

const counts = z.array(z.number().int().nonnegative()).length(LATENCY_BOUNDS_MS.length);

export const latencyCohort = z.enum(['transcript_cache_hits', 'transcript_cold']);
export type LatencyCohort = z.output<typeof latencyCohort>;

/** All that one gateway has answered so far of a cohort in ten minutes, by how long it took. */
export const latencySlot = z.object({ slotAt: z.iso.datetime(), cohort: latencyCohort, counts });
export type LatencySlot = z.output<typeof latencySlot>;

export const latencySlots = z.array(latencySlot).max(2 * MOST_SLOTS);

const boundMs = z.number().int().positive().nullable();

/** Upper bounds of the last 24 hours; null where they would be of fewer than twenty answers. */
export const latencyBounds = z.object({ p50Ms: boundMs, p95Ms: boundMs });
export type LatencyBounds = z.output<typeof latencyBounds>;
