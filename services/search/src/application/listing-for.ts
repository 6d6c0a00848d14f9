import {
  type ListingContents,
  search,
  secondsToNextUtcDay,
  serviceError,
  type Tier,
  tierLimits,
} from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { type Listing, usableListing } from '../domain/listing.ts';
import type { Db } from '../store/database.ts';
import { countOnce, takeOfDay } from '../store/day-counts.ts';
import { beginWalk, type ListingKey, newestListing, openListing, walkedListing } from '../store/listings.ts';
import type { Surface } from '../surface.ts';
import { hasDataApiUnit } from '../upstream/data-api-units.ts';

export type Asking = {
  readonly accountId: string;
  readonly keyId: string;
  readonly limitId: string;
  readonly tier: Tier;
};

/** A cold enumeration counts once per input and day (specification, part 4). Throws `enumeration_cap`. */
const countEnumeration = async (tx: Db, asking: Asking, key: ListingKey, now: Date): Promise<void> => {
  const scope = `enumerations:${asking.limitId}`;
  if (!(await countOnce(tx, scope, `${key.contents} ${key.playlistId}`, now))) return;
  const { coldEnumerationsPerDay } = tierLimits[asking.tier];
  if (await takeOfDay(tx, { scope, most: coldEnumerationsPerDay }, now)) return;
  throw serviceError('enumeration_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
};

/** The listing of a request; one that is joined was begun by an earlier request, with the units of that one's account. */
type ListingFor = { readonly listing: Listing; readonly isJoined: boolean };

/** Begins a listing, or joins the one that another request has begun in the meantime. */
const begin = ({ db, messaging, now }: Deps, asking: Asking, key: ListingKey): Promise<ListingFor> =>
  messaging.transaction(db, async (tx: Db, send: Sender<Surface>) => {
    const listing = await openListing(tx, key, now());
    if (listing === null) {
      const other = await newestListing(tx, key);
      if (other === null) throw serviceError('service_unavailable');
      return { listing: other, isJoined: true };
    }
    await countEnumeration(tx, asking, key, now());
    const payload = { listingId: listing.id, payer: { accountId: asking.accountId, tier: asking.tier } };
    await send.enqueue(search.makeListing, payload, { key: listing.id });
    return { listing, isJoined: false };
  });

/**
 * The listing that a request is answered from. The first page of a walk takes a fresh one, or begins it; the later ones
 * stay with what the first was of, however old that is by now.
 */
export async function listingFor(
  deps: Deps,
  asking: Asking,
  source: { readonly playlistId: string; readonly contents: ListingContents },
  { offset, startsNothing }: { readonly offset: number; readonly startsNothing: boolean },
): Promise<ListingFor> {
  const { db, limits, now, listingFreshMs } = deps;
  const key = { playlistId: source.playlistId, contents: source.contents };
  if (offset > 0) {
    const walked = await walkedListing(db, asking.keyId, key);
    if (walked !== null && walked.state !== 'failed') return { listing: walked, isJoined: true };
  }
  const last = await newestListing(db, key);
  // Whose units a listing has ended for is no fact about it: an account that has some begins it anew.
  const isPayable =
    last?.error?.code === 'data_api_unit_cap' && (await hasDataApiUnit(db, limits, asking, now()));
  const newest = isPayable ? null : usableListing(last, now(), listingFreshMs);
  if (newest === null && startsNothing) {
    throw serviceError('not_cached', {
      message: 'HEAD starts no work, and this listing is not there. GET makes it.',
    });
  }
  const found = newest ? { listing: newest, isJoined: true } : await begin(deps, asking, key);
  await beginWalk(db, asking.keyId, found.listing, now());
  return found;
}
