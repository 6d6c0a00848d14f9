import type { Purge } from '@tds/service-kit';
import type { Database } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Longer than anybody begins to watch what was read before. */
const KEPT_MINUTES = 60;

/** Nobody watches it, nor is about to. */
const isLeft = Prisma.sql`f.watchers = 0 AND (f.lease_until IS NULL OR f.lease_until <= now())
  AND coalesce(f.checked_at, '-infinity') < now() - ${KEPT_MINUTES}::int * interval '1 minute'`;

/** What nobody watches: its videos first, some at a time, then itself. Whoever watches a source later begins anew. */
export const purgesOf = (db: Database) =>
  ({
    videos: (limit) => db.$executeRaw`
      DELETE FROM videos WHERE (feed_id, video_id) IN (
        SELECT v.feed_id, v.video_id FROM feeds AS f JOIN videos AS v ON v.feed_id = f.id
        WHERE ${isLeft} LIMIT ${limit}::int)`,
    feeds: (limit) => db.$executeRaw`
      DELETE FROM feeds WHERE watchers = 0 AND id IN (
        SELECT id FROM feeds AS f
        WHERE ${isLeft} AND NOT EXISTS (SELECT FROM videos WHERE feed_id = f.id)
        ORDER BY id LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`,
  }) satisfies Readonly<Record<string, Purge>>;
