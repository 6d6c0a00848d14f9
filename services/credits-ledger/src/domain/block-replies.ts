import { serviceError } from '@tds/contracts';
import type { LedgerAnswer } from './ledger-answer.ts';

const RETRY_AFTER_SECONDS = 1;

/** The outcome; throws `service_unavailable` for a locked account. */
export const outcomeOf = <Outcome extends string>({ outcome }: LedgerAnswer<Outcome>): Outcome => {
  if (outcome === 'busy')
    throw serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return outcome;
};
