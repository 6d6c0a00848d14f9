import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { statusCommands } from './status.ts';

/** How the service fares: what is observed of it, how fast it is, and which days were outages. */
export const status = defineContract('status', {
  commands: statusCommands,
  events: {
    /** A UTC day that is over was an outage: at least 24 observed slots of ten minutes without a healthy strategy. Told once per day. */
    outageDayJudged: {
      payload: z.object({
        day: z.iso.date(),
        observedSlots: z.number().int().nonnegative(),
        outageSlots: z.number().int().nonnegative(),
      }),
    },
  },
});
