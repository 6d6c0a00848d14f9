import type { Deps } from '../deps.ts';
import { markExpired, type StoredPurchase } from '../store/purchases.ts';

/** Closes an open page at the processor, then here. Resolves to false, with nothing changed, if it is paid there already. */
export const closePage = async (
  { db, processor, now }: Pick<Deps, 'db' | 'processor' | 'now'>,
  { id, sessionId }: Pick<StoredPurchase, 'id' | 'sessionId'>,
): Promise<boolean> => {
  if (sessionId === null || !(await processor.closeSession(sessionId))) return false;
  await markExpired(db, id, await now());
  return true;
};
