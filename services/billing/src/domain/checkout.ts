import { type CreditBlock, serviceError } from '@tds/contracts';

/** As long as the processor keeps a page open at least. */
export const CHECKOUT_MS = 1_800_000;
/** The processor counts from when it is asked. */
export const SPARE_MS = 30_000;
/** Longer than opening one takes. */
export const OPENING_MS = 60_000;
export const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;
/** As long as a purchase of a stranger waits to be accepted; then its money goes back. */
export const WAITING_MS = 7_776_000_000;

export const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
const SECOND_MS = 1_000;
/** Whole seconds, never 0. */
export const secondsUntil = (at: Date, now: Date): number =>
  Math.max(1, Math.ceil((at.getTime() - now.getTime()) / SECOND_MS));

/** What a new account has to have used before it takes in a second purchase. */
export const CREDITS_BEFORE_SECOND_PURCHASE = 100;

type Account = {
  /** Purchases of the account that it has not given back: its own, and those of strangers that it has accepted. */
  readonly standing: number;
  /** Credits that deliveries have cost it, ever. */
  readonly spent: number;
};

/** Stolen cards buy one block for a new account, by whatever way. */
export const mayTakeIn = ({ standing, spent }: Account): boolean =>
  standing === 0 || spent >= CREDITS_BEFORE_SECOND_PURCHASE;

/** Time alone changes nothing, so a caller that asks in a loop is slowed down to once a day. */
export const refuseAboveLimit = (account: Account): void => {
  if (!mayTakeIn(account))
    throw serviceError('new_account_purchase_limit', { retryAfterSeconds: DAY_SECONDS });
};

/** Throws why the owner of an address cannot have the credits that a stranger has paid for. */
export const refuseAcceptance = (account: Account, worth: number): void => {
  if (worth === 0) throw serviceError('purchase_withdrawn');
  refuseAboveLimit(account);
};

/** Throws if a repeat asks for something else than the request that has used its key first. */
export const refuseOtherRequest = (
  before: { readonly block: CreditBlock },
  { block }: { readonly block: CreditBlock },
): void => {
  if (before.block !== block) throw serviceError('idempotency_key_reused');
};

type Page = { readonly state: string; readonly block: CreditBlock; readonly sessionId: string | null };

/** Whether an account's open page gives way to one of another block. One that is being opened cannot be closed yet. */
export const givesWay = ({ state, block, sessionId }: Page, wanted: CreditBlock): boolean =>
  state === 'open' && sessionId !== null && block !== wanted;
