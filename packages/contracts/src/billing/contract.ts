import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { MOST_GRANTS } from '../credits-ledger/purchase-commands.ts';
import { tier } from '../identity/principal.ts';
import { uuid } from '../ids.ts';
import { eventCommands } from './event-commands.ts';
import { purchaseCommands } from './purchase-commands.ts';

/** Who is away for longer is met by the walk that enqueues the task again. */
const backoffMs = [250, 1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000];

/** Money: checkouts, purchases, refunds, disputes, and the events of the payment processor. */
export const billing = defineContract('billing', {
  commands: { ...purchaseCommands, ...eventCommands },
  tasks: {
    /**
     * Grants purchases that were paid together; those to which more has happened are settled by themselves. Few at once: each has many
     * purchases, and events are received beside it.
     */
    grantPurchases: {
      payload: z.object({ purchaseIds: z.array(uuid).min(1).max(MOST_GRANTS) }),
      leaseMs: 5_000,
      backoffMs,
      concurrency: 2,
      timeLimitMs: 60_000,
    },
    /**
     * Brings account, ledger and processor to what a purchase is by now: the block and its refund. Whatever happens to a paid
     * purchase enqueues it; a repeat changes nothing.
     */
    settlePurchase: {
      payload: z.object({ purchaseId: uuid }),
      leaseMs: 5_000,
      backoffMs,
      concurrency: 32,
      timeLimitMs: 60_000,
      maxInFlightPerPartition: 1,
    },
  },
  events: {
    /**
     * What an account is to us for its purchases, as a whole: `paid` as long as one of them stands, disputed as long as a bank holds, or
     * keeps, the money of one.
     */
    customerChanged: {
      payload: z.object({
        accountId: uuid,
        tier,
        isDisputed: z.boolean(),
        version: z.number().int().nonnegative(),
      }),
      aggregate: { key: 'accountId', version: 'version' },
    },
  },
});
