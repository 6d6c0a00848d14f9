import { z } from 'zod';
import { command } from './define-messages.ts';

/**
 * Gives back what was charged under a ref, once, as purchased credits: an entry `grant` with the reference `refund:<ref>`.
 * `closed` where the account is, which is given nothing; `unknown` where nothing was charged under this ref.
 */
export const refundCharge = command({
  owner: 'credits-ledger',
  name: 'refund-charge',
  request: z.object({ ref: z.string().min(1).max(128) }),
  reply: z.object({ outcome: z.enum(['granted', 'closed', 'unknown']) }),
});
