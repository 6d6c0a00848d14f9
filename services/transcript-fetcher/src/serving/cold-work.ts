import {
  availableCredits,
  creditsLedger,
  type RequestOf,
  serviceError,
  toServiceError,
  transcriptFetcher,
} from '@tds/contracts';
import { type Context, crashPoint } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { abandonedError } from '../domain/operation.ts';
import { startFetch } from '../store/fetches.ts';
import { failOperation } from '../store/operations.ts';
import { type AdmittedCold, admitCold } from './admit-cold.ts';
import { definiteRefusals, TRANSCRIPT_REASON } from './charge-anew.ts';

const CREDITS_PER_TRANSCRIPT = 1;
const RETRY_AFTER_SECONDS = 1;

export type BegunWork = {
  readonly id: string;
  /** False where the account's open operation for the same track was joined. */
  readonly isNew: boolean;
  /** What the account can spend after the reservation; null where none was made. */
  readonly creditsLeft: number | null;
};

/**
 * Opens an operation where the daily caps allow it, reserves its credit and attaches it to the one upstream fetch of
 * the track; or joins the account's open operation for the same track; null where it may be known already. The operation
 * is saved before the ledger is asked, so that a reservation whose process died is found and given back.
 */
export async function startColdWork(
  deps: Deps,
  request: RequestOf<typeof transcriptFetcher.getTranscript>,
  context: Context,
  how: { readonly unlessKnown: boolean },
): Promise<BegunWork | null> {
  const admitted = await admitCold(deps, request, how);
  if (!admitted) return null;
  const { id, isNew } = admitted;
  if (!isNew) return { id, isNew, creditsLeft: null };
  crashPoint('operation-opened');
  const creditsLeft = await reserve(deps, admitted, request, context);
  crashPoint('operation-reserved');
  await deps.kit.messaging.statement({ enqueues: transcriptFetcher.fetchTrack }, async (sending) => {
    const begun = await startFetch(deps.sql, id, sending);
    const isHeld = begun !== null && sending.places > 0;
    if (!isHeld) return { result: null, left: begun ? 1 : 0 };
    const payload = { ...begun.payload, accountId: request.accountId };
    return { result: null, held: [{ ...begun, payload }] };
  });
  return { id, isNew, creditsLeft };
}

/** Somebody, such as the sweeper, resolved the reservation before it was made: nothing may be delivered for it. */
const notHeld = (outcome: string | undefined) =>
  serviceError('service_unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error(`the reservation was ${outcome} before it was made`),
  });

/** Answers what the account can spend afterwards. */
async function reserve(
  { db, kit }: Deps,
  admitted: AdmittedCold,
  request: RequestOf<typeof transcriptFetcher.getTranscript>,
  context: Context,
): Promise<number> {
  const { accountId, keyId, limitId, dailyCreditCap, videoId, language } = request;
  const { id } = admitted;
  try {
    const { outcome, ...balance } = await kit.call(
      creditsLedger.reserveCredits,
      {
        accountId,
        keyId,
        limitId,
        dailyCreditCap,
        ref: id,
        amount: CREDITS_PER_TRANSCRIPT,
        requestId: context.requestId,
        reason: TRANSCRIPT_REASON,
        subject: { video_id: videoId, language },
      },
      context,
    );
    if (outcome !== 'reserved') throw notHeld(outcome);
    return availableCredits(balance);
  } catch (thrown) {
    const error = toServiceError(thrown);
    const isDefinite = definiteRefusals.includes(error.code);
    // Without a definite answer the ledger may hold the credit: it is given back by ref, whenever it can be reached.
    const isEnded = await kit.messaging.transaction(db, async (tx, send) => {
      const failed = isDefinite
        ? await failOperation(tx, id, error.data, 'released')
        : await failOperation(tx, id, abandonedError, 'pending');
      if (failed && !isDefinite)
        await send.enqueue(transcriptFetcher.settleOperation, { operationId: id, charge: 0 });
      // Nothing was begun, so nothing counts.
      if (failed) await admitted.uncount(tx);
      return failed;
    });
    if (isEnded) admitted.returnPlaces();
    throw error;
  }
}
