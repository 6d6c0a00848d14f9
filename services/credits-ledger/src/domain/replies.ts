import { type Balance, type creditsLedger, type ReplyOf, serviceError } from '@tds/contracts';
import type {
  ChargeOutcome,
  LedgerAnswer,
  PartsAnswer,
  RefundOutcome,
  ReserveOutcome,
  ResolveOutcome,
} from './ledger-answer.ts';

const RETRY_AFTER_SECONDS = 1;

const busy = () => serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });

const balanceOf = ({ outcome, balance }: LedgerAnswer): Balance => {
  if (!balance) throw new Error(`the ledger answered "${outcome}" without a balance`);
  return balance;
};

/** Throws `account_frozen`, `account_closed`, `books_not_open`, and `service_unavailable` for a locked account. */
const refuse = (ref: string, outcome: 'frozen' | 'closed' | 'outside' | 'busy' | 'conflict'): never => {
  switch (outcome) {
    case 'frozen':
      throw serviceError('account_frozen');
    case 'closed':
      throw serviceError('account_closed');
    case 'outside':
      throw serviceError('books_not_open');
    case 'busy':
      throw busy();
    case 'conflict':
      throw new Error(`ref ${ref} names a reservation of another account, key or price`);
  }
};

/** Throws `account_frozen`, `account_closed`, `books_not_open`, and `service_unavailable` for a locked account. */
export const reserveReply = (
  ref: string,
  answer: PartsAnswer<ReserveOutcome>,
  buyUrl: string,
): ReplyOf<typeof creditsLedger.reserveParts> => {
  const { outcome, held, lacked: why, capLeft } = answer;
  switch (outcome) {
    case 'reserved':
    case 'settled':
    case 'released':
    case 'insufficient':
    case 'capped':
      return { ...balanceOf(answer), held, why, capLeft, buyUrl };
    default:
      return refuse(ref, outcome);
  }
};

/** Combines the answers of settlement and release. Throws `service_unavailable` for a locked account. */
export const resolveReply = (
  answers: readonly PartsAnswer<ResolveOutcome>[],
): ReplyOf<typeof creditsLedger.resolveParts> => {
  const last = answers.at(-1);
  if (!last || answers.some(({ outcome }) => outcome === 'busy')) throw busy();
  return {
    charged: answers.flatMap(({ charged }) => charged).toSorted((one, other) => one - other),
    held: last.held,
    balance: last.balance,
  };
};

/** Throws `account_frozen`, `account_closed`, `books_not_open`, and `service_unavailable` for a locked account. */
export const chargeReply = (
  ref: string,
  answer: LedgerAnswer<ChargeOutcome> & { readonly charged: number[] },
): ReplyOf<typeof creditsLedger.chargeParts> => {
  if (answer.outcome !== 'charged') return refuse(ref, answer.outcome);
  return { charged: answer.charged, balance: balanceOf(answer) };
};

/** Throws `service_unavailable` for a locked account. */
export const refundReply = ({
  outcome,
  charged: refunded,
}: LedgerAnswer<RefundOutcome> & { readonly charged: number[] }): ReplyOf<
  typeof creditsLedger.refundParts
> => {
  if (outcome === 'busy') throw busy();
  return { outcome, refunded };
};

/** Throws `service_unavailable` for a locked account. */
export const balanceReply = (answer: LedgerAnswer): Balance => {
  if (answer.outcome === 'busy') throw busy();
  return balanceOf(answer);
};

/** The outcome; throws `service_unavailable` for a locked account. */
export const outcomeOf = <Outcome extends string>({ outcome }: LedgerAnswer<Outcome>): Outcome => {
  if (outcome === 'busy')
    throw serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return outcome;
};
