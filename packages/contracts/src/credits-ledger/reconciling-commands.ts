import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { ref } from './balance.ts';
import { foundParts, ledgerEpoch, MOST_REFS } from './parts-commands.ts';

/** Where a page ended: the time as the ledger's database writes it, to the microsecond. */
const openReservation = z.object({ ref, createdAt: z.string().max(64) });
export type OpenReservation = z.infer<typeof openReservation>;

export const reconcilingCommands = commands({
  /**
   * Reservations of which a part has been held under a reason for longer than `olderThanMs`, oldest first: the service
   * that made them gives back the parts that it has lost. `after` is the last row of the page before.
   */
  listOpenReservations: {
    request: z.object({
      reason: z.string().max(64),
      olderThanMs: z.number().int().nonnegative(),
      after: openReservation.nullable(),
      limit: z.number().int().min(1).max(MOST_REFS),
    }),
    reply: z.object({ rows: z.array(openReservation), ledgerEpoch }),
  },

  /**
   * Reservations under a reason whose age is between the two bounds and of which a part is charged, by their refs.
   * `after` is the last ref of the page before.
   */
  listChargedReservations: {
    request: z.object({
      reason: z.string().max(64),
      olderThanMs: z.number().int().nonnegative(),
      youngerThanMs: z.number().int().positive(),
      after: ref.nullable(),
      limit: z.number().int().min(1).max(MOST_REFS),
    }),
    reply: z.object({ rows: z.array(foundParts), ledgerEpoch }),
  },
});
