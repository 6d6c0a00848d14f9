import { createBatcher, isDatabaseAway, retryThenSplit } from '@tds/base';
import { MAX_LOOKUPS } from '../domain/cadence.ts';
import type { ListedVideo, VideoNumber } from '../domain/feed-entries.ts';
import type { Database, Db } from './database.ts';
import type { Video } from './prisma/client.ts';

/** The ids among these videos that the feed has shown before. */
export const findKnownIds = async (
  db: Db,
  feedId: string,
  videos: readonly ListedVideo[],
): Promise<Set<string>> => {
  const rows = await db.video.findMany({
    where: { feedId, videoId: { in: videos.map(({ id }) => id) } },
    select: { videoId: true },
  });
  return new Set(rows.map(({ videoId }) => videoId));
};

/** Publication date of the newest known video; null if no date is known. */
export const findNewestDate = async (db: Db, feedId: string): Promise<Date | null> =>
  (await db.video.aggregate({ where: { feedId }, _max: { publishedAt: true } }))._max.publishedAt;

/** Adds videos; known ones stay as they are. */
export const addVideos = (tx: Db, feedId: string, videos: readonly (ListedVideo & VideoNumber)[]) =>
  tx.$executeRaw`
    INSERT INTO videos (feed_id, video_id, number, title, published_at, ask_at, found_at)
    SELECT ${feedId}::uuid, g.id, g.number, g.title, g."publishedAt", now() + g."askInMs" * interval '1 ms', now()
    FROM jsonb_to_recordset(${JSON.stringify(videos)}::jsonb)
      AS g (id text, number int, title text, "publishedAt" timestamptz, "askInMs" float8)
    ON CONFLICT (feed_id, video_id) DO NOTHING`;

/** Saves the numbers of upcoming videos that are out, and when to look up the others again: hidden ones ever more rarely, for they may stay so. */
export const saveReleases = (
  tx: Db,
  feedId: string,
  videos: readonly ({ readonly id: string; readonly isHidden: boolean } & VideoNumber)[],
) =>
  tx.$executeRaw`
    UPDATE videos AS v SET number = g.number, ask_at = now() + g."askInMs" * interval '1 ms'
      + CASE WHEN g."isHidden" THEN (now() - v.found_at) / 8 ELSE interval '0' END
    FROM jsonb_to_recordset(${JSON.stringify(videos)}::jsonb)
      AS g (id text, number int, "askInMs" float8, "isHidden" boolean)
    WHERE v.feed_id = ${feedId}::uuid AND v.video_id = g.id`;

type VideoRow = Pick<Video, 'videoId' | 'title' | 'publishedAt'>;

const toListedVideo = ({ videoId: id, title, publishedAt }: VideoRow): ListedVideo => ({
  ...{ id, title, publishedAt: publishedAt?.toISOString() ?? null },
});

/** Videos with numbers above `after`, up to `upTo`, in order. */
export const videosBetween = async (
  tx: Db,
  feedId: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<ListedVideo[]> => {
  const rows = await tx.video.findMany({
    where: { feedId, number: { gt: after, lte: upTo } },
    orderBy: { number: 'asc' },
  });
  return rows.map(toListedVideo);
};

/** More than one check reads, so that later pages come behind. */
const PLACES_OF_A_PAGE = 1_000;

/** Saves videos found in a gap, newest first, behind those of earlier pages. */
export const holdVideos = async (
  tx: Db,
  feedId: string,
  { videos, afterPages }: { readonly videos: readonly ListedVideo[]; readonly afterPages: number },
) => {
  const rows = videos.map((video, index) => ({ ...video, place: afterPages * PLACES_OF_A_PAGE + index }));
  await tx.$executeRaw`
    INSERT INTO held_videos (feed_id, video_id, place, title, published_at, held_at)
    SELECT ${feedId}::uuid, g.id, g.place, g.title, g."publishedAt", clock_timestamp()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS g (id text, place int, title text, "publishedAt" timestamptz)
    ON CONFLICT (feed_id, video_id) DO NOTHING`;
};

/** All videos found in a gap, newest first. */
export const readPendingVideos = async (db: Db, feedId: string): Promise<ListedVideo[]> => {
  const rows = await db.heldVideo.findMany({ where: { feedId }, orderBy: { place: 'asc' } });
  return rows.map(toListedVideo);
};

/** Ends a gap whose last video has this number. Monitors created while it was read start behind it. */
export const endGap = async (tx: Db, feedId: string, lastNumber: number) => {
  await tx.$executeRaw`
    UPDATE monitors SET baseline = ${lastNumber}::int, emitted = ${lastNumber}::int, fetched = ${lastNumber}::int
    WHERE feed_id = ${feedId}::uuid
      AND created_at > (SELECT min(held_at) FROM held_videos WHERE feed_id = ${feedId}::uuid)`;
  await tx.heldVideo.deleteMany({ where: { feedId } });
};

type FeedQuery = {
  readonly feedId: string;
  /** Ids of the videos that the feed shows. */
  readonly ids: readonly string[];
};

type FeedFacts = {
  /** The ids that were seen before. */
  readonly known: ReadonlySet<string>;
  /** Upcoming videos that are due for another lookup, the most overdue first. */
  readonly upcoming: readonly string[];
  /** The feed has no monitor within its account's limit. */
  readonly isIdle: boolean;
};

/** Queries that arrive while one runs become one batch. */
const BATCHES = { maxBatch: 64, slowAfterMs: 250, maxCalls: 2 };

type FactsRow = Omit<FeedFacts, 'known'> & { readonly known: string[] };

const lookUp = async (db: Database, queries: readonly FeedQuery[]) => {
  const rows = await db.$queryRaw<FactsRow[]>`
    SELECT
      ARRAY(SELECT v.video_id::text FROM videos AS v WHERE v.feed_id = f.id AND v.video_id = ANY (f.ids)) AS known,
      ARRAY(SELECT v.video_id::text FROM videos AS v WHERE v.feed_id = f.id AND v.ask_at <= now()
        ORDER BY v.ask_at LIMIT ${MAX_LOOKUPS}::int) AS upcoming,
      NOT EXISTS (SELECT FROM monitors AS m
        WHERE m.feed_id = f.id AND m.emitted_pause IS DISTINCT FROM 'tier_limit') AS "isIdle"
    FROM (
      SELECT (a ->> 'feedId')::uuid AS id, ARRAY(SELECT jsonb_array_elements_text(a -> 'ids'))::char(11)[] AS ids, place
      FROM jsonb_array_elements(${JSON.stringify(queries)}::jsonb) WITH ORDINALITY AS input (a, place)
    ) AS f ORDER BY f.place`;
  return rows.map(({ known, ...row }) => ({ ...row, known: new Set(known) }));
};

/** Queries feeds in batches: single queries would need a connection each, and a feed that waits too long for one was read in vain. */
export const createLookUps = (db: Database) =>
  createBatcher({
    ...BATCHES,
    call: retryThenSplit((queries: readonly FeedQuery[]) => lookUp(db, queries), {
      isTransient: isDatabaseAway,
    }),
  });
export type LookUps = ReturnType<typeof createLookUps>;
