import type { Listing } from '../domain/listing.ts';
import type { Database } from './database.ts';
import { findListing, type ListingKey } from './listings.ts';

/** From now on the later pages of this key are of this listing. */
export const beginWalk = async (db: Database, keyId: string, listing: Listing, now: Date): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO walks AS walk (key_id, playlist_id, contents, listing_id, begun_at)
    VALUES (${keyId}::uuid, ${listing.playlistId}, ${listing.contents}, ${listing.id}::uuid, ${now})
    ON CONFLICT (key_id, playlist_id, contents)
    DO UPDATE SET listing_id = excluded.listing_id, begun_at = excluded.begun_at
    WHERE walk.listing_id <> excluded.listing_id`;
};

/** The listing that this key's first page was of; null where there was none, or it is gone. */
export const walkedListing = async (
  db: Database,
  keyId: string,
  key: ListingKey,
): Promise<Listing | null> => {
  const walk = await db.walk.findUnique({ where: { keyId_playlistId_contents: { keyId, ...key } } });
  return walk && findListing(db, walk.listingId);
};
