import {
  availableCredits,
  CREDITS_PER_TRANSCRIPT,
  type creditsLedger,
  dailyCapError,
  type ReplyOf,
} from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';

/** Credits that an account or the daily cap of its key lacks for work of `required` credits. */
export type Shortage = {
  readonly error: ServiceError;
  readonly required: number;
  readonly available: number;
  /** Null if buying credits does not help. */
  readonly buyUrl: string | null;
};

export const insufficientCredits = (
  shortage: Omit<Shortage, 'error'> & { readonly buyUrl: string },
): Shortage => {
  const { required, available, buyUrl } = shortage;
  const extras = { required, available, shortfall: Math.max(0, required - available), buy_url: buyUrl };
  return { ...shortage, error: serviceError('insufficient_credits', { extras }) };
};

/** Why the ledger does not hold all `required` credits; null if it does. Credits that it does hold count as available. */
export const reservationShortage = (
  { why, capLeft, buyUrl, held, ...balance }: ReplyOf<typeof creditsLedger.reserveItems>,
  { required, cap }: { readonly required: number; readonly cap: number | null },
  now: Date,
): Shortage | null => {
  const heldCredits = held.length * CREDITS_PER_TRANSCRIPT;
  if (why === 'insufficient_credits')
    return insufficientCredits({ required, available: availableCredits(balance) + heldCredits, buyUrl });
  if (why === null) return null;
  // Below zero if the cap was lowered below the usage.
  const remaining = (capLeft ?? 0) + heldCredits;
  const error = dailyCapError(
    { cap: why === 'person_credit_cap' ? null : (cap ?? 0), remaining, required },
    now,
  );
  return { error, required, available: Math.max(0, remaining), buyUrl: null };
};
