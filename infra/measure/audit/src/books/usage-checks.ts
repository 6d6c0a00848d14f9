/** Invariants between key days and the rest. Every query answers breaches: account, what, expected, found. */
export const keyDayChecks: readonly string[] = [
  // Charges and counts, recomputed from the entries alone.
  `SELECT account_id AS account, format('entries of key %s on %s', key_id, day) AS what,
          coalesce(e.said, 'none') AS expected, coalesce(k.said, 'none') AS found
   FROM (
     SELECT account_id, (created_at AT TIME ZONE 'UTC')::date AS day,
            coalesce(key_id, '00000000-0000-0000-0000-000000000000') AS key_id,
            format('%s reserved, %s settled (%s of jobs, %s searches), %s released, %s lines, %s credits charged',
                   count(*) FILTER (WHERE kind = 'reserve'),
                   coalesce(sum(cardinality(items)) FILTER (WHERE kind IN ('settle', 'charge')), 0),
                   coalesce(sum(cardinality(items)) FILTER (WHERE kind IN ('settle', 'charge') AND job_id IS NOT NULL), 0),
                   coalesce(sum(cardinality(items)) FILTER (WHERE kind IN ('settle', 'charge') AND reason = 'search'), 0),
                   count(*) FILTER (WHERE kind = 'release'), count(line),
                   coalesce(-sum(reserved_delta) FILTER (WHERE kind = 'settle'), 0)
                   + coalesce(-sum(free_delta + purchased_delta) FILTER (WHERE kind = 'charge'), 0)) AS said
     FROM entries WHERE kind IN ('reserve', 'settle', 'release', 'charge', 'refund') GROUP BY 1, 2, 3
   ) AS e
   FULL JOIN (
     SELECT account_id, day, key_id, format('%s reserved, %s settled (%s of jobs, %s searches), %s released, %s lines, %s credits charged',
                                            reserved, settled, job_rows, search_pages, released, lines, credits_charged) AS said
     FROM key_days
   ) AS k USING (account_id, day, key_id)
   WHERE e.said IS DISTINCT FROM k.said`,

  // The credits that daily caps count, recomputed from reservations and from charges without one.
  `SELECT account_id AS account, format('credits used by key %s on %s', key_id, day) AS what,
          coalesce(r.credits, 0)::text AS expected, coalesce(k.credits_used, 0)::text AS found
   FROM (
     SELECT account_id, (created_at AT TIME ZONE 'UTC')::date AS day,
            coalesce(key_id, '00000000-0000-0000-0000-000000000000') AS key_id, sum(credits) AS credits
     FROM (
       SELECT account_id, created_at, key_id, unit * (
                SELECT count(*) FROM unnest(items_of(items)) AS n WHERE NOT has_item(released, n)
              ) AS credits
       FROM reservations WHERE account_id IS NOT NULL
       UNION ALL
       SELECT account_id, created_at, key_id, -free_delta - purchased_delta FROM entries WHERE kind = 'charge'
     ) AS used
     GROUP BY 1, 2, 3
   ) AS r
   FULL JOIN key_days AS k USING (account_id, day, key_id)
   WHERE coalesce(r.credits, 0) <> coalesce(k.credits_used, 0)`,

  // Counts of gateways: a request is a hit, a failure, or neither.
  `SELECT account_id AS account, format('requests of key %s on %s', key_id, day) AS what,
          format('at least %s hits and %s failures', cache_hits, failures) AS expected, requests::text AS found
   FROM usage_days WHERE cache_hits + failures > requests`,
];

/** Invariants of months. Every query answers breaches: account, what, expected, found. */
export const monthChecks: readonly string[] = [
  // A ref is looked up in its month only.
  `SELECT account_id AS account, 'month of the reservation ' || ref AS what, month_of_ref(ref)::text AS expected,
          ref_month::text AS found
   FROM reservations WHERE ref_month <> month_of_ref(ref)`,

  // Each month of an account begins after the lines of earlier months.
  `SELECT account_id AS account, 'lines before ' || period AS what, before::text AS expected, lines_before::text AS found
   FROM (
     SELECT account_id, period, m.lines_before, coalesce(max(e.last) OVER (
              PARTITION BY account_id ORDER BY period ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), 0) AS before
     FROM account_months AS m FULL JOIN (
       SELECT account_id, period, max(line) AS last FROM entries GROUP BY account_id, period
     ) AS e USING (account_id, period)
   ) AS m
   WHERE lines_before < before`,

  // A month is missing if its entries do not add up to the balance that the next month began with.
  `SELECT account_id AS account, 'lines of ' || period AS what, 'at most ' || until AS expected, last::text AS found
   FROM (
     SELECT account_id, period, lead(lines_before) OVER (PARTITION BY account_id ORDER BY period) AS until FROM account_months
   ) AS m
   JOIN (SELECT account_id, period, max(line) AS last FROM entries GROUP BY account_id, period) AS e USING (account_id, period)
   WHERE last > until`,

  // A seal is kept in the month of its entry.
  `SELECT account_id AS account, 'period of the seal of entry ' || version AS what, e.period::text AS expected,
          s.period::text AS found
   FROM entries AS e JOIN entry_seals AS s USING (account_id, version) WHERE e.period <> s.period`,
];
