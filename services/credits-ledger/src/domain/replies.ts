import {
  availableCredits,
  type Balance,
  type creditsLedger,
  type ReplyOf,
  type RequestOf,
  secondsToNextUtcDay,
  serviceError,
} from '@tds/contracts';
import type { LedgerAnswer, ReserveOutcome, ResolveOutcome } from './ledger-answer.ts';

const RETRY_AFTER_SECONDS = 1;

const busy = () => serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });

const balanceOf = ({ outcome, balance }: LedgerAnswer): Balance => {
  if (!balance) throw new Error(`the ledger answered "${outcome}" without a balance`);
  return balance;
};

const insufficient = (required: number, held: Balance, buyUrl: string) => {
  const available = availableCredits(held);
  const extras = { required, available, shortfall: required - available, buy_url: buyUrl };
  return serviceError('insufficient_credits', { extras });
};

type Reserved = Balance & { readonly outcome: 'reserved' | 'settled' | 'released' };

/** Throws `insufficient_credits`, `account_frozen`, `account_closed`, `daily_credit_cap`, `books_not_open`, and `service_unavailable` for a locked account. */
export const reserveReply = (
  { amount, ref }: Pick<RequestOf<typeof creditsLedger.reserveCredits>, 'amount' | 'ref'>,
  answer: LedgerAnswer<ReserveOutcome>,
  buyUrl: string,
  now: Date,
): Reserved => {
  const { outcome } = answer;
  switch (outcome) {
    case 'reserved':
    case 'settled':
    case 'released':
      return { ...balanceOf(answer), outcome };
    case 'insufficient':
      throw insufficient(amount, balanceOf(answer), buyUrl);
    case 'capped':
      throw serviceError('daily_credit_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
    case 'frozen':
      throw serviceError('account_frozen');
    case 'closed':
      throw serviceError('account_closed');
    case 'outside':
      throw serviceError('books_not_open');
    case 'busy':
      throw busy();
    case 'conflict':
    case 'in_parts':
      throw new Error(`ref ${ref} names a reservation of another account or amount`);
  }
};

/** The reply to a settlement or a release. Throws `service_unavailable` for a locked account. */
export const resolveReply = (
  ref: string,
  { outcome, balance }: LedgerAnswer<ResolveOutcome | 'conflict'>,
): ReplyOf<typeof creditsLedger.settleReservation> => {
  if (outcome === 'busy') throw busy();
  if (outcome === 'conflict') throw new Error(`the reservation ${ref} has no such parts`);
  return { outcome, balance };
};

/** Throws `service_unavailable` for a locked account. */
export const refundReply = (
  ref: string,
  { outcome }: LedgerAnswer<'granted' | 'conflict' | 'closed' | 'unknown'>,
): ReplyOf<typeof creditsLedger.refundCharge> => {
  if (outcome === 'busy') throw busy();
  if (outcome === 'conflict') throw new Error(`ref ${ref} was refunded with another amount`);
  return { outcome };
};

/** Throws `service_unavailable` for a locked account. */
export const balanceReply = (answer: LedgerAnswer): ReplyOf<typeof creditsLedger.getBalance> => {
  if (answer.outcome === 'busy') throw busy();
  return balanceOf(answer);
};
