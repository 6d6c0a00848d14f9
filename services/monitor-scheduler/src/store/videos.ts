import type { Db } from './database.ts';

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
