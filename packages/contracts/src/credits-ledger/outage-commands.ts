import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';

/** A UTC day, YYYY-MM-DD. */
export const day = z.iso.date();

export const outageCommands = commands({
  /**
   * Says that a past UTC day was an outage: every account is given floor(10% of what that day's deliveries cost it) as
   * purchased credits. The grants follow by themselves; saying it again grants nothing again.
   */
  grantOutageCredit: {
    request: z.object({ day }),
    reply: z.object({}),
  },
});
