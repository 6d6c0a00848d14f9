import { createBatcher, isDatabaseAway, retryThenSplit } from '@tds/service-kit';
import type { Database } from './database.ts';

type Asked = {
  readonly feedId: string;
  /** Of the videos that it shows now. */
  readonly ids: readonly string[];
};

export type Known = {
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
