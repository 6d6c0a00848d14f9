import type { NewVideo } from '@tds/contracts';
import type { Source } from '../domain/source.ts';
import type { Db } from './database.ts';

type NumberedVideos = { readonly after: number; readonly videos: readonly NewVideo[] };

/**
 * Restores the numbers of videos, from `after` on. Returns false if the source is unknown or one of them has another number by now. Ends
 * running checks of the source.
 */
export const restoreNumbers = async (
  tx: Db,
  { kind, id: sourceId }: Source,
  { after, videos }: NumberedVideos,
): Promise<boolean> => {
  const [feed] = await tx.$queryRaw<{ id: string }[]>`
    UPDATE feeds SET lease_until = NULL, lease_epoch = lease_epoch + 1
    WHERE kind = ${kind} AND source_id = ${sourceId} RETURNING id`;
  if (feed === undefined) return false;
  const ids = videos.map((video) => video.video_id);
  await tx.$executeRaw`
    INSERT INTO videos (feed_id, video_id, number, title, published_at, found_at)
    SELECT ${feed.id}::uuid, v ->> 'video_id', ${after}::int + place, v ->> 'title', (v ->> 'published_at')::timestamptz, now()
    FROM jsonb_array_elements(${JSON.stringify(videos)}::jsonb) WITH ORDINALITY AS lost (v, place)
    WHERE NOT EXISTS (SELECT FROM videos AS o WHERE o.feed_id = ${feed.id}::uuid AND o.number = ${after}::int + place)
    ON CONFLICT (feed_id, video_id) DO UPDATE SET number = excluded.number, ask_at = NULL WHERE videos.number IS NULL`;
  await tx.heldVideo.deleteMany({ where: { feedId: feed.id, videoId: { in: ids } } });
  await tx.$executeRaw`
    UPDATE feeds SET last_number = greatest(last_number,
      (SELECT max(number) FROM videos WHERE feed_id = ${feed.id}::uuid)) WHERE id = ${feed.id}::uuid`;
  const [same] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM unnest(${ids}::text[]) WITH ORDINALITY AS lost (id, place)
    JOIN videos AS v ON v.feed_id = ${feed.id}::uuid AND v.video_id = lost.id AND v.number = ${after}::int + place`;
  return same?.count === videos.length;
};

/** Saves that the monitor has emitted videos up to this number. */
export const saveEmittedUpTo = async (tx: Db, id: string, upTo: number): Promise<void> => {
  await tx.$executeRaw`
    UPDATE monitors SET told = greatest(told, ${upTo}::int) WHERE id = ${id}::uuid AND cancelled_at IS NULL`;
};

/** Saves that videos up to this number have jobs. Returns false if the monitor does not exist. */
export const saveFetchedUpTo = async (tx: Db, id: string, upTo: number): Promise<boolean> =>
  (await tx.$executeRaw`
    UPDATE monitors SET fetched = greatest(fetched, ${upTo}::int),
      fetching = CASE WHEN fetching > greatest(fetched, ${upTo}::int) THEN fetching END
    WHERE id = ${id}::uuid`) > 0;
