import { availableCredits, creditsLedger, serviceError } from '@tds/contracts';
import { type Context, crashPoint, isServiceAway, toServiceError } from '@tds/service-kit';
import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import type { Deps } from '../deps.ts';
import { PAGE_PART } from '../domain/credit.ts';
import { newContinuation, type Question } from '../domain/search.ts';
import { saveDelivered, saveFetched } from '../store/search-rows.ts';
import { failSearch, giveBackNow } from './fail-search.ts';

export type Delivered = {
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
export async function deliverSearch(
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
