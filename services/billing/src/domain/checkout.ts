import { type CreditBlock, DAY_MS, MINUTE_MS, SECOND_MS } from '@tds/contracts';
import { serviceError } from '@tds/errors';

const DAY_SECONDS = DAY_MS / SECOND_MS;

/** The shortest time for which the processor keeps a page open. */
export const CHECKOUT_MS = 30 * MINUTE_MS;
/** The processor counts from when it receives the request. */
export const SPARE_MS = 30 * SECOND_MS;
/** Longer than a page takes to open. */
export const OPENING_MS = MINUTE_MS;
/** A stranger's purchase that is not accepted for this long is refunded. */
export const WAITING_MS = 90 * DAY_MS;

/** A new account must spend this many credits before its second purchase. */
export const CREDITS_BEFORE_SECOND_PURCHASE = 100;

export const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
/** Whole seconds, at least 1. */
export const secondsUntil = (at: Date, now: Date): number =>
  Math.max(1, Math.ceil((at.getTime() - now.getTime()) / SECOND_MS));

type BuyingAccount = {
  /** Purchases of the account that were not refunded: its own, and those of strangers that it has accepted. */
  readonly purchases: number;
  /** Credits that deliveries have cost the account since it was created. */
  readonly spent: number;
};

/** Limits a new account to one purchase, because stolen cards are used for new accounts. */
export const isWithinLimit = ({ purchases, spent }: BuyingAccount): boolean =>
  purchases === 0 || spent >= CREDITS_BEFORE_SECOND_PURCHASE;

/** Throws if the account is above the limit. Waiting does not help, so the error slows retries down to one a day. */
export const refuseAboveLimit = (account: BuyingAccount) => {
  if (!isWithinLimit(account))
    throw serviceError('new_account_purchase_limit', { retryAfterSeconds: DAY_SECONDS });
};

/** Throws if the account may not accept a stranger's purchase of this worth. */
export const refuseAcceptance = (account: BuyingAccount, worth: number) => {
  if (worth === 0) throw serviceError('purchase_withdrawn');
  refuseAboveLimit(account);
};

/** Throws if a repeat asks for another block than the first request with its key. */
export const refuseOtherRequest = (
  previous: { readonly block: CreditBlock },
  { block }: { readonly block: CreditBlock },
) => {
  if (previous.block !== block) throw serviceError('idempotency_key_reused');
};

type OpenPage = { readonly state: string; readonly block: CreditBlock; readonly sessionId: string | null };

/** Whether an account's open page is closed for one of another block. A page that is still opening cannot be closed. */
export const isReplaceable = ({ state, block, sessionId }: OpenPage, requestedBlock: CreditBlock): boolean =>
  state === 'open' && sessionId !== null && block !== requestedBlock;
