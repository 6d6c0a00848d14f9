/** Invariants between an account and its entries. Every query answers breaches: account, what, expected, found. */
export const balanceChecks: readonly string[] = [
  // Balances, recomputed from the entries alone.
  `SELECT a.account_id AS account, b.bucket || ' credits of the account' AS what,
          b.expected::text AS expected, b.found::text AS found
   FROM accounts AS a LEFT JOIN (
     SELECT account_id, sum(free_delta) AS free, sum(purchased_delta) AS purchased, sum(reserved_delta) AS reserved
     FROM entries GROUP BY account_id
   ) AS e USING (account_id)
   CROSS JOIN LATERAL (
     VALUES ('free', coalesce(e.free, 0), a.free), ('purchased', coalesce(e.purchased, 0), a.purchased),
            ('reserved', coalesce(e.reserved, 0), a.reserved)
   ) AS b (bucket, expected, found)
   WHERE b.expected <> b.found`,

  `SELECT account_id AS account, 'an account with a negative bucket' AS what, 'none below 0' AS expected,
          format('%s free, %s purchased, %s reserved, %s owed', free, purchased, reserved, debt) AS found
   FROM accounts WHERE least(free, purchased, reserved, debt) < 0`,

  // Debt is what was lent less what was paid, and an account with debt has no purchased credits.
  `SELECT a.account_id AS account, 'debt of the account' AS what, coalesce(e.debt, 0)::text AS expected, a.debt::text AS found
   FROM accounts AS a LEFT JOIN (
     SELECT account_id, sum(purchased_delta) AS debt FROM entries WHERE kind IN ('debt_taken', 'debt_paid') GROUP BY account_id
   ) AS e USING (account_id)
   WHERE coalesce(e.debt, 0) <> a.debt`,

  `SELECT account_id AS account, 'purchased credits beside debt' AS what, '0' AS expected, purchased::text AS found
   FROM accounts WHERE debt > 0 AND purchased > 0`,

  `SELECT a.account_id AS account, 'version of the account' AS what,
          coalesce(max(e.version), 0)::text AS expected, a.version::text AS found
   FROM accounts AS a LEFT JOIN entries AS e USING (account_id)
   GROUP BY a.account_id HAVING coalesce(max(e.version), 0) <> a.version`,

  // One walk over all entries in their order, because the walk is what takes long: no version is missing, balances add up, entries
  // that change what the account owns are lines, and months only go forward.
  `SELECT e.account_id AS account, f.what, f.expected, f.found
   FROM (
     SELECT *, CASE WHEN owns THEN lines END AS due_line, CASE WHEN period > '-infinity' THEN clock END AS due_period
     FROM (
       SELECT account_id, version, period, line, free_after, purchased_after, reserved_after,
              date_trunc('month', created_at AT TIME ZONE 'UTC')::date AS clock,
              lag(version, 1, 0::bigint) OVER upwards AS version_before, lag(period) OVER upwards AS period_before,
              sum(free_delta) OVER upwards AS free, sum(purchased_delta) OVER upwards AS purchased,
              sum(reserved_delta) OVER upwards AS reserved, free_delta + purchased_delta + reserved_delta <> 0 AS owns,
              count(*) FILTER (WHERE free_delta + purchased_delta + reserved_delta <> 0) OVER upwards AS lines
       FROM entries WINDOW upwards AS (PARTITION BY account_id ORDER BY version)
     ) AS walked
   ) AS e
   CROSS JOIN LATERAL (VALUES
     (version <> version_before + 1, 'version after ' || version_before, (version_before + 1)::text, version::text),
     ((free_after, purchased_after, reserved_after) <> (free, purchased, reserved), 'balance after entry ' || version,
      format('%s/%s/%s', free, purchased, reserved), format('%s/%s/%s', free_after, purchased_after, reserved_after)),
     (line IS DISTINCT FROM due_line, 'line of entry ' || version, coalesce(due_line::text, 'none'),
      coalesce(line::text, 'none')),
     (period < greatest(period_before, due_period), 'period of entry ' || version,
      'not before ' || greatest(period_before, due_period), period::text)
   ) AS f (is_off, what, expected, found)
   WHERE f.is_off AND (
     version <> version_before + 1 OR (free_after, purchased_after, reserved_after) <> (free, purchased, reserved)
     OR line IS DISTINCT FROM due_line OR period < greatest(period_before, due_period)
   )`,

  `SELECT account_id AS account, 'entry ' || version || ' leaves a negative bucket' AS what,
          'none below 0' AS expected, format('%s/%s/%s', free_after, purchased_after, reserved_after) AS found
   FROM entries WHERE least(free_after, purchased_after, reserved_after) < 0`,

  `SELECT a.account_id AS account, 'lines of the account' AS what, coalesce(max(e.line), 0)::text AS expected,
          a.lines::text AS found
   FROM accounts AS a LEFT JOIN entries AS e USING (account_id)
   GROUP BY a.account_id HAVING coalesce(max(e.line), 0) <> a.lines`,

  `SELECT account_id AS account, 'entries without an account' AS what, '0' AS expected, count(*)::text AS found
   FROM entries AS e WHERE NOT EXISTS (SELECT FROM accounts AS a WHERE a.account_id = e.account_id)
   GROUP BY account_id`,

  // Monthly grants set the free bucket to 100, once a month, and months only go forward.
  `SELECT a.account_id AS account, 'month of the free credits' AS what, coalesce(max(e.ref), '0000-00') AS expected,
          a.free_month AS found
   FROM accounts AS a LEFT JOIN entries AS e ON e.account_id = a.account_id AND e.kind = 'monthly_grant'
   GROUP BY a.account_id HAVING coalesce(max(e.ref), '0000-00') <> a.free_month`,

  `SELECT account_id AS account, 'month of entry ' || version AS what, 'later than ' || before AS expected,
          ref AS found
   FROM (
     SELECT account_id, version, ref, lag(ref) OVER (PARTITION BY account_id ORDER BY version) AS before
     FROM entries WHERE kind = 'monthly_grant'
   ) AS e
   WHERE ref <= before`,

  `SELECT account_id AS account, 'kind of entry ' || version AS what, 'one that is listed' AS expected, kind AS found
   FROM entries WHERE kind NOT IN (SELECT kind FROM entry_kinds)`,

  `SELECT account_id AS account, 'entry ' || version AS what, 'the shape of a ' || kind AS expected,
          format('%s/%s/%s, then %s free', free_delta, purchased_delta, reserved_delta, free_after) AS found
   FROM entries
   WHERE NOT CASE kind
     WHEN 'monthly_grant' THEN purchased_delta = 0 AND reserved_delta = 0 AND free_after = 100
     WHEN 'grant' THEN free_delta = 0 AND purchased_delta > 0 AND reserved_delta = 0
     WHEN 'charge' THEN least(-free_delta, -purchased_delta) >= 0 AND reserved_delta = 0
     WHEN 'refund' THEN free_delta = 0 AND purchased_delta > 0 AND reserved_delta = 0
     WHEN 'debt_taken' THEN free_delta = 0 AND purchased_delta > 0 AND reserved_delta = 0
     WHEN 'debt_paid' THEN free_delta = 0 AND purchased_delta < 0 AND reserved_delta = 0
     WHEN 'dispute' THEN free_delta = 0 AND purchased_delta < 0 AND reserved_delta = 0
     ELSE true
   END`,
];

/**
 * Invariants between the heads of the seals, accounts and newer entries. Cheap at any size: sealed entries were compared when they were
 * sealed and are not read again. Every query answers breaches: account, what, expected, found.
 */
export const headChecks: readonly string[] = [
  // An account has its sealed balance plus its entries since.
  `SELECT account_id AS account, 'balance since the last seal' AS what, expected, found
   FROM (
     SELECT account_id, format('%s/%s/%s after entry %s', coalesce(e.free, 0), coalesce(e.purchased, 0),
                               coalesce(e.reserved, 0), coalesce(e.version, 0)) AS expected,
            format('%s/%s/%s after entry %s', coalesce(a.free, 0), coalesce(a.purchased, 0), coalesce(a.reserved, 0),
                   coalesce(a.version, 0)) AS found
   FROM (
     SELECT account_id, coalesce(h.free, 0) + coalesce(n.free, 0) AS free,
            coalesce(h.purchased, 0) + coalesce(n.purchased, 0) AS purchased,
            coalesce(h.reserved, 0) + coalesce(n.reserved, 0) AS reserved,
            coalesce(h.version, 0) + coalesce(n.entries, 0) AS version
     FROM seal_heads AS h FULL JOIN (
       SELECT account_id, sum(free_delta) AS free, sum(purchased_delta) AS purchased, sum(reserved_delta) AS reserved,
              count(*) AS entries
       FROM (SELECT * FROM entries WHERE written_in >= first_unsealed()) AS e
       LEFT JOIN (SELECT account_id, version AS sealed FROM seal_heads) AS s USING (account_id)
       WHERE version > coalesce(sealed, 0) GROUP BY account_id
     ) AS n USING (account_id)
   ) AS e FULL JOIN accounts AS a USING (account_id)
   ) AS x
   WHERE expected <> found`,

  `SELECT account_id AS account, 'entry ' || off_at AS what, 'one that follows from those before it' AS expected,
          'another' AS found
   FROM seal_heads WHERE off_at IS NOT NULL`,

  // Held credits; few reservations are open at any time.
  `SELECT a.account_id AS account, 'reserved credits against open reservations' AS what,
          coalesce(r.held, 0)::text AS expected, a.reserved::text AS found
   FROM accounts AS a LEFT JOIN (
     SELECT account_id, sum(held_free + held_purchased) AS held FROM reservations WHERE resolved_at IS NULL GROUP BY account_id
   ) AS r USING (account_id)
   WHERE coalesce(r.held, 0) <> a.reserved`,
];

/** Invariants between entries and their seals. Every query answers breaches: account, what, expected, found. */
export const sealChecks: readonly string[] = [
  // The first wrong seal of each account; all later ones follow from it.
  `SELECT DISTINCT ON (account_id) account_id AS account, 'seal of entry ' || version AS what,
          encode(expected, 'hex') AS expected, encode(found, 'hex') AS found
   FROM (
     SELECT account_id, version, s.hash AS found,
            seal_of(canonical_entry(e)) OVER (PARTITION BY account_id ORDER BY version) AS expected
     FROM entries AS e LEFT JOIN entry_seals AS s USING (account_id, version)
   ) AS chain
   WHERE found <> expected
   ORDER BY account_id, version`,

  `SELECT e.account_id AS account, 'entry ' || e.version AS what, 'sealed' AS expected, 'not sealed' AS found
   FROM entries AS e
   WHERE e.written_in < (SELECT next_written_in FROM sealing)
     AND NOT EXISTS (SELECT FROM entry_seals AS s WHERE s.account_id = e.account_id AND s.version = e.version)`,

  `SELECT s.account_id AS account, 'sealed entry ' || s.version AS what, 'an entry' AS expected, 'none' AS found
   FROM entry_seals AS s
   WHERE NOT EXISTS (SELECT FROM entries AS e WHERE e.account_id = s.account_id AND e.version = s.version)`,

  `SELECT account_id AS account, 'seals up to entry ' || max(version) AS what, max(version)::text AS expected,
          count(*)::text AS found
   FROM entry_seals GROUP BY account_id HAVING max(version) <> count(*)`,

  `SELECT account_id AS account, 'head of the seals' AS what,
          coalesce(s.version || ' ' || encode(s.hash, 'hex'), 'none') AS expected,
          coalesce(h.version || ' ' || encode(h.hash, 'hex'), 'none') AS found
   FROM seal_heads AS h FULL JOIN (
     SELECT DISTINCT ON (account_id) account_id, version, hash FROM entry_seals ORDER BY account_id, version DESC
   ) AS s USING (account_id)
   WHERE (h.version, h.hash) IS DISTINCT FROM (s.version, s.hash)`,
];
