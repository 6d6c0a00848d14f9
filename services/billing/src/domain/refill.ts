import { HOUR_MS, type RefillPause } from '@tds/contracts';
import { serviceError } from '@tds/errors';

/*
 * off           nobody has set it, or it has ended: by a person, or for a reason (`endRefill`). Its card is forgotten here and at the processor
 * card_missing  a person has set it (`putRefill`), and the card is to come
 * on            it has a card (`saveCard`) and buys blocks
 * paused        a charge needs a person, or a restore does (`pauseRefill`); from here only a person leads on: `putRefill`, `saveCard`
 *
 * A refill under way is a purchase without a page (`domain/purchase.ts`):
 * processing    saved before the processor is asked (`saveOpenRefill`); one at a time for an account
 * paid          the processor says so, by its answer, its list or its event (`applyIntent`)
 * expired       the processor has refused it, or was never asked (`saveRefusal`)
 */

/** The processor forgets an idempotency key after a day at the earliest: until then a repeat with it charges nothing twice. */
export const CHARGEABLE_MS = 23 * HOUR_MS;

/** The first moment of the UTC month. */
export const monthOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));

type MonthlyMoney = { readonly used: number; readonly amount: number; readonly monthlyLimit: number };

/** Whether the month has money left for another block. */
export const isAffordable = ({ used, amount, monthlyLimit }: MonthlyMoney): boolean =>
  used + amount <= monthlyLimit;

/** Throws if a refill would lift no balance above its threshold, or could not buy a single block. */
export const refuseRefill = ({
  threshold,
  block,
  amount,
  monthlyLimit,
}: Omit<MonthlyMoney, 'used'> & { readonly threshold: number; readonly block: number }) => {
  if (threshold > block) throw serviceError('invalid_refill_threshold');
  if (!isAffordable({ used: 0, amount, monthlyLimit })) throw serviceError('invalid_monthly_limit');
};

/** The processor's codes of a refused charge (https://docs.stripe.com/error-codes, https://docs.stripe.com/declines/codes). */
type Decline = {
  readonly code?: string | null | undefined;
  readonly decline_code?: string | null | undefined;
};

/** Why the processor has refused a charge. */
export const pauseOf = ({ code, decline_code: declineCode }: Decline): RefillPause => {
  if ([code, declineCode].includes('authentication_required')) return 'authentication_required';
  return [code, declineCode].includes('expired_card') ? 'card_expired' : 'card_declined';
};

type OwnRefill = {
  readonly customerId: string | null;
  readonly paymentIntentId: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly block: number;
};
type ReportedIntent = {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly customer?: string | null | undefined;
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
};

/** Throws if a payment contradicts our refill. */
export const refuseOtherIntent = (refill: OwnRefill, intent: ReportedIntent) => {
  const { customerId, paymentIntentId, amount, currency, block } = refill;
  if (paymentIntentId !== null && paymentIntentId !== intent.id) throw serviceError('payment_session_mismatch');
  if (customerId !== (intent.customer ?? null)) throw serviceError('payment_customer_mismatch');
  const isProduct = amount === intent.amount && currency === intent.currency;
  if (!isProduct || String(block) !== intent.metadata?.block) throw serviceError('payment_product_mismatch');
};
