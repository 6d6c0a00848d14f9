import { CREDITS_PER_TRANSCRIPT, creditsLedger, ServiceError } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Job } from '../store/jobs.ts';
import { JOB_REASON, type Round } from '../store/rounds.ts';

type ReservationOutcome = 'reserved' | 'settled' | 'released';
type CallContext = Pick<Context, 'requestId' | 'accountId' | 'signal'>;

/**
 * Holds a credit for each part, all or nothing; the ledger does it once per ref. Resolves to the parts that are charged, too. Throws
 * what it refuses with.
 */
export const reserveRound = async (
  { kit }: Pick<Deps, 'kit'>,
  { id, accountId, keyId, limitId, dailyCreditCap }: Job,
  { ref, parts }: Round,
  context: CallContext,
): Promise<{ readonly outcome: ReservationOutcome; readonly charged: readonly number[] }> => {
  const { outcome, charged } = await kit.call(
    creditsLedger.reserveInParts,
    {
      ...{ accountId, ref, keyId, dailyCreditCap, parts, unit: CREDITS_PER_TRANSCRIPT },
      ...(limitId === null ? {} : { limitId }),
      ...{ requestId: context.requestId, reason: JOB_REASON, subject: { job_id: id } },
    },
    context,
  );
  return { outcome, charged };
};

/** Whether the ledger has said no, and holds nothing; after anything else it may. */
export const isRefusal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status < 500;

/** Gives back what is held under a ref and not charged, once; also where nothing is held yet. */
export const releaseRef = async (
  { kit }: Pick<Deps, 'kit'>,
  ref: string,
  context: CallContext,
): Promise<void> => {
  await kit.call(creditsLedger.releaseReservation, { ref }, context);
};
