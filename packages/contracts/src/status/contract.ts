import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { statusCommands } from './status.ts';

/** The observed state of the service, its latency, and which days were outages. */
export const status = defineContract('status', {
  commands: statusCommands,
  events: {
    /** A past UTC day was an outage: at least 24 observed slots of ten minutes without a healthy strategy. Emitted once per day. */
    outageDayJudged: {
      payload: z.object({
        day: z.iso.date(),
        observedSlots: z.number().int().nonnegative(),
        outageSlots: z.number().int().nonnegative(),
      }),
    },
  },
});
