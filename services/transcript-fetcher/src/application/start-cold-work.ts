import { toServiceError, transcriptFetcher } from '@tds/contracts';
import { type Context, crashPoint } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { abandonedError } from '../domain/operation.ts';
import { startFetch } from '../store/fetches.ts';
import { failOperation } from '../store/operations.ts';
import type { AdmittedCold, ColdRequest } from './admit-cold.ts';
import { isDefiniteRefusal, reserve } from './credits.ts';

export type BegunWork = {
  readonly id: string;
  /** False if the account's open operation for the same track was joined. */
  readonly isNew: boolean;
  /** What the account can spend after the reservation; null if none was made. */
  readonly creditsLeft: number | null;
};

/**
 * Reserves the credit of an admitted operation and attaches it to the one upstream fetch of the track; there is nothing to
 * do for one that was joined. The operation was saved before the ledger is asked, so that a reservation whose process died is
 * found and given back.
 */
export async function startColdWork(
  deps: Pick<Deps, 'call' | 'messaging' | 'db' | 'sql'>,
  admitted: AdmittedCold,
  limits: Pick<ColdRequest, 'limitId' | 'dailyCreditCap'>,
  context: Context,
): Promise<BegunWork> {
  const { operation, isNew } = admitted;
  const { id, accountId } = operation;
  if (!isNew) return { id, isNew, creditsLeft: null };
  crashPoint('operation-opened');
  const creditsLeft = await reserve(deps, operation, limits, context).catch(async (error: unknown) => {
    await endUnstarted(deps, admitted, error);
    throw toServiceError(error);
  });
  crashPoint('operation-reserved');
  await deps.messaging.statement({ enqueues: transcriptFetcher.fetchTrack }, async (sending) => {
    const { preLeased = [], ...begun } = await startFetch(deps.sql, id, sending);
    const ofAccount = preLeased.map((task) => ({ ...task, payload: { ...task.payload, accountId } }));
    return { result: null, ...begun, preLeased: ofAccount };
  });
  return { id, isNew, creditsLeft };
}

/** Nothing was begun, so nothing counts. Without a definite answer the ledger may hold the credit: then it is given back. */
async function endUnstarted(
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  { operation: { id }, uncount, returnPermits }: AdmittedCold,
  thrown: unknown,
): Promise<void> {
  const isDefinite = isDefiniteRefusal(thrown);
  const isEnded = await messaging.transaction(db, async (tx, send) => {
    const failed = isDefinite
      ? await failOperation(tx, id, toServiceError(thrown).data, 'released')
      : await failOperation(tx, id, abandonedError, 'pending');
    if (!failed) return false;
    if (!isDefinite) await send.enqueue(transcriptFetcher.settleOperation, { operationId: id, charge: 0 });
    await uncount(tx);
    return true;
  });
  if (isEnded) returnPermits();
}
