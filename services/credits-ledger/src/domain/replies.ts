import type { Balance, creditsLedger, ReplyOf, ShortageCause } from '@tds/contracts';
import { serviceError } from '@tds/errors';

/** The answer to one item of a ledger statement. */
export type LedgerAnswer<Outcome extends string = string> = {
  /** `busy`: another transaction has locked the account, and nothing was changed. */
  readonly outcome: Outcome | 'busy';
  /** Null if the account is unknown. */
  readonly balance: Balance | null;
  /** Whether the statement saved an event. */
  readonly hasEvents: boolean;
};

/** The answer to an operation on items of a reservation. */
export type ItemsAnswer<Outcome extends string = string> = LedgerAnswer<Outcome> & {
  /** Of the ref, also if it is locked. */
  readonly accountId: string | null;
  /** For a reserve: its items that are held or charged. For a settlement or release: all items that are still held. */
  readonly held: number[];
  /** The items of the operation that are charged. */
  readonly charged: number[];
  readonly lacked: ShortageCause | null;
  readonly capLeft: number | null;
};

export type ReserveOutcome =
  | 'reserved'
  /** None of these items is held: they were charged or released before. */
  | 'settled'
  | 'released'
  | 'capped'
  | 'insufficient'
  | 'frozen'
  | 'closed'
  | 'conflict'
  /** The month in the ref is not open. */
  | 'outside';

export type ResolveOutcome = 'settled' | 'released' | 'unknown';
export type ChargeOutcome = 'charged' | 'frozen' | 'closed' | 'conflict' | 'outside';
export type RefundOutcome = 'granted' | 'closed' | 'unknown';

const RETRY_AFTER_SECONDS = 1;

const busyError = () => serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** The outcome; throws `service_unavailable` for a locked account. */
export const outcomeOf = <Outcome extends string>({ outcome }: LedgerAnswer<Outcome>): Outcome => {
  if (outcome === 'busy') throw busyError();
  return outcome;
};

const balanceOf = ({ outcome, balance }: LedgerAnswer): Balance => {
  if (!balance) throw new Error(`the ledger answered "${outcome}" without a balance`);
  return balance;
};

const refusals = { frozen: 'account_frozen', closed: 'account_closed', outside: 'books_not_open' } as const;
type Refused = keyof typeof refusals | 'busy' | 'conflict';

const isRefused = <Outcome extends string>(outcome: Outcome | Refused): outcome is Refused =>
  outcome === 'busy' || outcome === 'conflict' || outcome in refusals;

/** Throws `account_frozen`, `account_closed`, `books_not_open`, and `service_unavailable` for a locked account. */
const refuse = (ref: string, outcome: Refused): never => {
  if (outcome === 'conflict')
    throw new Error(`ref ${ref} names a reservation of another account, key or price`);
  throw outcome === 'busy' ? busyError() : serviceError(refusals[outcome]);
};

/** Throws `account_frozen`, `account_closed`, `books_not_open`, and `service_unavailable` for a locked account. */
export const reserveReply = (
  ref: string,
  answer: ItemsAnswer<ReserveOutcome>,
  buyUrl: string,
): ReplyOf<typeof creditsLedger.reserveItems> => {
  const { outcome, held, lacked: why, capLeft } = answer;
  if (isRefused(outcome)) return refuse(ref, outcome);
  return { ...balanceOf(answer), held, why, capLeft, buyUrl };
};

/** Combines the answers of settlement and release. Throws `service_unavailable` for a locked account. */
export const resolveReply = (
  answers: readonly ItemsAnswer<ResolveOutcome>[],
): ReplyOf<typeof creditsLedger.resolveItems> => {
  const last = answers.at(-1);
  if (!last || answers.some(({ outcome }) => outcome === 'busy')) throw busyError();
  return {
    charged: answers.flatMap(({ charged }) => charged).toSorted((one, other) => one - other),
    held: last.held,
    balance: last.balance,
  };
};

/** Throws `account_frozen`, `account_closed`, `books_not_open`, and `service_unavailable` for a locked account. */
export const chargeReply = (
  ref: string,
  answer: ItemsAnswer<ChargeOutcome>,
): ReplyOf<typeof creditsLedger.chargeItems> => {
  if (answer.outcome !== 'charged') return refuse(ref, answer.outcome);
  return { charged: answer.charged, balance: balanceOf(answer) };
};

/** Throws `service_unavailable` for a locked account. */
export const refundReply = (answer: ItemsAnswer<RefundOutcome>): ReplyOf<typeof creditsLedger.refundItems> => ({
  outcome: outcomeOf(answer),
  refunded: answer.charged,
});

/** Throws `service_unavailable` for a locked account. */
export const balanceReply = (answer: LedgerAnswer): Balance => {
  if (answer.outcome === 'busy') throw busyError();
  return balanceOf(answer);
};
