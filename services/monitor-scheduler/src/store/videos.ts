import { createBatcher, isDatabaseAway, retryThenSplit } from '@tds/service-kit';
import type { Database, Db } from './database.ts';

/** A video as a feed or a list shows it. */
export type Entry = {
  readonly id: string;
  readonly title: string | null;
  readonly publishedAt: string | null;
};

/** Which of these are known. */
export const knownOf = async (db: Db, feedId: string, entries: readonly Entry[]): Promise<Set<string>> => {
  const rows = await db.video.findMany({
    where: { feedId, videoId: { in: entries.map(({ id }) => id) } },
    select: { videoId: true },
  });
  return new Set(rows.map(({ videoId }) => videoId));
};

/** When the newest of all that is known was published; null where nothing is, or nobody has said. */
export const newestKnown = async (db: Db, feedId: string): Promise<Date | null> =>
  (await db.video.aggregate({ where: { feedId }, _max: { publishedAt: true } }))._max.publishedAt;

export type NewRow = Entry & { readonly number: number | null; readonly askInMs: number | null };

/** Adds them; what is there already stays as it is. */
export const addVideos = async (tx: Db, feedId: string, rows: readonly NewRow[]): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO videos (feed_id, video_id, number, title, published_at, ask_at, found_at)
    SELECT ${feedId}::uuid, g.id, g.number, g.title, g."publishedAt", now() + g."askInMs" * interval '1 ms', now()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS g (id text, number int, title text, "publishedAt" timestamptz, "askInMs" float8)
    ON CONFLICT (feed_id, video_id) DO NOTHING`;
};

/** Upcoming videos that are out have their numbers; of the others somebody asks again later. */
export const saveAnswers = async (
  tx: Db,
  feedId: string,
  answers: readonly {
    readonly id: string;
    readonly number: number | null;
    readonly askInMs: number | null;
  }[],
): Promise<void> => {
  await tx.$executeRaw`
    UPDATE videos AS v SET number = g.number, ask_at = now() + g."askInMs" * interval '1 ms'
    FROM jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) AS g (id text, number int, "askInMs" float8)
    WHERE v.feed_id = ${feedId}::uuid AND v.video_id = g.id`;
};

/** New ones in the order in which they were found. */
export const videosBetween = async (
  tx: Db,
  feedId: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<Entry[]> => {
  const rows = await tx.video.findMany({
    where: { feedId, number: { gt: after, lte: upTo } },
    orderBy: { number: 'asc' },
  });
  return rows.map(({ videoId, title, publishedAt }) => ({
    ...{ id: videoId, title, publishedAt: publishedAt?.toISOString() ?? null },
  }));
};

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

type Asked = {
  readonly feedId: string;
  /** Of the videos that it shows now. */
  readonly ids: readonly string[];
};

type Known = {
  /** Which of these were seen before. */
  readonly known: ReadonlySet<string>;
  /** Upcoming videos of which it is time to ask again whether they are out, the longest waiting first. */
  readonly upcoming: readonly string[];
  /** None of its monitors tells anything: each is above the limit of its account, or there is none. */
  readonly isIdle: boolean;
};

/** Another feed is asked about as soon as the first is answered; all that come meanwhile, together. */
const TOGETHER = { maxBatch: 64, largeBatch: 32, slowAfterMs: 250, maxCalls: 2 };

type Row = { readonly known: string[]; readonly upcoming: string[]; readonly isIdle: boolean };

const lookUp = async (db: Database, asked: readonly Asked[], mostUpcoming: number): Promise<Known[]> => {
  const rows = await db.$queryRaw<Row[]>`
    SELECT
      ARRAY(SELECT v.video_id::text FROM videos AS v WHERE v.feed_id = f.id AND v.video_id = ANY (f.ids)) AS known,
      ARRAY(SELECT v.video_id::text FROM videos AS v WHERE v.feed_id = f.id AND v.ask_at <= now()
        ORDER BY v.ask_at LIMIT ${mostUpcoming}::int) AS upcoming,
      NOT EXISTS (SELECT FROM monitors AS m
        WHERE m.feed_id = f.id AND m.told_pause IS DISTINCT FROM 'tier_limit') AS "isIdle"
    FROM (
      SELECT (a ->> 'feedId')::uuid AS id, ARRAY(SELECT jsonb_array_elements_text(a -> 'ids'))::char(11)[] AS ids, place
      FROM jsonb_array_elements(${JSON.stringify(asked)}::jsonb) WITH ORDINALITY AS given (a, place)
    ) AS f ORDER BY f.place`;
  return rows.map(({ known, ...row }) => ({ ...row, known: new Set(known) }));
};

/**
 * What is known of feeds, for all that are read at the same time in one statement: each by itself would want a connection, and
 * who waits too long for one has read a feed in vain.
 */
export const createLookUps = (db: Database, mostUpcoming: number) =>
  createBatcher({
    ...TOGETHER,
    call: retryThenSplit((asked: readonly Asked[]) => lookUp(db, asked, mostUpcoming), {
      isTransient: isDatabaseAway,
      giveUp: (error) => error,
    }),
  });
export type LookUps = ReturnType<typeof createLookUps>;
