import { secondsToNextUtcDay, serviceError, type Tier, tierLimits } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { giveBackOfDay, takeOfDay } from '../store/day-counts.ts';
import { findReplay, findSearch, type NewSearch, openSearch, type Search } from '../store/searches.ts';

const RETRY_AFTER_SECONDS = 1;
const inProgress = () => serviceError('search_in_progress', { retryAfterSeconds: RETRY_AFTER_SECONDS });

const pagesOf = (limitId: string): string => `search_pages:${limitId}`;
const attemptsOf = (limitId: string): string => `search_attempts:${limitId}`;

/** Counts an attempt, and the page that it may become: so no number of searches at once passes the day's pages. */
const count = async (tx: Db, limitId: string, tier: Tier, now: Date): Promise<void> => {
  const { searchAttemptsPerDay, searchPagesPerDay } = tierLimits[tier];
  const hasRoom =
    (await takeOfDay(tx, { scope: attemptsOf(limitId), most: searchAttemptsPerDay }, now)) &&
    (await takeOfDay(tx, { scope: pagesOf(limitId), most: searchPagesPerDay }, now));
  if (!hasRoom) throw serviceError('search_attempt_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
};

/** The page did not come: it counts no more. The attempt does. */
export const uncountPage = (db: Db, { limitId, createdAt }: Pick<Search, 'limitId' | 'createdAt'>) =>
  giveBackOfDay(db, pagesOf(limitId), createdAt);

/** The search was not admitted after all: neither page nor attempt counts. */
export const uncountAttempt = async (
  db: Db,
  search: Pick<Search, 'limitId' | 'createdAt'>,
): Promise<void> => {
  await uncountPage(db, search);
  await giveBackOfDay(db, attemptsOf(search.limitId), search.createdAt);
};

export type Admitted =
  | { readonly kind: 'replay' | 'repeat'; readonly search: Search }
  | { readonly kind: 'opened' };

/**
 * Opens a search, unless its page was delivered to this key within a minute (`replay`) or this very request has been here
 * before (`repeat`). Throws `search_in_progress` and `search_attempt_cap`; what is not opened counts nowhere.
 */
export async function admitSearch(
  { db, messaging, now }: Deps,
  given: NewSearch,
  tier: Tier,
): Promise<Admitted> {
  const replay = await findReplay(db, given.keyId, given.fingerprint, now());
  if (replay) return { kind: 'replay', search: replay };
  return messaging.transaction(db, async (tx: Db): Promise<Admitted> => {
    if (await openSearch(tx, given, now())) {
      await count(tx, given.limitId, tier, now());
      return { kind: 'opened' };
    }
    const before = await findSearch(tx, given.id);
    if (before?.accountId !== given.accountId || before.state === 'open' || before.state === 'fetched') {
      throw inProgress();
    }
    return { kind: 'repeat', search: before };
  });
}
