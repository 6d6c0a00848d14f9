import { z } from 'zod';

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
