import type { BookCheck } from './check.ts';

type Lane = { readonly lane: number; readonly held: number; readonly running: number };

const LANES = [
  { name: 'reads', most: Number(process.env.PLACES_FOR_READS ?? 32) },
  { name: 'jobs', most: Number(process.env.PLACES_FOR_JOBS ?? 24) },
];

/**
 * What living workers hold now, and the most fetches of the last day that ran at once. A fetch leaves its place before its end is saved,
 * together with others or when its database is back: so the last ten seconds of each do not count.
 */
const PLACES = `
  WITH marks AS (
    SELECT lane, begun_at AS at, 1 AS step FROM fetches WHERE ended_at - begun_at > interval '10 seconds' AND begun_at > now() - interval '1 day'
    UNION ALL
    SELECT lane, ended_at - interval '10 seconds', -1 FROM fetches
    WHERE ended_at - begun_at > interval '10 seconds' AND begun_at > now() - interval '1 day'),
  at_once AS (
    SELECT lane, max(running)::int AS most FROM (
      SELECT lane, sum(step) OVER (PARTITION BY lane ORDER BY at, step) AS running FROM marks) AS each GROUP BY lane)
  SELECT n - 1 AS lane, coalesce((SELECT sum(places[n]) FROM workers WHERE alive_until > now()), 0)::int AS held,
    coalesce((SELECT most FROM at_once WHERE lane = n - 1), 0) AS running
  FROM generate_series(1, 2) AS n ORDER BY n`;

export const placesCheck: BookCheck = {
  invariant: 'limits',
  promise: 'all instances together fetch no more at once than there are places',
  look: async ({ rows, atRest }) =>
    (await rows<Lane>('transcript-fetcher', PLACES)).flatMap(({ lane, held, running }) => {
      const { name, most } = LANES[lane] as (typeof LANES)[number];
      const subject = `places for ${name}`;
      const expected = `${most} at most`;
      return [
        ...(held > most
          ? [{ subject, what: 'places that living workers hold', expected, found: `${held}` }]
          : []),
        // A system that was hurt saves ends late: how long they waited for their database is not known.
        ...(!atRest && running > most
          ? [{ subject, what: 'fetches at once', expected, found: `${running}` }]
          : []),
      ];
    }),
};
