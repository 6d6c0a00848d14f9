import { type Monitor, type MonitorVideo, utcDay } from '@tds/contracts';
import { decidePauseReason, type PauseCauses } from '../domain/cadence.ts';
import { contentsOf } from '../domain/source.ts';
import type { Db } from './database.ts';
import { PLACE } from './monitor-turns.ts';
import type { OwnedMonitor } from './monitors.ts';
import { Prisma } from './prisma/client.ts';

/** The times of a monitor are texts outside. */
type Times = {
  readonly last_checked_at: Date | null;
  readonly next_check_at: Date | null;
  readonly created_at: Date;
  readonly cancelled_at: Date | null;
};
type MonitorRow = Omit<Monitor, keyof Times | 'contents' | 'status' | 'pause_reason' | 'consecutive_failures'> &
  Times & { readonly causes: PauseCauses };

const view = Prisma.sql`
  SELECT replace(m.id::text, '-', '') AS id, CASE m.kind WHEN 'channel' THEN m.source_id END AS channel,
    CASE m.kind WHEN 'playlist' THEN m.source_id END AS playlist, coalesce(f.title, m.title) AS title, m.auto_fetch, m.words, m.mail,
    m.mail_only_matches, m.language, m.fallback, m.webhook_url, m.receivers::text[] AS receivers, m.key_id, coalesce(m.found_before, f.last_number - m.baseline) AS new_videos,
    coalesce(m.checked_before, f.checked_at) AS last_checked_at, f.due_at AS next_check_at,
    coalesce(f.last_error, m.job_error) AS last_error, m.created_at, m.cancelled_at, m.person_id,
    jsonb_build_object('keyRevoked', m.key_revoked, 'tier', a.tier, 'usesWebhook', m.uses_webhook,
      'hasWebhook', coalesce(a.has_webhook, false), 'failures', coalesce(f.failures, 0), 'lacksCredits', m.lacks_credits,
      'place', CASE WHEN m.cancelled_at IS NULL THEN ${PLACE} ELSE 0 END) AS causes
  FROM monitors AS m LEFT JOIN feeds AS f ON f.id = m.feed_id LEFT JOIN accounts AS a ON a.id = m.account_id`;

const toPhase = ({ cancelled_at, causes }: MonitorRow): Pick<Monitor, 'status' | 'pause_reason'> => {
  if (cancelled_at !== null) return { status: 'cancelled', pause_reason: null };
  const reason = decidePauseReason(causes);
  return { status: reason === null ? 'active' : 'paused', pause_reason: reason };
};

const toMonitor = ({ causes, ...row }: MonitorRow): Monitor => ({
  ...row,
  contents: contentsOf(row.playlist),
  ...toPhase({ causes, ...row }),
  consecutive_failures: causes.failures,
  last_checked_at: row.last_checked_at?.toISOString() ?? null,
  next_check_at: row.next_check_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  cancelled_at: row.cancelled_at?.toISOString() ?? null,
});

type VideoRow = Omit<MonitorVideo, 'published_at' | 'found_at'> & {
  readonly published_at: Date | null;
  readonly found_at: Date;
};

const toMonitorVideo = ({ published_at, found_at, ...video }: VideoRow): MonitorVideo => ({
  ...{ ...video, published_at: published_at && utcDay(published_at), found_at: found_at.toISOString() },
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

/** The videos that a monitor has found, newest first, of one that has ended the last ones; null if it does not exist. */
export const findMonitorVideos = async (
  db: Db,
  { accountId, id }: OwnedMonitor,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly videos: MonitorVideo[]; readonly total: number } | null> => {
  const [monitor] = await db.$queryRaw<{ feedId: string | null; baseline: number; total: number }[]>`
    SELECT m.feed_id AS "feedId", m.baseline, coalesce(f.last_number - m.baseline, jsonb_array_length(m.last_videos), 0) AS total
    FROM monitors AS m LEFT JOIN feeds AS f ON f.id = m.feed_id
    WHERE m.id = ${id}::uuid AND m.account_id = ${accountId}::uuid`;
  if (monitor === undefined) return null;
  const { feedId, baseline, total } = monitor;
  const rows = await db.$queryRaw<VideoRow[]>`
    WITH found AS (
      SELECT v.video_id::text, v.number, v.title, v.published_at, v.found_at FROM videos AS v
      WHERE v.feed_id = ${feedId}::uuid AND v.number > ${baseline}::int
      UNION ALL
      SELECT v.* FROM monitors AS m, jsonb_to_recordset(m.last_videos)
        AS v (video_id text, number int, title text, published_at timestamptz, found_at timestamptz)
      WHERE m.id = ${id}::uuid AND m.feed_id IS NULL)
    SELECT v.video_id, v.title, v.published_at, v.found_at, (
      SELECT j.job_id::text FROM monitor_jobs AS j
      WHERE j.monitor_id = ${id}::uuid AND j.up_to >= v.number AND j.after < v.number ORDER BY j.up_to LIMIT 1) AS job_id
    FROM found AS v ORDER BY v.number DESC LIMIT ${limit}::int OFFSET ${offset}::int`;
  return { videos: rows.map(toMonitorVideo), total };
};

export const countAllMonitors = (db: Db, accountId: string): Promise<number> =>
  db.monitor.count({ where: { accountId } });
