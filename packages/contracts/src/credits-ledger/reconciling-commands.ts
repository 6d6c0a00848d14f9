import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { ref } from './balance.ts';

export const MOST_RESERVATIONS = 500;

/** Where a page ended: the time as the ledger's database writes it, to the microsecond. */
const openReservation = z.object({ ref, createdAt: z.string().max(64) });
export type OpenReservation = z.infer<typeof openReservation>;

export const reservationState = z.enum(['open', 'settled', 'released']);
export type ReservationState = z.infer<typeof reservationState>;

const foundReservation = z.object({
  ref,
  state: reservationState,
  /** A settled one whose charge was given back later. Absent in answers of the release before. */
  isRefunded: z.boolean().optional(),
});
export type FoundReservation = z.infer<typeof foundReservation>;

const chargedReservation = foundReservation.required().extend({
  /** How many of its parts are charged. */
  charged: z.number().int().positive(),
});
export type ChargedReservation = z.infer<typeof chargedReservation>;

export const reconcilingCommands = commands({
  /**
   * Reservations that have been open under a reason for longer than so many milliseconds, oldest first: the service that made
   * them releases those it has lost. `after` is the last row of the page before.
   */
  listOpenReservations: {
    request: z.object({
      reason: z.string().max(64),
      olderThanMs: z.number().int().nonnegative(),
      after: openReservation.nullable(),
      limit: z.number().int().min(1).max(MOST_RESERVATIONS),
    }),
    reply: z.object({ rows: z.array(openReservation) }),
  },

  /**
   * Reservations in parts that were made under a reason between so many milliseconds ago, and of which something is charged, by
   * their refs: the service that made them gives back what it has lost. `after` is the last ref of the page before.
   */
  listChargedReservations: {
    request: z.object({
      reason: z.string().max(64),
      olderThanMs: z.number().int().nonnegative(),
      youngerThanMs: z.number().int().positive(),
      after: ref.nullable(),
      limit: z.number().int().min(1).max(MOST_RESERVATIONS),
    }),
    reply: z.object({ rows: z.array(chargedReservation) }),
  },

  /** What became of these refs; those that the ledger does not know are left out. */
  lookUpReservations: {
    request: z.object({ refs: z.array(ref).max(MOST_RESERVATIONS) }),
    reply: z.object({ rows: z.array(foundReservation) }),
  },
});
