import { type ListingContents, search, secondsToNextUtcDay, type Tier, tierLimits } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Sender } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { type Listing, usableListing } from '../domain/listing.ts';
import type { Db } from '../store/database.ts';
import { countOnce, takeOfDay } from '../store/day-counts.ts';
import { type ListingKey, newestListing, openListing, startWalk, walkedListing } from '../store/listings.ts';
import type { Surface } from '../surface.ts';
import { hasDataApiUnit } from '../upstream/data-api-units.ts';

type ListingCaller = {
  readonly accountId: string;
  readonly keyId: string;
  readonly limitId: string;
  readonly tier: Tier;
};

/** Counts a cold enumeration, once per input and day (specification, part 4). Throws `enumeration_cap`. */
const countEnumeration = async (tx: Db, caller: ListingCaller, key: ListingKey, now: Date) => {
  const scope = `enumerations:${caller.limitId}`;
  if (!(await countOnce(tx, scope, `${key.contents} ${key.playlistId}`, now))) return;
  const { coldEnumerationsPerDay } = tierLimits[caller.tier];
  if (await takeOfDay(tx, { scope, limit: coldEnumerationsPerDay }, now)) return;
  throw serviceError('enumeration_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
};

/** A joined listing was started by an earlier request, with the API units of that account. */
type ListingMatch = { readonly listing: Listing; readonly isJoined: boolean };

/** Starts a listing, or joins one that another request started meanwhile. */
const start = ({ db, messaging, now }: Deps, caller: ListingCaller, key: ListingKey) =>
  messaging.transaction(db, async (tx: Db, send: Sender<Surface>) => {
    const listing = await openListing(tx, key, now());
    if (listing === null) {
      const other = await newestListing(tx, key);
      if (other === null) throw serviceError('service_unavailable');
      return { listing: other, isJoined: true };
    }
    await countEnumeration(tx, caller, key, now());
    const payload = { listingId: listing.id, payer: { accountId: caller.accountId, tier: caller.tier } };
    await send.enqueue(search.makeListing, payload, { key: listing.id });
    return { listing, isJoined: false };
  });

/**
 * The listing that answers a request. The first page uses a fresh listing or starts one; later pages use the listing of the first,
 * whatever its age.
 */
export async function findOrStartListing(
  deps: Deps,
  caller: ListingCaller,
  source: { readonly playlistId: string; readonly contents: ListingContents },
  { offset, startsNothing }: { readonly offset: number; readonly startsNothing: boolean },
): Promise<ListingMatch> {
  const { db, limits, now, listingFreshMs } = deps;
  const key = { playlistId: source.playlistId, contents: source.contents };
  if (offset > 0) {
    const current = await walkedListing(db, caller.keyId, key);
    if (current !== null && current.state !== 'failed') return { listing: current, isJoined: true };
  }
  const last = await newestListing(db, key);
  // A listing that failed because another account had no units left can be started again.
  const isPayable =
    last?.error?.code === 'data_api_unit_cap' && (await hasDataApiUnit(db, limits, caller, now()));
  const newest = isPayable ? null : usableListing(last, now(), listingFreshMs);
  if (newest === null && startsNothing) {
    throw serviceError('not_cached', {
      message: 'HEAD starts no work, and this listing does not exist. GET makes it.',
    });
  }
  const match = newest ? { listing: newest, isJoined: true } : await start(deps, caller, key);
  await startWalk(db, caller.keyId, match.listing, now());
  return match;
}
