import { type Purge, type PurgeOptions, purgeEach } from '@tds/service-kit';
import { CONTINUATION_KEPT_MS, DAY_MS, earlier } from '../domain/durations.ts';
import type { Database } from './database.ts';

/** Longer than anybody walks through a listing. */
const LISTINGS_KEPT_MS = 2 * DAY_MS;
const VIDEOS_KEPT_MS = 30 * DAY_MS;
const LISTS_KEPT_MS = 30 * DAY_MS;
const COUNTS_KEPT_MS = 2 * DAY_MS;

/** A listing goes with all its pages, of which one has hundreds: few at a time. */
const LISTINGS_PART = 20;

const listings =
  (db: Database, before: Date): Purge =>
  async (limit) => {
    const deleted = await db.$executeRaw`
    DELETE FROM listings WHERE id IN (
      SELECT id FROM listings WHERE created_at < ${before} AND state <> 'open'
      ORDER BY created_at LIMIT ${Math.ceil(limit / LISTINGS_PART)} FOR UPDATE)`;
    return deleted * LISTINGS_PART;
  };

const searches =
  (db: Database, before: Date): Purge =>
  (limit) =>
    db.$executeRaw`
    DELETE FROM searches WHERE id IN (
      SELECT id FROM searches WHERE created_at < ${before}
        AND (state = 'delivered' OR (state = 'failed' AND settlement IS NOT NULL))
      ORDER BY created_at LIMIT ${limit} FOR UPDATE)`;

const walks =
  (db: Database, before: Date): Purge =>
  (limit) =>
    db.$executeRaw`
    DELETE FROM walks WHERE (key_id, playlist_id, contents) IN (
      SELECT key_id, playlist_id, contents FROM walks WHERE begun_at < ${before} ORDER BY begun_at LIMIT ${limit} FOR UPDATE)`;

const channelNames =
  (db: Database, now: Date): Purge =>
  (limit) =>
    db.$executeRaw`
    DELETE FROM channel_names WHERE name IN (
      SELECT name FROM channel_names WHERE expires_at < ${now} ORDER BY expires_at LIMIT ${limit} FOR UPDATE)`;

/** What a list that is still kept may need stays as long as the list. */
const knownVideos =
  (db: Database, before: Date): Purge =>
  (limit) =>
    db.$executeRaw`
    DELETE FROM known_videos WHERE id IN (
      SELECT id FROM known_videos WHERE checked_at < ${before} ORDER BY checked_at LIMIT ${limit} FOR UPDATE)`;

const videoLists =
  (db: Database, before: Date): Purge =>
  (limit) =>
    db.$executeRaw`
    DELETE FROM video_lists WHERE key IN (
      SELECT key FROM video_lists WHERE used_at < ${before} ORDER BY used_at LIMIT ${limit} FOR UPDATE)`;

const dayCounts =
  (db: Database, before: Date): Purge =>
  (limit) =>
    db.$executeRaw`
    DELETE FROM day_counts WHERE (scope, day) IN (
      SELECT scope, day FROM day_counts WHERE day < ${before}::date ORDER BY day LIMIT ${limit} FOR UPDATE)`;

const countedInputs =
  (db: Database, before: Date): Purge =>
  (limit) =>
    db.$executeRaw`
    DELETE FROM counted_inputs WHERE (scope, day, input) IN (
      SELECT scope, day, input FROM counted_inputs WHERE day < ${before}::date ORDER BY day LIMIT ${limit} FOR UPDATE)`;

const proxySpending =
  (db: Database, before: Date): Purge =>
  (limit) =>
    db.$executeRaw`
    DELETE FROM proxy_spending WHERE scope IN (
      SELECT scope FROM proxy_spending WHERE day < ${before}::date LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;

/** Deletes what no rule looks at any more, in statements that are short however much has gathered. */
export const purgeOld = (db: Database, now: Date, options: PurgeOptions): Promise<Record<string, number>> =>
  purgeEach(
    {
      listings: listings(db, earlier(now, LISTINGS_KEPT_MS)),
      searches: searches(db, earlier(now, CONTINUATION_KEPT_MS)),
      walks: walks(db, earlier(now, LISTINGS_KEPT_MS)),
      channelNames: channelNames(db, now),
      videoLists: videoLists(db, earlier(now, LISTS_KEPT_MS)),
      knownVideos: knownVideos(db, earlier(now, VIDEOS_KEPT_MS + LISTS_KEPT_MS)),
      dayCounts: dayCounts(db, earlier(now, COUNTS_KEPT_MS)),
      proxySpending: proxySpending(db, earlier(now, COUNTS_KEPT_MS)),
      countedInputs: countedInputs(db, earlier(now, COUNTS_KEPT_MS)),
    },
    options,
  );
