import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';

/** How a part of the service fares: `unknown` where nothing recent tells. */
export const partState = z.enum(['operational', 'degraded', 'down', 'unknown']);
export type PartState = z.output<typeof partState>;

/**
 * What keeps new cold work from running as it should. `relay`: nobody fetches, or no exit leads to the platform; `strategies`: none of
 * them is healthy; `capacity`: the day's fetches or bytes are used up; `free_pool`: those of free keys are; `canary`: every check of
 * known videos fails; `credits` and `accounts`: whoever keeps them does not answer.
 */
export const impairment = z.enum([
  'relay',
  'strategies',
  'capacity',
  'free_pool',
  'canary',
  'credits',
  'accounts',
]);
export type Impairment = z.output<typeof impairment>;

const pausing: ReadonlySet<Impairment> = new Set(['relay', 'strategies', 'capacity', 'credits', 'accounts']);

/** Whether new fetches cannot run at all; with the others some of them can. */
export const pausesFetches = (impaired: readonly Impairment[]): boolean =>
  impaired.some((one) => pausing.has(one));

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

const time = z.iso.datetime();

/** How new work fares by what was observed lately. No exit, address or figure of bytes is in it. */
export const observedStatus = z.object({
  relay: partState,
  translation: partState,
  capacity: partState,
  strategies: z.array(z.object({ name: z.string(), state: partState })),
  canary: z.object({ state: partState, checkedAt: time.nullable() }),
  impaired: z.array(impairment),
});
export type ObservedStatus = z.output<typeof observedStatus>;

/** `unknown`: nothing was observed. */
export const dayState = z.enum(['operational', 'impaired', 'outage', 'unknown']);

const day = z.object({
  day: z.iso.date(),
  state: dayState,
  /** Minutes in which new work was impaired. */
  impairedMinutes: z.number().int().nonnegative(),
});
export type StatusDay = z.output<typeof day>;

const incident = z.object({ beganAt: time, endedAt: time.nullable(), impaired: z.array(impairment) });
export type Incident = z.output<typeof incident>;

export const history = z.object({ days: z.array(day), incidents: z.array(incident) });
export type StatusHistory = z.output<typeof history>;

export const statusCommands = commands({
  getStatus: {
    request: z.object({}),
    reply: observedStatus.extend({ latency: z.record(latencyCohort, latencyBounds) }),
  },
  /** The last ninety UTC days, the oldest first, and their incidents, the newest first. */
  getHistory: { request: z.object({}), reply: history },
  /** What a gateway has counted: all of each slot so far, so that a repeat changes nothing. */
  recordLatency: { request: z.object({ instance: uuid, slots: latencySlots }), reply: z.object({}) },
});
