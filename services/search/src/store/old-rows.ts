import { type AgingRows, type Purge, type PurgeOptions, purgeEach, purgeOlder } from '@tds/base';
import { DAY_MS } from '@tds/contracts';
import { CONTINUATION_KEPT_MS, earlier } from '../domain/durations.ts';
import type { Database } from './database.ts';

/** Longer than a walk through a listing takes. */
const LISTINGS_KEPT_MS = 2 * DAY_MS;
const VIDEOS_KEPT_MS = 30 * DAY_MS;
const LISTS_KEPT_MS = 30 * DAY_MS;
const COUNTS_KEPT_MS = 2 * DAY_MS;

/** A listing has hundreds of pages, which are deleted with it: few at a time. */
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

const SETTLED = `(state = 'delivered' OR (state = 'failed' AND settlement IS NOT NULL))`;

/** Deletes old rows in batches. */
export const purgeOld = (db: Database, now: Date, options: PurgeOptions): Promise<Record<string, number>> => {
  const purge = (rows: AgingRows, keptMs: number) => purgeOlder(db, rows, earlier(now, keptMs));
  return purgeEach(
    {
      listings: listings(db, earlier(now, LISTINGS_KEPT_MS)),
      searches: purge({ table: 'searches', age: 'created_at', where: SETTLED }, CONTINUATION_KEPT_MS),
      walks: purge({ table: 'walks', age: 'begun_at' }, LISTINGS_KEPT_MS),
      channelNames: purge({ table: 'channel_names', age: 'expires_at' }, 0),
      videoLists: purge({ table: 'video_lists', age: 'used_at' }, LISTS_KEPT_MS),
      // A video that a kept list may need stays as long as the list.
      knownVideos: purge({ table: 'known_videos', age: 'checked_at' }, VIDEOS_KEPT_MS + LISTS_KEPT_MS),
      dayCounts: purge({ table: 'day_counts', age: 'day' }, COUNTS_KEPT_MS),
      proxySpending: purge({ table: 'proxy_spending', age: 'day' }, COUNTS_KEPT_MS),
      countedInputs: purge({ table: 'counted_inputs', age: 'day' }, COUNTS_KEPT_MS),
    },
    options,
  );
};
