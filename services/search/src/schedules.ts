import { each, walk, walkAll } from '@tds/base';
import { DAY_MS, search } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onSchedule } from '@tds/kit';
import type { Delivery, ReservationOwner, Resolution } from '@tds/reservations';
import { failSearch } from './application/deliver-search.ts';
import type { Deps } from './deps.ts';
import { earlier } from './domain/durations.ts';
import { SEARCH_RESERVATION_REASON, toPageReservation } from './domain/search.ts';
import { purgeOld } from './store/old-rows.ts';
import {
  abandonedListings,
  abandonedSearches,
  chargedSearches,
  findSearchStates,
  saveUncollected,
  searchesToRelease,
} from './store/search-sweeps.ts';

type Id = { readonly id: string };

const releaseAll =
  ({ db, messaging }: Deps) =>
  (page: readonly Id[]) =>
    messaging.transaction(db, async (_tx, send) => {
      for (const { id } of page) await send.enqueue(search.releaseSearch, { searchId: id }, { key: id });
    });

const resumeWalks =
  ({ db, messaging }: Deps) =>
  (page: readonly Id[]) =>
    messaging.transaction(db, async (_tx, send) => {
      for (const { id } of page) await send.enqueue(search.makeListing, { listingId: id }, { key: id });
    });

/**
 * Recovers from a dead process: ends abandoned searches without a page and a charge, releases their credits, and continues abandoned
 * listings. Tasks are enqueued once per id.
 */
export const endAbandonedSearches = onSchedule(async (deps: Deps, { signal }) => {
  const { db, now, limits } = deps;
  const before = earlier(now(), limits.searchAbandonedMs);
  const end = async ({ id }: Id) => void (await failSearch(deps, id, serviceError('search_settlement_failed')));
  await walkAll([
    walk<Id>((after) => abandonedSearches(db, before, after?.id), each(end), signal),
    walk<Id>((after) => searchesToRelease(db, before, after?.id), releaseAll(deps), signal),
    walk<Id>((after) => abandonedListings(db, before, after?.id), resumeWalks(deps), signal),
  ]);
});

/** Shorter than searches are kept. */
const COMPARED_MS = 8 * DAY_MS;

const toReservationOwner = ({ call, log, db, now, orphanedAfterMs }: Deps): ReservationOwner => ({
  call,
  log,
  reason: SEARCH_RESERVATION_REASON,
  orphanedAfterMs,
  // A search is saved before its credit is held, so a missing one was lost. A running one settles itself.
  resolveHeld: async (reservations) => {
    const states = await findSearchStates(
      db,
      reservations.map(({ ref }) => ref),
    );
    return reservations.flatMap(({ ref, held: items }): Resolution[] => {
      const state = states.get(ref);
      if (state === 'delivered') return [{ ref, charge: items, release: [] }];
      return state === undefined || state === 'failed' ? [{ ref, charge: [], release: items }] : [];
    });
  },
  listDeliveries: async (after): Promise<Delivery[]> => {
    const between = { from: earlier(now(), COMPARED_MS), to: earlier(now(), orphanedAfterMs) };
    return (await chargedSearches(db, between, after)).map((search) => ({
      cursor: search.cursor,
      charge: toPageReservation({ ...search, requestId: search.id }),
    }));
  },
  markUncollected: async ({ charge }) => void (await saveUncollected(db, charge.ref)),
});

/** Each process remembers what it has compared. */
export const reconcileReservations = onSchedule((deps: Deps, context) =>
  deps.compare(toReservationOwner(deps), context),
);

export const purgeOldRows = onSchedule(async ({ db, now }: Deps, { record, signal }) => {
  record.add(await purgeOld(db, now(), { signal }));
});
