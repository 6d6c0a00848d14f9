import { search, serviceError } from '@tds/contracts';
import { each, onSchedule, walk, walkAll } from '@tds/service-kit';
import { failSearch } from '../application/fail-search.ts';
import type { Deps } from '../deps.ts';
import { earlier } from '../domain/durations.ts';
import { abandonedListings, abandonedSearches, searchesToGiveBack } from '../store/search-sweeps.ts';

type Id = { readonly id: string };

/** Nothing is added where there is a task already. */
const giveBackAll =
  ({ db, messaging }: Deps) =>
  (page: readonly Id[]) =>
    messaging.transaction(db, async (_tx, send) => {
      for (const { id } of page) await send.enqueue(search.giveBackSearch, { searchId: id }, { key: id });
    });

const walkOnWithAll =
  ({ db, messaging }: Deps) =>
  (page: readonly Id[]) =>
    messaging.transaction(db, async (_tx, send) => {
      for (const { id } of page) await send.enqueue(search.makeListing, { listingId: id }, { key: id });
    });

/**
 * Takes up what a death has left: a search that nobody works on ends without a page and without a charge, a credit that
 * nobody gives back is given back, and a listing that nobody walks on with is walked on.
 */
export const endAbandonedSearches = onSchedule(async (deps: Deps, { signal }) => {
  const { db, now, limits } = deps;
  const before = earlier(now(), limits.searchAbandonedMs);
  const end = async ({ id }: Id) =>
    void (await failSearch(deps, id, serviceError('search_settlement_failed')));
  await walkAll([
    walk<Id>((after) => abandonedSearches(db, before, after?.id), each(end), signal),
    walk<Id>((after) => searchesToGiveBack(db, before, after?.id), giveBackAll(deps), signal),
    walk<Id>((after) => abandonedListings(db, before, after?.id), walkOnWithAll(deps), signal),
  ]);
});
