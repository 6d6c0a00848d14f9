/** What must hold of months. Every query answers breaches: account, what, expected, found. */
export const monthChecks: readonly string[] = [
  // Whoever looks for a ref looks in its month only.
  `SELECT account_id AS account, 'month of the reservation ' || ref AS what, month_of_ref(ref)::text AS expected,
          ref_month::text AS found
   FROM reservations WHERE ref_month <> month_of_ref(ref)`,

  // Each month of an account begins after the lines of those before it.
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

  // A month is missing if its entries do not add up to what the next one began with.
  `SELECT account_id AS account, 'lines of ' || period AS what, 'at most ' || until AS expected, last::text AS found
   FROM (
     SELECT account_id, period, lead(lines_before) OVER (PARTITION BY account_id ORDER BY period) AS until FROM account_months
   ) AS m
   JOIN (SELECT account_id, period, max(line) AS last FROM entries GROUP BY account_id, period) AS e USING (account_id, period)
   WHERE last > until`,

  // What is sealed lies where its entry lies.
  `SELECT account_id AS account, 'period of the seal of entry ' || version AS what, e.period::text AS expected,
          s.period::text AS found
   FROM entries AS e JOIN entry_seals AS s USING (account_id, version) WHERE e.period <> s.period`,
];
