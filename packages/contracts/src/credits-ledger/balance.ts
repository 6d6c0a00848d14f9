import { z } from 'zod';
import { uuid } from '../ids.ts';

const credits = z.number().int().nonnegative();

/** A balance as of one version; `version` grows with every entry of the account. */
export const balance = z.object({
  accountId: uuid,
  free: credits,
  purchased: credits,
  reserved: credits,
  version: z.number().int().nonnegative(),
  /** The UTC month (YYYY-MM) that the free credits belong to. */
  month: z.string().regex(/^\d{4}-\d{2}$/),
});
export type Balance = z.infer<typeof balance>;

/** What can be spent right now; reserved credits are not. */
export const availableCredits = (held: Pick<Balance, 'free' | 'purchased'>): number =>
  held.free + held.purchased;

/**
 * A ref names one operation for ever: repeating a call with the same ref changes nothing and answers the same. Whoever reserves
 * makes it with `newId`: its reservation is kept with the month of the time in it, and that month has to be open.
 */
export const ref = z.string().min(1).max(128);

const MOST_FACTS = 4;
const LONGEST_FACT = 256;
/**
 * What credits are for, in the words of the public API, such as `{ video_id, language }`: chosen by who reserves, shown in the
 * account's ledger, and never looked into by the ledger itself.
 */
export const subject = z
  .record(z.string().regex(/^[a-z_]{1,32}$/), z.string().max(LONGEST_FACT))
  .refine((facts) => Object.keys(facts).length <= MOST_FACTS);
export type Subject = z.infer<typeof subject>;
