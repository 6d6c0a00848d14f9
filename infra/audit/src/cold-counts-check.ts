import type { BookCheck } from './check.ts';

/**
 * Of five whole days, so that nothing is being purged. Keys of a chain of rotations share a count, so only the sum is
 * compared. Charged operations have been counted for certain; an operation that was refused or died early may be uncounted,
 * and one that fetches a lost transcript again is none of the caller's.
 */
const COUNTED = `
  WITH since AS (SELECT (now() AT TIME ZONE 'UTC')::date - 5 AS day)
  SELECT
    (SELECT coalesce(sum(count), 0)::int FROM cold_counts, since WHERE scope LIKE 'key:%' AND cold_counts.day >= since.day)
      AS counted,
    count(*) FILTER (WHERE charge > 0)::int AS charged,
    count(*) FILTER (WHERE fetch_id IS NOT NULL OR disowned_at IS NULL)::int AS opened
  FROM operations, since WHERE created_at >= since.day::timestamp AT TIME ZONE 'UTC'`;

type Counts = { counted: number; charged: number; opened: number };

export const coldCountsCheck: BookCheck = {
  invariant: 'limits',
  promise: 'every cold fetch is counted, and no more than that',
  look: async ({ rows }) => {
    const [counts] = await rows<Counts>('transcript-fetcher', COUNTED);
    if (!counts) return [];
    const { counted, charged, opened } = counts;
    if (counted >= charged && counted <= opened) return [];
    const expected = `${charged} to ${opened}`;
    return [
      { subject: 'cold_counts of all keys', what: 'counted cold fetches', expected, found: `${counted}` },
    ];
  },
};
