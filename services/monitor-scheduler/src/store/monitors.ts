import { randomUUID } from 'node:crypto';
import { MAX_LISTED_MONITORS, type MonitorMail, type NewVideo, type WordsWatch } from '@tds/contracts';
import type { Source } from '../domain/source.ts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** A monitor with its owner: other accounts cannot see it. */
export type OwnedMonitor = { readonly accountId: string; readonly id: string };
/** What the jobs of a monitor take from it. */
export type JobSettings = OwnedMonitor & {
  readonly language: string;
  readonly fallback: boolean;
  readonly webhookUrl: string | null;
  /** Those that it names. */
  readonly receivers: string[];
  /** The key that gave this URL, if it is another one than the key that has the monitor. */
  readonly webhookKeyId: string | null;
  readonly keyId: string | null;
  readonly personId: string | null;
  /** What the platform calls its source. */
  readonly title: string | null;
};

/** The monitor of an idempotency key; null if the key is new. */
export const findMonitorByKey = async (db: Db, accountId: string, key: string): Promise<string | null> =>
  (await db.monitorKey.findUnique({ where: { accountId_key: { accountId, key } } }))?.monitorId ?? null;

export const saveKey = (tx: Db, accountId: string, key: string, monitorId: string) =>
  tx.monitorKey.create({ data: { accountId, key, monitorId } });

/** The active monitor of an account for this source. */
export const findMonitorBySource = async (
  db: Db,
  accountId: string,
  source: Source,
): Promise<string | null> => {
  const where = { accountId, kind: source.kind, sourceId: source.id, cancelledAt: null };
  return (await db.monitor.findFirst({ where, select: { id: true } }))?.id ?? null;
};

export const countMonitors = (db: Db, accountId: string): Promise<number> =>
  db.monitor.count({ where: { accountId, cancelledAt: null } });

export const findActiveMonitorIds = async (tx: Db, accountId: string): Promise<string[]> =>
  (await tx.monitor.findMany({ where: { accountId, cancelledAt: null }, select: { id: true } })).map(
    ({ id }) => id,
  );

/** What its owner can change. */
export type MonitorSettings = {
  readonly autoFetch: boolean;
  readonly words: string[];
  readonly mail: MonitorMail;
  readonly mailOnlyMatches: boolean;
};

type NewMonitor = Omit<JobSettings, 'id' | 'webhookKeyId' | 'title'> &
  MonitorSettings & {
    readonly feedId: string;
    readonly source: Source;
    readonly usesWebhook: boolean;
    /** Number of the last video that is not new for it. */
    readonly baseline: number;
  };

/** Requires the feed lock: the monitor is created after all earlier changes of the feed. */
export const insertMonitor = async (tx: Db, monitor: NewMonitor): Promise<string> => {
  const id = randomUUID();
  const { accountId, feedId, source, usesWebhook, baseline } = monitor;
  await tx.$executeRaw`
    INSERT INTO monitors (id, account_id, feed_id, kind, source_id, auto_fetch, words, mail, mail_only_matches, language, fallback, webhook_url, receivers,
      key_id, person_id, uses_webhook, baseline, emitted, fetched, created_at, due_at)
    VALUES (${id}::uuid, ${accountId}::uuid, ${feedId}::uuid, ${source.kind}, ${source.id}, ${monitor.autoFetch}, ${monitor.words}::text[], ${monitor.mail}, ${monitor.mailOnlyMatches}, ${monitor.language},
      ${monitor.fallback}, ${monitor.webhookUrl}, ${monitor.receivers}::uuid[], ${monitor.keyId}::uuid, ${monitor.personId}::uuid, ${usesWebhook}, ${baseline}, ${baseline}, ${baseline}, clock_timestamp(), now())`;
  await tx.$executeRaw`
    INSERT INTO actions (id, account_id, due_at) VALUES (${id}::uuid, ${accountId}::uuid, now())`;
  return id;
};

/** Null if the monitor does not exist or is cancelled. */
export const findFeedId = async (tx: Db, { accountId, id }: OwnedMonitor): Promise<string | null> =>
  (await tx.monitor.findFirst({ where: { accountId, id }, select: { feedId: true } }))?.feedId ?? null;

/** So many of its newest videos stay listed when it has ended. */
const LAST_VIDEOS = 100;

/** Cancels a monitor and its action, and deletes the oldest cancelled ones beyond the listed number. Copies the results of its feed, which may be deleted. */
export const cancelMonitor = async (tx: Db, { accountId, id }: OwnedMonitor) => {
  await tx.$executeRaw`
    UPDATE monitors AS m SET cancelled_at = now(), feed_id = NULL, found_before = f.last_number - m.baseline,
      checked_before = f.checked_at, title = f.title, last_videos = (
        SELECT jsonb_agg(to_jsonb(v) ORDER BY v.number DESC) FROM (
          SELECT video_id, number, title, published_at, found_at FROM videos
          WHERE feed_id = m.feed_id AND number > m.baseline ORDER BY number DESC LIMIT ${LAST_VIDEOS}::int) AS v),
      due_at = 'infinity', lease_until = NULL,
      lease_epoch = m.lease_epoch + 1
    FROM feeds AS f
    WHERE m.id = ${id}::uuid AND m.account_id = ${accountId}::uuid AND f.id = m.feed_id`;
  await tx.action.deleteMany({ where: { id } });
  await tx.$executeRaw`
    DELETE FROM monitors WHERE id IN (
      SELECT id FROM monitors WHERE account_id = ${accountId}::uuid AND cancelled_at IS NOT NULL
      ORDER BY cancelled_at DESC, id OFFSET ${MAX_LISTED_MONITORS}::int)`;
};

/** Null if the monitor does not exist. */
export const findJobSettings = async (db: Db, { accountId, id }: OwnedMonitor): Promise<JobSettings | null> => {
  const found = await db.monitor.findFirst({
    where: { accountId, id },
    select: {
      ...{ id: true, accountId: true, language: true, fallback: true, title: true },
      ...{ webhookUrl: true, receivers: true, webhookKeyId: true, keyId: true, personId: true },
      feed: { select: { title: true } },
    },
  });
  return found && { ...found, title: found.feed?.title ?? found.title };
};

type MonitorJob = {
  readonly monitorId: string;
  readonly jobId: string;
  /** The job has the videos with numbers above `after`, up to `upTo`. */
  readonly after: number;
  readonly upTo: number;
};

export const saveJob = (tx: Db, job: MonitorJob) =>
  tx.monitorJob.createMany({ data: [job], skipDuplicates: true });

/** The monitor and the videos of a job; null if no monitor has it. */
export const findMonitorJob = (db: Db, { accountId, jobId }: { accountId: string; jobId: string }) =>
  db.monitorJob.findFirst({
    where: { jobId, monitor: { accountId } },
    select: { monitorId: true, after: true, upTo: true, monitor: { select: { feedId: true } } },
  });

/** The videos of a job have another one. */
export const replaceJob = (
  db: Db,
  { monitorId, upTo }: Pick<MonitorJob, 'monitorId' | 'upTo'>,
  jobId: string,
) => db.monitorJob.updateMany({ where: { monitorId, upTo }, data: { jobId } });

/** The monitors of an account use its webhook from now on. */
export const useWebhook = (tx: Db, accountId: string) =>
  tx.monitor.updateMany({ where: { accountId, cancelledAt: null }, data: { usesWebhook: true } });

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
export const saveEmittedUpTo = (tx: Db, id: string, upTo: number) =>
  tx.$executeRaw`
    UPDATE monitors SET emitted = greatest(emitted, ${upTo}::int) WHERE id = ${id}::uuid AND cancelled_at IS NULL`;

/** Saves the end of a batch of which no part has a job. It may come before the events of earlier jobs. */
export const saveBatch = (tx: Db, id: string, { after, upTo }: { after: number; upTo: number }) =>
  tx.$executeRaw`
    UPDATE monitors SET fetching = greatest(fetching, ${upTo}::int) WHERE id = ${id}::uuid AND fetched <= ${after}::int`;

/** Saves that videos up to this number have jobs. Returns false if the monitor does not exist. */
export const saveFetchedUpTo = async (tx: Db, id: string, upTo: number): Promise<boolean> =>
  (await tx.$executeRaw`
    UPDATE monitors SET fetched = greatest(fetched, ${upTo}::int),
      fetching = CASE WHEN fetching > greatest(fetched, ${upTo}::int) THEN fetching END
    WHERE id = ${id}::uuid`) > 0;

/** `mailOfEvent` of a monitor. */
export const MAIL = Prisma.sql`CASE m.mail WHEN 'weekly' THEN 'daily' ELSE m.mail END AS mail, m.mail = 'weekly' AS weekly`;

/** Those of these monitors that look for words. */
export const findWatches = async (db: Db, ids: readonly string[]): Promise<WordsWatch[]> =>
  db.$queryRaw<WordsWatch[]>`
    SELECT m.account_id AS "accountId", replace(m.id::text, '-', '') AS "monitorId", coalesce(f.title, m.title) AS title,
      CASE m.kind WHEN 'channel' THEN m.source_id END AS channel, CASE m.kind WHEN 'playlist' THEN m.source_id END AS playlist,
      m.webhook_url AS "webhookUrl", coalesce(m.webhook_key_id, m.key_id) AS "webhookKeyId", m.receivers::text[] AS "receiverIds", ${MAIL},
      m.person_id AS "personId", m.words
    FROM monitors AS m LEFT JOIN feeds AS f ON f.id = m.feed_id
    WHERE m.id = ANY (${ids}::uuid[]) AND m.cancelled_at IS NULL AND cardinality(m.words) > 0`;
