import type { monitorScheduler, ReplyOf } from '@tds/contracts';
import { publicId, storedId } from '../domain/ids.ts';
import type { Db } from './database.ts';
import type { ReaderFeed as FeedRow } from './prisma/client.ts';

type ReaderFeed = ReplyOf<typeof monitorScheduler.listFeeds>['feeds'][number];

const toFeeds = ({ feedId, monitorId, changedAt }: FeedRow): ReaderFeed[] =>
  feedId === null
    ? []
    : [{ id: feedId, monitor_id: monitorId && publicId(monitorId), created_at: changedAt.toISOString() }];

type FeedChange = Pick<ReaderFeed, 'monitor_id'> & {
  readonly accountId: string;
  readonly feedId: string | null;
};

/**
 * Gives a feed its id, or ends it: now, or after a restore at the time of then, unless it was changed later. Resolves to when; null if
 * there is no such monitor.
 */
export const saveFeed = async (
  tx: Db,
  { accountId, monitor_id, feedId }: FeedChange,
  changedAt: string | null = null,
): Promise<string | null> => {
  const monitorId = monitor_id && storedId(monitor_id);
  const [row] = await tx.$queryRaw<{ at: Date }[]>`
    INSERT INTO reader_feeds AS f (subject_id, account_id, monitor_id, feed_id, changed_at)
    SELECT coalesce(${monitorId}::uuid, ${accountId}::uuid), ${accountId}::uuid, ${monitorId}::uuid, ${feedId}::uuid,
      coalesce(${changedAt}::timestamptz, clock_timestamp())
    WHERE ${monitor_id === null} OR EXISTS (SELECT FROM monitors WHERE id = ${monitorId}::uuid AND account_id = ${accountId}::uuid)
    ON CONFLICT (subject_id) DO UPDATE SET feed_id = excluded.feed_id, changed_at = CASE
      WHEN ${changedAt === null} THEN greatest(excluded.changed_at, f.changed_at + interval '1 millisecond')
      ELSE excluded.changed_at END
    WHERE ${changedAt === null} OR f.changed_at < excluded.changed_at
    RETURNING changed_at AS at`;
  return row?.at.toISOString() ?? null;
};

export const findFeeds = async (db: Db, accountId: string): Promise<ReaderFeed[]> =>
  (await db.readerFeed.findMany({ where: { accountId }, orderBy: { changedAt: 'desc' } })).flatMap(toFeeds);

export const findFeed = async (db: Db, feedId: string) => {
  const row = await db.readerFeed.findUnique({ where: { feedId } });
  const [feed] = row === null ? [] : toFeeds(row);
  return row && feed ? { ...row, feed } : null;
};
