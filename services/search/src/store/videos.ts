import type { ListedVideo } from '@tds/video-platform';
import type { ListedRow } from '../domain/listing.ts';
import type { Database, Db } from './database.ts';

/** Saves facts from a listing or a lookup; unknown ones keep their old value. */
export const saveKnownVideos = async (db: Db, videos: readonly ListedVideo[], now: Date) => {
  const rows = [...new Map(videos.map((video) => [video.id, video])).values()].toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  );
  if (rows.length === 0) return;
  await db.$executeRaw`
    INSERT INTO known_videos AS known
      (id, is_available, title, published_at, duration_seconds, thumbnail_url, is_short, checked_at)
    SELECT id, true, title, "publishedAt", "durationSeconds", "thumbnailUrl", "isShort", ${now}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS input
      (id text, title text, "publishedAt" timestamptz, "durationSeconds" int, "thumbnailUrl" text, "isShort" boolean)
    ON CONFLICT (id) DO UPDATE SET is_available = true, checked_at = excluded.checked_at,
      title = coalesce(excluded.title, known.title),
      published_at = coalesce(excluded.published_at, known.published_at),
      duration_seconds = coalesce(excluded.duration_seconds, known.duration_seconds),
      thumbnail_url = coalesce(excluded.thumbnail_url, known.thumbnail_url),
      is_short = coalesce(excluded.is_short, known.is_short)`;
};

export const saveUnavailable = (db: Database, ids: readonly string[], now: Date) =>
  db.$executeRaw`
    INSERT INTO known_videos (id, is_available, checked_at)
    SELECT id, false, ${now} FROM unnest(${[...ids].toSorted()}::text[]) AS input (id)
    ON CONFLICT (id) DO UPDATE SET is_available = false, checked_at = excluded.checked_at`;

export type KnownVideo = ListedRow & { readonly isAvailable: boolean; readonly checkedAt: Date };

/** The known ones of these videos, by id. */
export const findKnownVideos = async (
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownVideo>> => {
  // The ids are one parameter: Prisma would prepare a statement for each number of ids.
  const rows = await db.$queryRaw<(Omit<KnownVideo, 'publishedAt'> & { publishedAt: Date | null })[]>`
    SELECT id, is_available AS "isAvailable", title, published_at AS "publishedAt",
      duration_seconds AS "durationSeconds", thumbnail_url AS "thumbnailUrl",
      coalesce(is_short, false) AS "isShort", checked_at AS "checkedAt"
    FROM known_videos WHERE id = ANY (${[...ids]}::text[])`;
  return new Map(
    rows.map((row) => [row.id, { ...row, publishedAt: row.publishedAt?.toISOString() ?? null }] as const),
  );
};

export const saveVideoList = (db: Database, key: string, videoIds: readonly string[], now: Date) =>
  db.videoList.upsert({
    where: { key },
    create: { key, videoIds: [...videoIds], createdAt: now, usedAt: now },
    update: { usedAt: now },
  });

/** Also renews the list, which is deleted when it is not used for long. */
export const useVideoList = async (db: Database, key: string, now: Date): Promise<readonly string[] | null> => {
  const [row] = await db.videoList.updateManyAndReturn({ where: { key }, data: { usedAt: now } });
  return row?.videoIds ?? null;
};

export const findChannelName = async (
  db: Database,
  name: string,
  now: Date,
): Promise<{ readonly channelId: string | null } | null> => {
  const row = await db.channelName.findUnique({ where: { name } });
  return row !== null && row.expiresAt > now ? { channelId: row.channelId } : null;
};

/** Without an id the name has no channel until then. */
export const saveChannelName = (db: Database, name: string, channelId: string | null, expiresAt: Date) =>
  db.channelName.upsert({
    where: { name },
    create: { name, channelId, expiresAt },
    update: { channelId, expiresAt },
  });
