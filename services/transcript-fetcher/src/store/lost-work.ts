/** A read's credit is asked for within this time of its birth, or never. */
export const LONGEST_OPENING_SECONDS = 20;

/** When something of what a death leaves may be there: a fetch that somebody works on, and rows that wait for their turn, at any time. */
export const FIRST_LOST = `
  SELECT min(at) FROM (
    (SELECT due_at AS at FROM dues ORDER BY due_at LIMIT 1)
    UNION ALL
    (SELECT created_at + interval '${LONGEST_OPENING_SECONDS} s' FROM operations WHERE state = 'opened' ORDER BY created_at LIMIT 1)
    UNION ALL
    (SELECT begun_at FROM fetches WHERE state = 'open' LIMIT 1)
    UNION ALL
    (SELECT turn FROM turns WHERE in_line ORDER BY lane, turn LIMIT 1)
  ) AS left_behind`;
