import {
  availableCredits,
  search as contract,
  creditsLedger,
  ServiceError,
  serviceError,
} from '@tds/contracts';
import { type Context, crashPoint, isServiceAway, toServiceError } from '@tds/service-kit';
import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import type { Deps } from '../deps.ts';
import { newContinuation, PAGE_PART, type Question } from '../domain/search.ts';
import { findSearch, saveDelivered, saveFailed, saveFetched, saveGivenBack } from '../store/searches.ts';
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
async function giveBackNow(deps: Deps, id: string, context: Context): Promise<void> {
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

type Delivered = {
  readonly results: Awaited<ReturnType<Deps['discovery']['search']>>['items'];
  readonly continuation: string | null;
  readonly creditsLeft?: number;
};

const notSettled = (cause?: unknown) => serviceError('search_settlement_failed', { cause });

const whileAway = retry(handleWhen(isServiceAway), { maxAttempts: 2, backoff: new ConstantBackoff(0) });

/** The ledger settles a ref once, so asking again after a lost answer charges nothing more. */
const settle = ({ call }: Deps, ref: string, context: Context) =>
  whileAway
    .execute(
      () => call(creditsLedger.resolveParts, { ref, charge: PAGE_PART, giveBack: [] }, context),
      context.signal,
    )
    .catch((error: unknown) => {
      throw notSettled(error);
    });

const fetchPage = (
  { discovery, limits }: Deps,
  question: Question,
  token: string | null,
  { accountId, signal }: { readonly accountId: string; readonly signal: AbortSignal },
) => {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.searchMs)]);
  return discovery.search(question, token, { signal: deadline, callerId: accountId });
};

/**
 * Asks the platform for the page of an open search whose credit is held, saves it, charges it, and only then gives it out.
 * Whatever fails in between ends the search without a page and without a charge.
 */
async function deliverSearch(
  deps: Deps,
  {
    id,
    question,
    token,
    accountId,
  }: { id: string; question: Question; token: string | null; accountId: string },
  context: Context,
): Promise<Delivered> {
  const { db, now } = deps;
  const page = await fetchPage(deps, question, token, { accountId, signal: context.signal });
  crashPoint('search-page-fetched');
  const continuation = page.next === null ? null : newContinuation();
  const saved = { results: page.items, nextToken: page.next, continuation };
  if (!(await saveFetched(db, id, saved))) throw notSettled('ended by somebody else');
  crashPoint('search-page-saved');
  const { charged, balance } = await settle(deps, id, context);
  crashPoint('search-settled');
  if (charged.length === 0) throw notSettled('given back');
  if (!(await saveDelivered(db, id, now()))) throw notSettled('ended by somebody else');
  crashPoint('search-delivered');
  return {
    ...{ results: page.items, continuation },
    ...(balance && { creditsLeft: availableCredits(balance) }),
  };
}

/**
 * The same, with the end of what fails. What is no word of the platform or the ledger is never told as one: after those nobody looks for
 * a charge any more, and an answer of the database that was lost may have been that of the delivery.
 */
export async function deliverOrFail(...given: Parameters<typeof deliverSearch>): Promise<Delivered> {
  const [deps, { id }] = given;
  try {
    return await deliverSearch(...given);
  } catch (error) {
    const told = toServiceError(error);
    if (await failSearch(deps, id, told)) await giveBackNow(deps, id, given[2]);
    throw told;
  }
}
