import { withClient } from '@tds/servers';
import { until } from './databases.ts';

export const FEED_SIZE = 15;

const INDEX_DIGITS = 6;
const VIDEO_DIGITS = 4;

/** The n-th video of a source, on the platform and in the database. */
export const filledVideoId = (source: number, index: number): string =>
  `v${String(source).padStart(INDEX_DIGITS, '0')}${String(index).padStart(VIDEO_DIGITS, '0')}`;

export type MonitorFill = {
  readonly url: string;
  readonly sources: number;
  readonly monitors: number;
  /** Seconds within which the sources become due, one after the other. */
  readonly withinSeconds: number;
};

const FEEDS = `
  INSERT INTO feeds (id, kind, source_id, title, watchers, checked_at, due_at)
  SELECT gen_random_uuid(), 'channel', 'UC' || lpad(n::text, 22, '0'), 'A channel', 0,
    now() - interval '15 minutes', now() + n::float8 / $1 * $2 * interval '1 second'
  FROM generate_series(1, $1::int) AS n`;
const VIDEOS = `
  INSERT INTO videos (feed_id, video_id, title, published_at, found_at)
  SELECT id, 'v' || right(source_id, ${INDEX_DIGITS}) || lpad(n::text, ${VIDEO_DIGITS}, '0'), 'A video', now(), now()
  FROM feeds, generate_series(0, ${FEED_SIZE - 1}) AS n`;
const MONITORS = `
  INSERT INTO monitors (id, account_id, feed_id, kind, source_id, auto_fetch, language, fallback, created_at, uses_webhook,
    baseline, emitted, fetched, due_at)
  SELECT gen_random_uuid(), gen_random_uuid(), f.id, f.kind, f.source_id, false, 'en', true, now(), false,
    0, 0, 0, now() + interval '1 day'
  FROM generate_series(0, $1::int - 1) AS n JOIN feeds AS f ON f.source_id = 'UC' || lpad((n % $2::int + 1)::text, 22, '0')`;
const ACTIONS = `INSERT INTO actions (id, account_id, due_at) SELECT id, account_id, due_at FROM monitors`;
const WATCHERS = `
  UPDATE feeds AS f SET watchers = m.count
  FROM (SELECT feed_id, count(*) FROM monitors GROUP BY feed_id) AS m WHERE m.feed_id = f.id`;

/** Sources that are left would be read beside later rounds and benchmarks. */
export const deleteMonitors = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    for (const table of ['monitors', 'feeds']) await client.query(`DELETE FROM ${table}`);
  });

/** Monitors of as many accounts, spread over sources whose videos are all known. Returns when each source is due, in ms since 1970. */
export const fillMonitors = ({ url, sources, monitors, withinSeconds }: MonitorFill) =>
  withClient(url, async (client): Promise<Map<string, number>> => {
    await client.query('BEGIN');
    await client.query(FEEDS, [sources, withinSeconds]);
    await client.query(VIDEOS);
    await client.query(MONITORS, [monitors, sources]);
    await client.query(ACTIONS);
    await client.query(WATCHERS);
    // Writing takes seconds, which must not count as lateness.
    await client.query(`UPDATE feeds SET due_at = due_at + (clock_timestamp() - now())`);
    const { rows } = await client.query<{ source: string; due: Date }>(
      'SELECT source_id AS source, due_at AS due FROM feeds',
    );
    await client.query('COMMIT');
    return new Map(rows.map(({ source, due }) => [source, due.getTime()]));
  });

const READ = { everyMs: 250, withinMs: 300_000 };

/** Waits until all are due in their next cadence. Throws if a read failed. */
export const untilRead = (url: string): Promise<void> =>
  withClient(url, (client) =>
    until(async () => {
      const { rows } = await client.query<{ left: number; failed: number; numbered: number }>(
        `SELECT count(*) FILTER (WHERE due_at < now() + interval '10 minutes')::int AS left,
           count(*) FILTER (WHERE failures > 0)::int AS failed, sum(last_number)::int AS numbered FROM feeds`,
      );
      const [{ left, failed, numbered } = { left: 1, failed: 0, numbered: 0 }] = rows;
      if (failed + numbered > 0) throw new Error(`${failed} sources failed, ${numbered} old videos are new`);
      return left === 0 ? null : `${left} sources were not read`;
    }, READ),
  );
