import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { balance, ref } from './balance.ts';
import { hold, refusals, reservationOutcome } from './reservation-commands.ts';

/** As many parts as a reservation may have; they are numbered from 1. */
export const MOST_PARTS = 512;

const part = z.number().int().min(1).max(MOST_PARTS);

const parts = {
  /** Those that are charged: of the parts that a call names, otherwise of all. */
  charged: z.array(part),
  /** How many parts are still held. */
  remaining: z.number().int().nonnegative(),
};

export const partsCommands = commands({
  /**
   * Holds the credits of a whole job under one ref: `parts` parts that cost `unit` each, all or nothing. As `reserveCredits`
   * otherwise. Each part is charged once for ever by `settleParts`; `settleReservation` charges all that are left, and
   * `releaseReservation` gives back what is not charged by then.
   */
  reserveInParts: {
    request: hold.extend({ unit: z.number().int().positive().max(1_000_000), parts: part }),
    reply: balance.extend({ outcome: reservationOutcome, ...parts }),
    errors: refusals,
  },

  /**
   * Charges these parts, whatever was charged before, and however often and by however many it is asked for. `released`: what was
   * not charged by then had been given back; `charged` says which of these parts are.
   */
  settleParts: {
    request: z.object({ ref, parts: z.array(part).min(1).max(MOST_PARTS) }),
    reply: z.object({
      outcome: z.enum(['settled', 'released', 'unknown']),
      balance: balance.nullable(),
      ...parts,
    }),
  },
});
