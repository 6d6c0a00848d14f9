import { transcriptFetcher } from '@tds/contracts';
import { type Context, crashPoint, toServiceError } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { abandonedError } from '../domain/operation.ts';
import { hurryFetch, startFetch } from '../store/fetches.ts';
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
 * Reserves the credit of an admitted operation and attaches it to the one upstream fetch of the track. One that was joined
 * is only put in front of what nobody waits for. The operation was saved before the ledger is asked, so that a reservation whose process died is
 * found and given back.
 */
export async function startColdWork(
  deps: Pick<Deps, 'call' | 'messaging' | 'db' | 'sql'>,
  admitted: AdmittedCold,
  limits: Pick<ColdRequest, 'limitId' | 'dailyCreditCap'>,
  context: Context,
): Promise<BegunWork> {
  const { operation, isNew } = admitted;
  const { id } = operation;
  if (!isNew) {
    await begin(deps, admitted, hurryFetch);
    return { id, isNew, creditsLeft: null };
  }
  crashPoint('operation-opened');
  const creditsLeft = await reserve(deps, operation, limits, context).catch(async (error: unknown) => {
    await endUnstarted(deps, admitted, error);
    throw toServiceError(error);
  });
  crashPoint('operation-reserved');
  await begin(deps, admitted, startFetch);
  return { id, isNew, creditsLeft };
}

/** What begins here knows whose it is. */
const begin = (
  { messaging, sql }: Pick<Deps, 'messaging' | 'sql'>,
  { operation: { id, accountId } }: AdmittedCold,
  start: typeof startFetch,
): Promise<null> =>
  messaging.statement({ enqueues: transcriptFetcher.fetchTrack }, async (sending) => {
    const { preLeased = [], ...begun } = await start(sql, id, sending);
    const ofAccount = preLeased.map((task) => ({ ...task, payload: { ...task.payload, accountId } }));
    return { result: null, ...begun, preLeased: ofAccount };
  });

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
  if (isEnded) await returnPermits();
}
