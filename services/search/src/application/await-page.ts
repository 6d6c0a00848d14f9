import { setTimeout as pause } from 'node:timers/promises';
import { LISTING_PAGE, ServiceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { hasPage, type Listing } from '../domain/listing.ts';
import { findListing } from '../store/listings.ts';

const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 400;

/**
 * Waits until all rows of a page are there, and answers with the listing as it is then; null where that takes longer. Another
 * process may be making it, so its row is looked at, ever more rarely. Throws what the listing has failed with.
 */
export async function awaitPage(
  { db }: Deps,
  listing: Listing,
  offset: number,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<Listing | null> {
  const endsAt = performance.now() + waitMs;
  let current: Listing | null = listing;
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)) {
    if (current?.error) throw new ServiceError(current.error);
    if (current === null || hasPage(current, offset, LISTING_PAGE)) return current;
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0 || signal.aborted) return null;
    await pause(Math.min(lookMs, leftMs), undefined, { signal }).catch(() => undefined);
    current = await findListing(db, listing.id);
  }
}
