import { secondsToNextUtcDay, type Tier, tierLimits } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { releaseOfDay, takeOfDay } from '../store/day-counts.ts';
import { findReplay, findSearch, type NewSearch, openSearch, type Search } from '../store/searches.ts';

const RETRY_AFTER_SECONDS = 1;
const inProgress = () => serviceError('search_in_progress', { retryAfterSeconds: RETRY_AFTER_SECONDS });

const pagesOf = (limitId: string): string => `search_pages:${limitId}`;
const attemptsOf = (limitId: string): string => `search_attempts:${limitId}`;

/** Counts an attempt and reserves its page, so that concurrent searches cannot exceed the day's pages. */
const countToday = async (tx: Db, limitId: string, tier: Tier, now: Date) => {
  const { searchAttemptsPerDay, searchPagesPerDay } = tierLimits[tier];
  const hasRoom =
    (await takeOfDay(tx, { scope: attemptsOf(limitId), limit: searchAttemptsPerDay }, now)) &&
    (await takeOfDay(tx, { scope: pagesOf(limitId), limit: searchPagesPerDay }, now));
  if (!hasRoom) throw serviceError('search_attempt_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
};

/** Uncounts the page of a failed search. Its attempt still counts. */
export const uncountPage = (db: Db, { limitId, createdAt }: Pick<Search, 'limitId' | 'createdAt'>) =>
  releaseOfDay(db, pagesOf(limitId), createdAt);

/** Uncounts page and attempt of a search that was not admitted. */
export const uncountAttempt = async (db: Db, search: Pick<Search, 'limitId' | 'createdAt'>) => {
  await uncountPage(db, search);
  await releaseOfDay(db, attemptsOf(search.limitId), search.createdAt);
};

type Admission = { readonly kind: 'replay' | 'repeat'; readonly search: Search } | { readonly kind: 'opened' };

/**
 * Opens a search unless its page was delivered to this key within a minute (`replay`) or the request is repeated (`repeat`). Throws
 * `search_in_progress` and `search_attempt_cap`. Counts opened searches only.
 */
export async function admitSearch(
  { db, messaging, now }: Deps,
  request: NewSearch,
  tier: Tier,
): Promise<Admission> {
  const replay = await findReplay(db, request.keyId, request.fingerprint, now());
  if (replay) return { kind: 'replay', search: replay };
  return messaging.transaction(db, async (tx: Db): Promise<Admission> => {
    if (await openSearch(tx, request, now())) {
      await countToday(tx, request.limitId, tier, now());
      return { kind: 'opened' };
    }
    const before = await findSearch(tx, request.id);
    if (before?.accountId !== request.accountId || before.state === 'open' || before.state === 'fetched') {
      throw inProgress();
    }
    return { kind: 'repeat', search: before };
  });
}
