import { z } from 'zod';
import { command, task } from './define-messages.ts';

const owner = 'credits-ledger' as const;

const day = z.iso.date();

/**
 * Says that a past UTC day was an outage: every account is given floor(10% of what that day's deliveries cost it) as
 * purchased credits. The grants follow by themselves; saying it again grants nothing again.
 */
export const grantOutageCredit = command({
  owner,
  name: 'grant-outage-credit',
  request: z.object({ day }),
  reply: z.object({}),
});

/** The grants of one day, some hundred accounts at a time; a repeat goes on where the last attempt ended. */
export const grantOutageCredits = task({
  owner,
  name: 'grant-outage-credits',
  payload: z.object({ day }),
  leaseMs: 30_000,
  backoffMs: [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000],
  concurrency: 1,
});
