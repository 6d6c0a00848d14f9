import { search as contract, creditsLedger, ServiceError } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { PAGE_PART } from '../domain/credit.ts';
import { findSearch, saveFailed, saveGivenBack } from '../store/search-rows.ts';
import { uncountPage } from './admit-search.ts';

/** Ends a search with its error; its credit is still to be given back. False where somebody has ended it before. */
export const failSearch = (
  { db, messaging, now }: Deps,
  id: string,
  { data }: ServiceError,
): Promise<boolean> =>
  messaging.transaction(db, async (tx) => {
    const search = await findSearch(tx, id);
    if (search === null || !(await saveFailed(tx, id, data, now(), null))) return false;
    await uncountPage(tx, search);
    return true;
  });

/** What was held is free again, and what was charged all the same is granted back. */
export async function giveBack(
  { call }: Pick<Deps, 'call'>,
  ref: string,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<void> {
  const { charged } = await call(
    creditsLedger.resolveParts,
    { ref, charge: [], giveBack: PAGE_PART },
    context,
  );
  if (charged.length > 0) await call(creditsLedger.refundParts, { ref, parts: charged }, context);
}

/** The same before the caller is answered, so that its balance is right by then; what cannot be done now is a task. */
export async function giveBackNow(deps: Deps, id: string, context: Context): Promise<void> {
  const { db, messaging } = deps;
  try {
    await giveBack(deps, id, context);
    await saveGivenBack(db, id);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await messaging.transaction(db, (_tx, send) =>
      send.enqueue(contract.giveBackSearch, { searchId: id }, { key: id }),
    );
  }
}
