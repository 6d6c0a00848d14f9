import { type Purge, purgeOlder } from '@tds/base';
import type { Database } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Longer than creating a monitor of a feed takes. */
const RETENTION_MINUTES = 60;

/** SQL: feed `f` has no watcher and is not being read for one. */
const isUnwatched = Prisma.sql`f.watchers = 0 AND (f.lease_until IS NULL OR f.lease_until <= now())
  AND coalesce(f.checked_at, '-infinity') < now() - ${RETENTION_MINUTES}::int * interval '1 minute'`;

/** Deletes old counts, keys and cancelled monitors of a year ago, and unwatched feeds: their videos first, in batches, then the feeds. */
export const createPurges = (db: Database) =>
  ({
    days: purgeOlder(db, { table: 'creation_days', age: 'day' }, '2 days'),
    keys: purgeOlder(db, { table: 'monitor_keys', age: 'created_at' }, '1 year'),
    monitors: purgeOlder(db, { table: 'monitors', age: 'cancelled_at' }, '1 year'),
    videos: (limit) => db.$executeRaw`
      DELETE FROM videos WHERE ctid = ANY (ARRAY(
        SELECT v.ctid FROM feeds AS f JOIN videos AS v ON v.feed_id = f.id
        WHERE ${isUnwatched} LIMIT ${limit}::int))`,
    feeds: (limit) => db.$executeRaw`
      DELETE FROM feeds WHERE watchers = 0 AND id IN (
        SELECT id FROM feeds AS f
        WHERE ${isUnwatched} AND NOT EXISTS (SELECT FROM videos WHERE feed_id = f.id)
        ORDER BY id LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`,
  }) satisfies Readonly<Record<string, Purge>>;
