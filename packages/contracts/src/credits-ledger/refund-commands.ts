import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { ref } from './balance.ts';

export const refundCommands = commands({
  /**
   * Gives back what was charged under a ref, once, as purchased credits: an entry `grant` with the reference `refund:<ref>`.
   * `closed` if the account is: then nothing is given; `unknown` if nothing was charged under this ref.
   */
  refundCharge: {
    request: z.object({ ref }),
    reply: z.object({ outcome: z.enum(['granted', 'closed', 'unknown']) }),
  },
});
