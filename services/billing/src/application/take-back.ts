import { creditsLedger, purchaseRef } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { forgetRequest, markTaken } from '../store/refund-requests.ts';
import { enqueueSettling } from './enqueue-settling.ts';

type Bought = { readonly id: string; readonly accountId: string | null };
export type TakenBack = 'taken' | 'used' | 'in_debt' | 'unknown';

/**
 * Takes the block of a refund back that was asked for: from then on its money is to follow. What cannot be taken back was not asked for.
 * Whoever dies in between is followed by the task, which does the same.
 */
export const takeBack = async (
  { call, db, messaging }: Pick<Deps, 'call' | 'db' | 'messaging'>,
  { id, accountId }: Bought,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<TakenBack> => {
  if (accountId === null) return 'unknown';
  const block = { accountId, ref: purchaseRef(id) };
  const { outcome } = await call(creditsLedger.takeBackBlock, block, context);
  await messaging.transaction(db, async (tx, send) => {
    if (outcome !== 'taken') return forgetRequest(tx, id);
    await markTaken(tx, id);
    await enqueueSettling(send, id);
  });
  return outcome;
};
