import { ServiceError, search } from '@tds/contracts';
import { LeaseLost, onTask, type TaskContext, toServiceError } from '@tds/service-kit';
import { giveBack } from './application/deliver-search.ts';
import { missingPages, savePage } from './application/listing-pages.ts';
import type { Deps } from './deps.ts';
import type { Listing } from './domain/listing.ts';
import { failListing, findListing, shortsOf } from './store/listings.ts';
import { findSearch, saveGivenBack } from './store/searches.ts';
import { type Payer, payerWord } from './upstream/data-api-units.ts';

/** Saves page after page until the listing is complete. Resolves to how many it has saved, also where it was broken off. */
const walk = async (
  deps: Deps,
  begun: Listing,
  payer: Payer | undefined,
  task: TaskContext,
): Promise<{ readonly saved: number; readonly error: unknown }> => {
  const shorts = new Set(await shortsOf(deps.db, begun.id));
  const { signal } = task;
  const callerId = payer && (deps.dataApi === null ? payer.accountId : payerWord(payer));
  const call = { signal, ...(callerId === undefined ? {} : { callerId }) };
  let saved = 0;
  try {
    for await (const fetched of missingPages(deps, begun, shorts, call)) {
      await savePage(deps, fetched, task);
      saved += 1;
    }
    return { saved, error: null };
  } catch (error) {
    return { saved, error };
  }
};

/** Ends the listing with its error, for all who wait for it. */
const fail = (
  { db, messaging, now }: Deps,
  id: string,
  { data }: ServiceError,
  task: TaskContext,
): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    await task.complete(tx);
    await failListing(tx, id, data, now());
  });

/** A long walk may meet more trouble than one task has attempts, as long as it gets on. */
const beginAnew = (
  { db, messaging }: Deps,
  payload: { listingId: string; payer?: Payer | undefined },
  task: TaskContext,
) =>
  messaging.transaction(db, async (tx, send) => {
    await task.complete(tx);
    await send.enqueue(search.makeListing, payload, { key: payload.listingId });
  });

/** Another attempt would meet the same. */
const isFinal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && !error.data.retryable;

/** Walks on at the last token that was saved; what is broken off goes on in the next attempt, here or elsewhere. */
export const makeListing = onTask(search.makeListing, async (deps: Deps, payload, task) => {
  const listing = await findListing(deps.db, payload.listingId);
  if (listing?.state !== 'open') return;
  const { saved, error } = await walk(deps, listing, payload.payer, task);
  task.record.add({ pages: saved });
  if (error === null) return;
  if (task.signal.aborted || error instanceof LeaseLost) throw error;
  if (isFinal(error)) return fail(deps, listing.id, error, task);
  if (!task.isLastAttempt) throw error;
  if (saved > 0) return beginAnew(deps, payload, task);
  return fail(deps, listing.id, toServiceError(error), task);
});

/** The ledger does each once per ref, so a repeat after a crash changes nothing. */
export const giveBackSearch = onTask(search.giveBackSearch, async (deps: Deps, { searchId }, task) => {
  const found = await findSearch(deps.db, searchId);
  if (found?.state !== 'failed') return;
  await giveBack(deps, searchId, task);
  await deps.messaging.transaction(deps.db, async (tx) => {
    await task.complete(tx);
    await saveGivenBack(tx, searchId);
  });
});
