import { LeaseLost, toServiceError } from '@tds/base';
import { search } from '@tds/contracts';
import { ServiceError, serviceError } from '@tds/errors';
import { onTask } from '@tds/kit';
import type { TaskContext } from '@tds/messaging';
import { release } from './application/deliver-search.ts';
import { missingPages, savePage } from './application/listing-pages.ts';
import type { Deps } from './deps.ts';
import { earlier } from './domain/durations.ts';
import type { Listing } from './domain/listing.ts';
import { failListing, findListing, findSavedIds } from './store/listings.ts';
import { findSearch, saveReleased } from './store/searches.ts';
import { type Payer, toPayerId } from './upstream/data-api-units.ts';

/** Saves pages until the listing is complete. Returns how many it saved, also after an error. */
const walk = async (
  deps: Deps,
  listing: Listing,
  payer: Payer | undefined,
  task: TaskContext,
): Promise<{ readonly saved: number; readonly error: unknown }> => {
  const savedIds = await findSavedIds(deps.db, listing.id);
  const { signal } = task;
  const callerId = payer && (deps.dataApi === null ? payer.accountId : toPayerId(payer));
  const call = { signal, ...(callerId === undefined ? {} : { callerId }) };
  let saved = 0;
  try {
    for await (const page of missingPages(deps, listing, savedIds, call)) {
      await savePage(deps, page, task);
      saved += 1;
    }
    return { saved, error: null };
  } catch (error) {
    return { saved, error };
  }
};

/** Ends the listing with an error for all its waiters. */
const fail = ({ db, messaging, now }: Deps, id: string, { data }: ServiceError, task: TaskContext) =>
  messaging.transaction(db, async (tx) => {
    await task.complete(tx);
    await failListing(tx, id, data, now());
  });

/** A long walk that makes progress may fail more often than one task has attempts. */
const startAgain = (
  { db, messaging }: Deps,
  payload: { listingId: string; payer?: Payer | undefined },
  task: TaskContext,
) =>
  messaging.transaction(db, async (tx, send) => {
    await task.complete(tx);
    await send.enqueue(search.makeListing, payload, { key: payload.listingId });
  });

/** Another attempt would fail too. */
const isFinal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && !error.data.retryable;

/** Many times the longest walk. Past it, the walk itself may be what kills or fails its workers. */
const MAX_WALK_MS = 3_600_000;

/** Walks on from the last saved token. The next attempt continues, in any process. */
export const makeListing = onTask(search.makeListing, async (deps: Deps, payload, task) => {
  const listing = await findListing(deps.db, payload.listingId);
  if (listing?.state !== 'open') return;
  if (listing.createdAt < earlier(deps.now(), MAX_WALK_MS))
    return fail(deps, listing.id, serviceError('upstream_error'), task);
  const { saved, error } = await walk(deps, listing, payload.payer, task);
  task.record.add({ pages: saved });
  if (error === null) return;
  if (task.signal.aborted || error instanceof LeaseLost) throw error;
  if (isFinal(error)) return fail(deps, listing.id, error, task);
  if (!task.isLastAttempt) throw error;
  if (saved > 0) return startAgain(deps, payload, task);
  return fail(deps, listing.id, toServiceError(error), task);
});

/** The ledger acts once per ref, so a repeat after a crash changes nothing. */
export const releaseSearch = onTask(search.releaseSearch, async (deps: Deps, { searchId }, task) => {
  const stored = await findSearch(deps.db, searchId);
  if (stored?.state !== 'failed') return;
  await release(deps, searchId, task);
  await deps.messaging.transaction(deps.db, async (tx) => {
    await task.complete(tx);
    await saveReleased(tx, searchId);
  });
});
