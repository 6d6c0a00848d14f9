import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { latencyBounds, latencyCohort, latencySlots } from './latency.ts';
import { impairment, partState } from './state.ts';

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
