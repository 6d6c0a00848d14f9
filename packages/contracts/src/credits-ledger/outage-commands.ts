import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';

/** A UTC day, YYYY-MM-DD. */
export const day = z.iso.date();

export const outageCommands = commands({
  /**
   * Declares a past UTC day an outage: every account gets floor(10% of what that day's deliveries cost it) as purchased credits.
   * A task grants them; repeating the command grants nothing again.
   */
  grantOutageCredit: {
    request: z.object({ day }),
    reply: z.object({}),
  },
});
