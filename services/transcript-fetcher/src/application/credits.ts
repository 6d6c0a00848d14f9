import {
  availableCredits,
  creditsLedger,
  type ErrorCode,
  type RequestOf,
  serviceError,
} from '@tds/contracts';
import { type Context, toServiceError } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Operation } from '../domain/operation.ts';

/** Refusals after which the ledger certainly holds nothing. */
const definiteRefusals: readonly ErrorCode[] = [
  'insufficient_credits',
  'account_frozen',
  'account_closed',
  'daily_credit_cap',
];
export const isDefiniteRefusal = (error: unknown): boolean =>
  definiteRefusals.includes(toServiceError(error).code);

export const TRANSCRIPT_REASON = 'transcript';
const RETRY_AFTER_SECONDS = 1;

type Payable = Pick<Operation, 'id' | 'accountId' | 'keyId' | 'videoId' | 'language'>;
type ReserveRequest = RequestOf<typeof creditsLedger.reserveCredits>;

const holdFor = (
  { id, accountId, keyId, videoId, language }: Payable,
  amount: number,
  requestId: string,
): ReserveRequest => ({
  accountId,
  keyId,
  ref: id,
  amount,
  requestId,
  reason: TRANSCRIPT_REASON,
  subject: { video_id: videoId, language },
});

/** Holds an operation's price, within the limits that its key has; answers what the account can spend afterwards. */
export async function reserve(
  { call }: Pick<Deps, 'call'>,
  operation: Payable & Pick<Operation, 'price'>,
  limits: Pick<ReserveRequest, 'limitId' | 'dailyCreditCap'>,
  context: Context,
): Promise<number> {
  const hold = { ...holdFor(operation, operation.price, context.requestId), ...limits };
  const { outcome, ...balance } = await call(creditsLedger.reserveCredits, hold, context);
  if (outcome === 'reserved') return availableCredits(balance);
  // Somebody, such as the sweeper, resolved the reservation before it was made: nothing may be delivered for it.
  throw serviceError('service_unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error(`the reservation was ${outcome} before it was made`),
  });
}

/**
 * Charges a delivery whose reservation the ledger has lost, under the same ref, so once. `uncollected` if the account
 * cannot pay any more; a key's daily cap, which was kept when it was delivered, does not count again.
 */
export async function chargeAnew(
  { call }: Pick<Deps, 'call'>,
  operation: Payable & Pick<Operation, 'charge'>,
  context: Context,
): Promise<'settled' | 'uncollected'> {
  const { id: ref, charge } = operation;
  try {
    await call(creditsLedger.reserveCredits, holdFor(operation, charge, ref), context);
  } catch (error) {
    if (isDefiniteRefusal(error)) return 'uncollected';
    throw error;
  }
  const { outcome } = await call(creditsLedger.settleReservation, { ref }, context);
  return outcome === 'settled' ? 'settled' : 'uncollected';
}

/** For a person to look at: nothing tries again. */
export const reportUncollected = (
  { log }: Pick<Deps, 'log'>,
  { id, accountId }: Pick<Operation, 'id' | 'accountId'>,
) => log.error('a delivery cannot be charged any more', { operationId: id, accountId });
