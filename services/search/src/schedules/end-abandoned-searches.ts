import { search, serviceError } from '@tds/contracts';
import { onSchedule } from '@tds/service-kit';
import { failSearch } from '../application/fail-search.ts';
import type { Deps } from '../deps.ts';
import { earlier } from '../domain/durations.ts';
import { openListings } from '../store/listings.ts';
import { abandonedSearches, searchesToGiveBack } from '../store/search-sweeps.ts';

const AT_ONCE = 200;

/**
 * Takes up what a death has left: a search that nobody works on ends without a page and without a charge, a credit that
 * nobody gives back is given back, and a listing that nobody walks on with is walked on.
 */
export const endAbandonedSearches = onSchedule(async (deps: Deps, { record }) => {
  const { db, kit, now, limits } = deps;
  const before = earlier(now(), limits.searchAbandonedMs);
  const abandoned = await abandonedSearches(db, before, AT_ONCE);
  for (const id of abandoned) await failSearch(deps, id, serviceError('search_settlement_failed'));
  const held = await searchesToGiveBack(db, before, AT_ONCE);
  const listings = await openListings(db, before, AT_ONCE);
  // Nothing is added where there is a task already.
  await kit.messaging.transaction(db, async (_tx, send) => {
    for (const searchId of held) await send.enqueue(search.giveBackSearch, { searchId }, { key: searchId });
    for (const listingId of listings)
      await send.enqueue(search.makeListing, { listingId }, { key: listingId });
  });
  record.add({ abandoned: abandoned.length });
});
