import type { Db } from './database.ts';
import type { Entry } from './videos.ts';

/** More than one look reads, so that what later ones read stands behind. */
const PLACES_OF_A_PAGE = 1_000;

/** Keeps what was found of a gap, newest first, behind what was found on the pages before. */
export const holdVideos = async (
  tx: Db,
  feedId: string,
  { entries, afterPages }: { readonly entries: readonly Entry[]; readonly afterPages: number },
): Promise<void> => {
  const rows = entries.map((entry, index) => ({ ...entry, place: afterPages * PLACES_OF_A_PAGE + index }));
  await tx.$executeRaw`
    INSERT INTO held_videos (feed_id, video_id, place, title, published_at, held_at)
    SELECT ${feedId}::uuid, g.id, g.place, g.title, g."publishedAt", clock_timestamp()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS g (id text, place int, title text, "publishedAt" timestamptz)
    ON CONFLICT (feed_id, video_id) DO NOTHING`;
};

/** All that was found of a gap, newest first. */
export const heldVideos = async (db: Db, feedId: string): Promise<Entry[]> => {
  const rows = await db.heldVideo.findMany({ where: { feedId }, orderBy: { place: 'asc' } });
  return rows.map(({ videoId, title, publishedAt }) => ({
    ...{ id: videoId, title, publishedAt: publishedAt?.toISOString() ?? null },
  }));
};

/**
 * The gap is filled, up to this number. Whoever has begun to watch meanwhile begins behind it: what was uploaded before is no news
 * for them.
 */
export const endGap = async (tx: Db, feedId: string, lastNumber: number): Promise<void> => {
  await tx.$executeRaw`
    UPDATE monitors SET baseline = ${lastNumber}::int, told = ${lastNumber}::int, fetched = ${lastNumber}::int
    WHERE feed_id = ${feedId}::uuid
      AND created_at > (SELECT min(held_at) FROM held_videos WHERE feed_id = ${feedId}::uuid)`;
  await tx.heldVideo.deleteMany({ where: { feedId } });
};
