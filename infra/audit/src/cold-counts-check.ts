import type { BookCheck } from './check.ts';

/**
 * Of five whole days, so that nothing is being purged. Keys of a slot share a count, so only sums are compared. What has begun for a
 * credit has been counted for certain, and what ended before its turn has not; a read that died before that may be counted still.
 */
const COUNTED = `
  WITH since AS (SELECT (now() AT TIME ZONE 'UTC')::date - 5 AS day),
  counted AS (
    SELECT coalesce(sum(count) FILTER (WHERE scope LIKE 'key:%'), 0)::int AS of_keys,
      coalesce(sum(count) FILTER (WHERE scope = 'pool:global'), 0)::int AS of_all
    FROM cold_counts JOIN since ON cold_counts.day >= since.day)
  SELECT of_keys, of_all, begun, opened FROM counted CROSS JOIN (
    SELECT count(*) FILTER (WHERE fetch_id IS NOT NULL)::int AS begun, count(*) FILTER (WHERE state <> 'cancelled')::int AS opened
    FROM operations JOIN since ON created_at >= since.day::timestamp AT TIME ZONE 'UTC' WHERE ref IS NOT NULL) AS rows`;

type Counts = { of_keys: number; of_all: number; begun: number; opened: number };

export const coldCountsCheck: BookCheck = {
  invariant: 'limits',
  promise: 'every cold fetch is counted, and no more than that',
  look: async ({ rows }) => {
    const [counts] = await rows<Counts>('transcript-fetcher', COUNTED);
    if (!counts) return [];
    const { of_keys: ofKeys, of_all: ofAll, begun, opened } = counts;
    const what = 'counted cold fetches';
    if (ofKeys !== ofAll)
      return [
        {
          subject: 'cold_counts of everybody',
          what,
          expected: `${ofKeys}, as of all keys`,
          found: `${ofAll}`,
        },
      ];
    if (ofKeys >= begun && ofKeys <= opened) return [];
    const expected = `${begun} to ${opened}`;
    return [{ subject: 'cold_counts of all keys', what, expected, found: `${ofKeys}` }];
  },
};
