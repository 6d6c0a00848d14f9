import { creditsLedger, type ErrorCode, type Subject, toServiceError } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** Refusals after which the ledger certainly holds nothing. */
export const definiteRefusals: readonly ErrorCode[] = [
  'insufficient_credits',
  'account_frozen',
  'account_closed',
  'daily_credit_cap',
];

export const TRANSCRIPT_REASON = 'transcript';

export type Charged = {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly charge: number;
  readonly subject: Subject;
};

/**
 * Charges a delivery whose reservation the ledger has lost, under the same ref, so once. `uncollected` where the account
 * cannot pay any more; a key's daily cap, which was kept when it was delivered, does not count again.
 */
export async function chargeAnew(
  { kit }: Pick<Deps, 'kit'>,
  { id, accountId, keyId, charge, subject }: Charged,
  context: Context,
): Promise<'settled' | 'uncollected'> {
  try {
    const hold = {
      accountId,
      keyId,
      ref: id,
      amount: charge,
      requestId: id,
      reason: TRANSCRIPT_REASON,
      subject,
    };
    await kit.call(creditsLedger.reserveCredits, hold, context);
  } catch (error) {
    if (definiteRefusals.includes(toServiceError(error).code)) return 'uncollected';
    throw error;
  }
  const { outcome } = await kit.call(creditsLedger.settleReservation, { ref: id }, context);
  return outcome === 'settled' ? 'settled' : 'uncollected';
}

/** For a person to look at: nothing tries again. */
export const reportUncollected = (
  { kit }: Pick<Deps, 'kit'>,
  { id, accountId }: Pick<Charged, 'id' | 'accountId'>,
) => kit.log.error('a delivery cannot be charged any more', { operationId: id, accountId });
