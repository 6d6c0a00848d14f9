/** What must hold of months. Every query answers breaches: account, what, expected, found. */
export const monthChecks: readonly string[] = [
  // An account books in one month after the other, and never before the month that its clock showed.
  `SELECT account_id AS account, 'period of entry ' || version AS what,
          'not before ' || greatest(before, CASE WHEN period > '-infinity' THEN clock END) AS expected, period::text AS found
   FROM (
     SELECT account_id, version, period, date_trunc('month', created_at AT TIME ZONE 'UTC')::date AS clock,
            lag(period) OVER (PARTITION BY account_id ORDER BY version) AS before
     FROM entries
   ) AS e
   WHERE period < before OR (period > '-infinity' AND period < clock)`,

  // Whoever looks for a ref looks in its month only.
  `SELECT account_id AS account, 'month of the reservation ' || ref AS what, month_of_ref(ref)::text AS expected,
          ref_month::text AS found
   FROM reservations WHERE ref_month <> month_of_ref(ref)`,

  // Each month of an account begins after the lines of those before it.
  `SELECT m.account_id AS account, 'lines before ' || m.period AS what, e.last::text AS expected,
          m.lines_before::text AS found
   FROM account_months AS m CROSS JOIN LATERAL (
     SELECT coalesce(max(line), 0) AS last FROM entries WHERE account_id = m.account_id AND period < m.period
   ) AS e
   WHERE m.lines_before < e.last`,

  // A month is missing if its entries do not add up to what the next one began with.
  `SELECT account_id AS account, 'lines of ' || period AS what, 'at most ' || until AS expected, last::text AS found
   FROM (
     SELECT account_id, period, lead(lines_before) OVER (PARTITION BY account_id ORDER BY period) AS until,
            (SELECT max(line) FROM entries AS e WHERE e.account_id = m.account_id AND e.period = m.period) AS last
     FROM account_months AS m
   ) AS m
   WHERE last > until`,

  // What is sealed lies where its entry lies.
  `SELECT account_id AS account, 'period of the seal of entry ' || version AS what, e.period::text AS expected,
          s.period::text AS found
   FROM entries AS e JOIN entry_seals AS s USING (account_id, version) WHERE e.period <> s.period`,
];
