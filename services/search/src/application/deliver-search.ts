import { isServiceAway, retry, toServiceError } from '@tds/base';
import { availableCredits, search as contract, creditsLedger } from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import type { CallContext } from '@tds/kit';
import { type Context, crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { newContinuation, PAGE_ITEMS, type SearchCriteria } from '../domain/search.ts';
import { findSearch, saveDelivered, saveFailed, saveFetched, saveReleased } from '../store/searches.ts';
import { uncountPage } from './admit-search.ts';

/** Ends a search with an error; its credit must still be released. Returns false if it has ended already. */
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

/** Releases the held credit, or refunds it if it was charged. */
export async function release({ call }: Deps, ref: string, context: CallContext): Promise<void> {
  const { charged } = await call(creditsLedger.resolveItems, { ref, charge: [], release: PAGE_ITEMS }, context);
  if (charged.length > 0) await call(creditsLedger.refundItems, { ref, items: charged }, context);
}

/** Releases the credit before the caller is answered, so that the balance is right; enqueues a task if that fails. */
async function releaseNow(deps: Deps, id: string, context: Context): Promise<void> {
  const { db, messaging } = deps;
  try {
    await release(deps, id, context);
    await saveReleased(db, id);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await messaging.transaction(db, (_tx, send) =>
      send.enqueue(contract.releaseSearch, { searchId: id }, { key: id }),
    );
  }
}

type DeliveredPage = {
  readonly results: Awaited<ReturnType<Deps['discovery']['search']>>['items'];
  readonly continuation: string | null;
  readonly creditsLeft?: number;
};

const notSettled = (cause?: unknown) => serviceError('search_settlement_failed', { cause });

/** The ledger settles a ref once, so a retry after a lost answer charges nothing more. */
const settle = ({ call }: Deps, ref: string, context: Context) =>
  retry(() => call(creditsLedger.resolveItems, { ref, charge: PAGE_ITEMS, release: [] }, context), {
    isTransient: isServiceAway,
    retries: 2,
    firstMs: 0,
    signal: context.signal,
  }).catch((error: unknown) => {
    throw notSettled(error);
  });

const fetchPage = (
  { discovery, limits }: Deps,
  question: SearchCriteria,
  token: string | null,
  { accountId, signal }: { readonly accountId: string; readonly signal: AbortSignal },
) => {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.searchMs)]);
  return discovery.search(question, token, { signal: deadline, callerId: accountId });
};

/**
 * Fetches the page of an open search whose credit is held, saves it, charges it, and only then returns it. A failure on the way ends the
 * search without a page and without a charge.
 */
async function deliverSearch(
  deps: Deps,
  {
    id,
    question,
    token,
    accountId,
  }: { id: string; question: SearchCriteria; token: string | null; accountId: string },
  context: Context,
): Promise<DeliveredPage> {
  const { db, now } = deps;
  const page = await fetchPage(deps, question, token, { accountId, signal: context.signal });
  crashPoint('search-page-fetched');
  const continuation = page.next === null ? null : newContinuation();
  const fetchedPage = { results: page.items, nextToken: page.next, continuation };
  if (!(await saveFetched(db, id, fetchedPage))) throw notSettled('ended by another process');
  crashPoint('search-page-saved');
  const { charged, balance } = await settle(deps, id, context);
  crashPoint('search-settled');
  if (charged.length === 0) throw notSettled('released');
  if (!(await saveDelivered(db, id, now()))) throw notSettled('ended by another process');
  crashPoint('search-delivered');
  return {
    results: page.items,
    continuation,
    ...(balance && { creditsLeft: availableCredits(balance) }),
  };
}

/**
 * Delivers a search, or ends it with its failure and releases the credit. Any other error becomes an internal one: after an error of the
 * platform or the ledger no process looks for a charge, but a lost answer of the database may have been that of a delivery.
 */
export async function deliverOrFail(...parameters: Parameters<typeof deliverSearch>): Promise<DeliveredPage> {
  const [deps, { id }, context] = parameters;
  try {
    return await deliverSearch(...parameters);
  } catch (error) {
    const failure = toServiceError(error);
    if (await failSearch(deps, id, failure)) await releaseNow(deps, id, context);
    throw failure;
  }
}
