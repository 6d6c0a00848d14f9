import type { Delivery, LedgerHolder, Verdict } from '@tds/reservations';
import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { creditOf, SEARCH_REASON } from '../domain/credit.ts';
import { earlier } from '../domain/durations.ts';
import { chargedSearches, saveUncollected, searchesAmong } from '../store/charged-searches.ts';

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
