import { z } from 'zod';
import { commands, defineContract } from '../contract/define-contract.ts';
import { namedObject, time, uuid } from '../ids.ts';

/** The state of a part of the service; `unknown` without a recent observation. */
export const partState = z.enum(['operational', 'degraded', 'down', 'unknown']).meta({ id: 'PartState' });
export type PartState = z.output<typeof partState>;

/**
 * Why new cold work does not run as it should. `relay`: no fetcher reports, or no exit reaches the platform; `strategies`: none is
 * healthy; `capacity`: the day's fetches or bytes are used up; `free_pool`: those of free keys are; `canary`: every check of known
 * videos fails; `credits` and `accounts`: their service does not answer.
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

/** Whether no new fetch can run. With the other impairments, some can. */
export const pausesFetches = (impaired: readonly Impairment[]): boolean =>
  impaired.some((one) => pausing.has(one));

/** Upper bounds in milliseconds; longer times count in the last one. */
export const LATENCY_BOUNDS_MS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500,
  10_000, 15_000, 20_000, 25_000, 30_000, 60_000,
] as const;

/** Latencies are counted per slot of ten minutes. */
export const LATENCY_SLOT_MS = 600_000;
/** Slots of one message: of both cohorts a day, and the slot that has begun. */
export const MAX_LATENCY_SLOTS = 290;

const counts = z.array(z.number().int().nonnegative()).length(LATENCY_BOUNDS_MS.length);

export const latencyCohort = z.enum(['transcript_cache_hits', 'transcript_cold']);
export type LatencyCohort = z.output<typeof latencyCohort>;

/** All answers of one gateway, cohort and slot so far, by latency bound. */
const latencySlot = z.object({ slotAt: z.iso.datetime(), cohort: latencyCohort, counts });
export type LatencySlot = z.output<typeof latencySlot>;

const latencySlots = z.array(latencySlot).max(MAX_LATENCY_SLOTS);

const boundMs = z.number().int().positive().nullable();

/** Upper bounds of the last 24 hours in their public shape; null for fewer than twenty answers. */
export const latencyBounds = namedObject('LatencyBounds', { p50_ms: boundMs, p95_ms: boundMs });
export type LatencyBounds = z.output<typeof latencyBounds>;

export const observedStrategy = namedObject('StrategyStatus', { name: z.string(), status: partState });
export const observedCanary = namedObject('CanaryStatus', { status: partState, checked_at: time.nullable() });

/** The observed state of new work; its parts in their public shape. Contains no exit, address or byte count. */
export const observedStatus = z.object({
  relay: partState,
  translation: partState,
  capacity: partState,
  strategies: z.array(observedStrategy),
  canary: observedCanary,
  impaired: z.array(impairment),
});
export type ObservedStatus = z.output<typeof observedStatus>;

/** `unknown`: without observations. */
const dayState = z.enum(['operational', 'impaired', 'outage', 'unknown']);

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

const statusCommands = commands({
  getStatus: {
    request: z.object({}),
    reply: observedStatus.extend({ latency: z.record(latencyCohort, latencyBounds) }),
  },
  /** The last ninety UTC days, oldest first, and their incidents, newest first. */
  getHistory: { request: z.object({}), reply: history },
  /** The counts of a gateway: each slot in full, so that a repeat changes nothing. */
  recordLatency: { request: z.object({ instance: uuid, slots: latencySlots }), reply: z.object({}) },
});

/** The observed state of the service, its latency, and which days were outages. */
export const status = defineContract('status', {
  commands: statusCommands,
  events: {
    /** A past UTC day was an outage: at least 24 observed slots of ten minutes without a healthy strategy. Emitted once per day. */
    outageDayEvaluated: {
      payload: z.object({
        day: z.iso.date(),
        observedSlots: z.number().int().nonnegative(),
        outageSlots: z.number().int().nonnegative(),
      }),
    },
  },
});
