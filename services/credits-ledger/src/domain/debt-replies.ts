import { type Balance, type creditsLedger, type ReplyOf, serviceError } from '@tds/contracts';
import type { LedgerAnswer, ReserveOutcome } from './ledger-answer.ts';
import { balanceReply } from './replies.ts';

/** Throws `account_frozen`, `account_closed`, `books_not_open`, and `service_unavailable` for a locked account. */
export const chargeReply = (
  ref: string,
  answer: LedgerAnswer<ReserveOutcome>,
): ReplyOf<typeof creditsLedger.chargeCredits> => {
  const { outcome, balance } = answer;
  switch (outcome) {
    case 'settled':
    case 'released':
      return { outcome, balance };
    case 'frozen':
      throw serviceError('account_frozen');
    case 'closed':
      throw serviceError('account_closed');
    case 'outside':
      throw serviceError('books_not_open');
    case 'busy':
      balanceReply(answer);
  }
  throw new Error(`a charge under the ref ${ref} came to "${outcome}"`);
};

/** Throws `service_unavailable` for a locked account. */
export const disputeReply = (ref: string, answer: LedgerAnswer<'disputed' | 'conflict'>): Balance => {
  if (answer.outcome === 'conflict') throw new Error(`the dispute ${ref} was of another amount`);
  return balanceReply(answer);
};
