import { type Monitor, type MonitorMail, type MonitorVideo, utcDay } from '@tds/contracts';
import { decidePauseReason, type PauseCauses } from '../domain/cadence.ts';
import type { Db } from './database.ts';
import { PLACE } from './monitor-turns.ts';
import type { JobSettings, OwnedMonitor } from './monitors.ts';
import { Prisma, type Video } from './prisma/client.ts';

type MonitorRow = PauseCauses &
  Omit<JobSettings, 'accountId' | 'webhookKeyId'> & {
    readonly kind: string;
    readonly sourceId: string;
    readonly title: string | null;
    readonly autoFetch: boolean;
    readonly words: string[];
    readonly mail: MonitorMail;
    readonly mailOnlyMatches: boolean;
    readonly found: number;
    readonly checkedAt: Date | null;
    readonly nextCheckAt: Date | null;
    readonly lastError: string | null;
    readonly createdAt: Date;
    readonly cancelledAt: Date | null;
  };

const view = Prisma.sql`
  SELECT replace(m.id::text, '-', '') AS id, m.kind, m.source_id AS "sourceId", coalesce(f.title, m.title) AS title,
    m.auto_fetch AS "autoFetch", m.words, m.mail, m.mail_only_matches AS "mailOnlyMatches", m.language, m.fallback, m.webhook_url AS "webhookUrl",
    m.key_id AS "keyId", m.person_id AS "personId", f.due_at AS "nextCheckAt",
    coalesce(m.found_before, f.last_number - m.baseline) AS found,
    coalesce(m.checked_before, f.checked_at) AS "checkedAt", coalesce(f.last_error, m.job_error) AS "lastError",
    m.created_at AS "createdAt", m.cancelled_at AS "cancelledAt", m.uses_webhook AS "usesWebhook",
    coalesce(a.has_webhook, false) AS "hasWebhook", coalesce(f.failures, 0) AS failures,
    m.lacks_credits AS "lacksCredits", m.key_revoked AS "keyRevoked", a.tier, CASE WHEN m.cancelled_at IS NULL THEN ${PLACE} ELSE 0 END AS place
  FROM monitors AS m LEFT JOIN feeds AS f ON f.id = m.feed_id LEFT JOIN accounts AS a ON a.id = m.account_id`;

const toPhase = (row: MonitorRow): Pick<Monitor, 'status' | 'pause_reason'> => {
  if (row.cancelledAt !== null) return { status: 'cancelled', pause_reason: null };
  const reason = decidePauseReason(row);
  return { status: reason === null ? 'active' : 'paused', pause_reason: reason };
};

const toMonitor = (row: MonitorRow): Monitor => ({
  id: row.id,
  ...toPhase(row),
  channel: row.kind === 'channel' ? row.sourceId : null,
  playlist: row.kind === 'playlist' ? row.sourceId : null,
  title: row.title,
  auto_fetch: row.autoFetch,
  words: row.words,
  mail: row.mail,
  mail_only_matches: row.mailOnlyMatches,
  language: row.language,
  fallback: row.fallback,
  webhook_url: row.webhookUrl,
  key_id: row.keyId,
  new_videos: row.found,
  last_checked_at: row.checkedAt?.toISOString() ?? null,
  next_check_at: row.nextCheckAt?.toISOString() ?? null,
  consecutive_failures: row.failures,
  last_error: row.lastError,
  created_at: row.createdAt.toISOString(),
  cancelled_at: row.cancelledAt?.toISOString() ?? null,
  person_id: row.personId,
});

type VideoRow = Pick<Video, 'videoId' | 'title' | 'publishedAt' | 'foundAt'> & {
  readonly jobId: string | null;
};

const toMonitorVideo = ({ videoId, title, publishedAt, foundAt, jobId }: VideoRow): MonitorVideo => ({
  video_id: videoId,
  title,
  published_at: publishedAt && utcDay(publishedAt),
  found_at: foundAt.toISOString(),
  job_id: jobId,
});

export const findMonitor = async (db: Db, accountId: string, id: string): Promise<Monitor | null> => {
  const [row] = await db.$queryRaw<MonitorRow[]>`
    ${view} WHERE m.account_id = ${accountId}::uuid AND m.id = ${id}::uuid`;
  return row ? toMonitor(row) : null;
};

/** Active monitors first; each group newest first, then by id. */
export const findMonitors = async (
  db: Db,
  accountId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Monitor[]> => {
  const rows = await db.$queryRaw<MonitorRow[]>`
    ${view} WHERE m.account_id = ${accountId}::uuid
    ORDER BY m.cancelled_at IS NOT NULL, m.created_at DESC, m.id LIMIT ${limit}::int OFFSET ${offset}::int`;
  return rows.map(toMonitor);
};

/** The videos that a monitor has found, newest first; null if it does not exist. */
export const findMonitorVideos = async (
  db: Db,
  { accountId, id }: OwnedMonitor,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly videos: MonitorVideo[]; readonly total: number } | null> => {
  const [monitor] = await db.$queryRaw<{ feedId: string | null; baseline: number; total: number }[]>`
    SELECT m.feed_id AS "feedId", m.baseline, coalesce(f.last_number - m.baseline, 0) AS total
    FROM monitors AS m LEFT JOIN feeds AS f ON f.id = m.feed_id
    WHERE m.id = ${id}::uuid AND m.account_id = ${accountId}::uuid`;
  if (monitor === undefined) return null;
  const { feedId, baseline, total } = monitor;
  const rows = await db.$queryRaw<VideoRow[]>`
    SELECT v.video_id::text AS "videoId", v.title, v.published_at AS "publishedAt", v.found_at AS "foundAt", (
      SELECT j.job_id::text FROM monitor_jobs AS j
      WHERE j.monitor_id = ${id}::uuid AND j.up_to >= v.number AND j.after < v.number ORDER BY j.up_to LIMIT 1) AS "jobId"
    FROM videos AS v WHERE v.feed_id = ${feedId}::uuid AND v.number > ${baseline}::int
    ORDER BY v.number DESC LIMIT ${limit}::int OFFSET ${offset}::int`;
  return { videos: rows.map(toMonitorVideo), total };
};

export const countAllMonitors = (db: Db, accountId: string): Promise<number> =>
  db.monitor.count({ where: { accountId } });
