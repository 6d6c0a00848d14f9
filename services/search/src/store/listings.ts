import { randomUUID } from 'node:crypto';
import type { ListingContents } from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import type { ListedRow, Listing } from '../domain/listing.ts';
import { listPhases } from '../domain/source.ts';
import type { Database, Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';

export type ListingKey = { readonly playlistId: string; readonly contents: ListingContents };

export const findListing = async (db: Db, id: string): Promise<Listing | null> =>
  (await db.listing.findUnique({ where: { id } })) as Listing | null;

export const newestListing = async (db: Db, { playlistId, contents }: ListingKey): Promise<Listing | null> => {
  const where = { playlistId, contents };
  return (await db.listing.findFirst({ where, orderBy: { createdAt: 'desc' } })) as Listing | null;
};

/** Null if another one is open: there is one walk of a list at a time. */
export const openListing = async (tx: Db, key: ListingKey, now: Date): Promise<Listing | null> => {
  const id = randomUUID();
  const [phase] = listPhases(key.playlistId, key.contents);
  const data = { id, ...key, phase: phase?.name ?? 'rows', createdAt: now };
  const { count } = await tx.listing.createMany({ data, skipDuplicates: true });
  return count === 1 ? findListing(tx, id) : null;
};

export type SavedPage = {
  readonly phase: Listing['phase'];
  readonly rows: readonly ListedRow[] | readonly string[];
};

/**
 * Saves the next page and the progress of the walk. Returns false, and saves nothing, if another process has saved it or ended the
 * listing.
 */
export const appendPage = async (
  tx: Db,
  before: Listing,
  page: SavedPage,
  after: Listing,
  now: Date,
): Promise<boolean> => {
  const { phase, nextToken, pageCount, rowCount, omitted, state } = after;
  const { count } = await tx.listing.updateMany({
    where: { id: before.id, state: 'open', pageCount: before.pageCount },
    data: {
      ...{ phase, nextToken, pageCount, rowCount, omitted, state },
      ...(state === 'complete' && { endedAt: now }),
    },
  });
  if (count === 0) return false;
  const position = { firstPosition: before.rowCount, rowCount: rowCount - before.rowCount };
  const rows = page.rows as Prisma.InputJsonArray;
  const data = { listingId: before.id, number: before.pageCount, phase: page.phase, ...position, rows };
  await tx.listingPage.create({ data });
  return true;
};

export const failListing = (tx: Db, id: string, error: ServiceErrorData, now: Date) =>
  tx.listing.updateMany({
    where: { id, state: 'open' },
    data: { state: 'failed', error: error as Prisma.InputJsonObject, endedAt: now },
  });

/** The ids that a listing has found so far, by phase. */
export type SavedIds = Readonly<Record<Listing['phase'], Set<string>>>;

export const findSavedIds = async (db: Database, listingId: string): Promise<SavedIds> => {
  const pages = await db.listingPage.findMany({
    where: { listingId },
    select: { phase: true, rows: true },
  });
  const idsOf = (phase: Listing['phase']) =>
    new Set(
      pages
        .filter((page) => page.phase === phase)
        .flatMap(({ rows }) =>
          (rows as (string | ListedRow)[]).map((row) => (typeof row === 'string' ? row : row.id)),
        ),
    );
  return { shorts: idsOf('shorts'), rows: idsOf('rows') };
};

/** At most `size` rows from a position on. */
export const readRows = async (
  db: Database,
  listingId: string,
  offset: number,
  size: number,
): Promise<readonly ListedRow[]> => {
  const pages = await db.$queryRaw<{ firstPosition: number; rows: ListedRow[] }[]>`
    SELECT first_position AS "firstPosition", rows FROM listing_pages
    WHERE listing_id = ${listingId}::uuid AND phase = 'rows'
      AND first_position < ${offset + size} AND first_position + row_count > ${offset}
    ORDER BY number`;
  const first = pages[0]?.firstPosition ?? 0;
  return pages.flatMap(({ rows }) => rows).slice(offset - first, offset - first + size);
};

/** Binds the later pages of this key to this listing. */
export const startWalk = (db: Database, keyId: string, listing: Listing, now: Date) =>
  db.$executeRaw`
    INSERT INTO walks AS walk (key_id, playlist_id, contents, listing_id, begun_at)
    VALUES (${keyId}::uuid, ${listing.playlistId}, ${listing.contents}, ${listing.id}::uuid, ${now})
    ON CONFLICT (key_id, playlist_id, contents)
    DO UPDATE SET listing_id = excluded.listing_id, begun_at = excluded.begun_at
    WHERE walk.listing_id <> excluded.listing_id`;

/** The listing of this key's first page; null if there was none or it was deleted. */
export const walkedListing = async (db: Database, keyId: string, key: ListingKey): Promise<Listing | null> => {
  const walk = await db.walk.findUnique({ where: { keyId_playlistId_contents: { keyId, ...key } } });
  return walk && findListing(db, walk.listingId);
};
