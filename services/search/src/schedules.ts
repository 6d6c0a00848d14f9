import { search, serviceError } from '@tds/contracts';
import type { Delivery, LedgerHolder, Verdict } from '@tds/reservations';
import { each, onSchedule, walk, walkAll } from '@tds/service-kit';
import { failSearch } from './application/deliver-search.ts';
import type { Deps } from './deps.ts';
import { earlier } from './domain/durations.ts';
import { creditOf, SEARCH_REASON } from './domain/search.ts';
import { purgeOld } from './store/old-rows.ts';
import {
  abandonedListings,
  abandonedSearches,
  chargedSearches,
  saveUncollected,
  searchesAmong,
  searchesToGiveBack,
} from './store/search-sweeps.ts';

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

/** Searches are kept for longer. */
const LOOKED_AT_MS = 8 * 86_400_000;

type Parts = Pick<Deps, 'call' | 'log' | 'db' | 'now' | 'orphanedAfterMs'>;

const holderOf = ({ call, log, db, now, orphanedAfterMs }: Parts): LedgerHolder => ({
  call,
  log,
  reason: SEARCH_REASON,
  orphanedAfterMs,
  // A search is saved before its credit is held: if it is not there now, it was lost. One that is under way settles itself.
  judge: async (held) => {
    const states = await searchesAmong(
      db,
      held.map(({ ref }) => ref),
    );
    return held.flatMap(({ ref, held: parts }): Verdict[] => {
      const state = states.get(ref);
      if (state === 'delivered') return [{ ref, charge: parts, giveBack: [] }];
      return state === undefined || state === 'failed' ? [{ ref, charge: [], giveBack: parts }] : [];
    });
  },
  delivered: async (after): Promise<Delivery[]> => {
    const between = { from: earlier(now(), LOOKED_AT_MS), to: earlier(now(), orphanedAfterMs) };
    return (await chargedSearches(db, between, after)).map((search) => ({
      place: search.place,
      charge: creditOf({ ...search, requestId: search.id }),
    }));
  },
  uncollected: ({ charge }) => saveUncollected(db, charge.ref),
});

/** Each process remembers what it has compared. */
export const reconcileReservations = onSchedule(
  ({ compare, ...parts }: Parts & Pick<Deps, 'compare'>, context) => compare(holderOf(parts), context),
);

export const purgeOldRows = onSchedule(async ({ db, now }: Deps, { record, signal }) => {
  record.add(await purgeOld(db, now(), { signal }));
});
