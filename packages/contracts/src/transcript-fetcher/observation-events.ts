import { z } from 'zod';
import { uuid } from '../ids.ts';

const route = { strategy: z.string(), exit: z.string() };
const time = z.iso.datetime();

/** Which cold fetches may begin today: all, only those of paid keys (`limited`), or none (`spent`). */
export const coldCapacity = z.enum(['open', 'limited', 'spent']);
export type ColdCapacity = z.output<typeof coldCapacity>;

export const observationEvents = {
  /**
   * How the serving strategies fare, as one instance sees them: those that it has used lately. At each change, and every minute, so that
   * silence is seen. The status service judges outages from these.
   */
  strategyObserved: {
    payload: z.object({
      instance: uuid,
      /** By the database's clock, which all instances share. */
      observedAt: time,
      strategies: z.array(z.object({ ...route, healthy: z.boolean() })),
      capacity: coldCapacity,
    }),
  },

  /** A check fetched a known video through every strategy and exit. */
  canaryChecked: {
    payload: z.object({
      instance: uuid,
      checkedAt: time,
      routes: z.array(z.object({ ...route, passed: z.boolean() })),
      /** Null where the video says nothing of translations. */
      translation: z.enum(['served', 'refused']).nullable(),
    }),
  },
} as const;
