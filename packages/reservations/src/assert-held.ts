import {
  availableCredits,
  type creditsLedger,
  dailyCapError,
  type ReplyOf,
  type RequestOf,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';

type ItemsRequest = Pick<
  RequestOf<typeof creditsLedger.reserveItems>,
  'ref' | 'unit' | 'items' | 'dailyCreditCap'
>;
type Reply = ReplyOf<typeof creditsLedger.reserveItems>;

/**
 * For work that needs all its credits. Throws `insufficient_credits` or `daily_credit_cap`, and `service_unavailable` if the credits were
 * released before they were reserved, because the caller is gone.
 */
export const assertHeld = (
  reply: Reply,
  { ref, unit, items, dailyCreditCap }: ItemsRequest,
  now: Date,
): void => {
  if (reply.held.length === items.length) return;
  if (reply.why === 'daily_credit_cap' || reply.why === 'person_credit_cap') {
    const cap = reply.why === 'person_credit_cap' ? null : (dailyCreditCap ?? 0);
    throw dailyCapError({ cap, remaining: reply.capLeft ?? 0, required: unit * items.length }, now);
  }
  if (reply.why === null) {
    throw serviceError('service_unavailable', { retryAfterSeconds: 1, cause: `${ref} was released` });
  }
  const [required, available] = [unit * items.length, availableCredits(reply)];
  const extras = { required, available, shortfall: required - available, buy_url: reply.buyUrl };
  throw serviceError(reply.why, { extras });
};
