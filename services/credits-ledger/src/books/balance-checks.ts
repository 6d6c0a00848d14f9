/** What must hold between an account and its entries. Every query answers breaches: account, what, expected, found. */
export const balanceChecks: readonly string[] = [
  // Balances, recomputed from nothing but the entries.
  `SELECT a.account_id AS account, b.bucket || ' credits of the account' AS what,
          b.expected::text AS expected, b.found::text AS found
   FROM accounts AS a
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(free_delta), 0) AS free, coalesce(sum(purchased_delta), 0) AS purchased,
            coalesce(sum(reserved_delta), 0) AS reserved
     FROM entries WHERE account_id = a.account_id
   ) AS e
   CROSS JOIN LATERAL (
     VALUES ('free', e.free, a.free), ('purchased', e.purchased, a.purchased), ('reserved', e.reserved, a.reserved)
   ) AS b (bucket, expected, found)
   WHERE b.expected <> b.found`,

  `SELECT account_id AS account, 'an account with a negative bucket' AS what, 'none below 0' AS expected,
          format('%s free, %s purchased, %s reserved, %s owed', free, purchased, reserved, debt) AS found
   FROM accounts WHERE least(free, purchased, reserved, debt) < 0`,

  // Debt is what was lent less what was paid, and nothing is owed beside purchased credits.
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

  `SELECT account_id AS account, 'version after ' || before AS what, (before + 1)::text AS expected,
          version::text AS found
   FROM (
     SELECT account_id, version, lag(version, 1, 0::bigint) OVER (PARTITION BY account_id ORDER BY version) AS before
     FROM entries
   ) AS e
   WHERE version <> before + 1`,

  `SELECT e.account_id AS account, 'balance after entry ' || e.version AS what, e.expected, e.found
   FROM (
     SELECT account_id, version, format('%s/%s/%s', free_after, purchased_after, reserved_after) AS found,
            format('%s/%s/%s', sum(free_delta) OVER upwards, sum(purchased_delta) OVER upwards,
                   sum(reserved_delta) OVER upwards) AS expected
     FROM entries WINDOW upwards AS (PARTITION BY account_id ORDER BY version)
   ) AS e
   WHERE e.expected <> e.found`,

  `SELECT account_id AS account, 'entry ' || version || ' leaves a negative bucket' AS what,
          'none below 0' AS expected, format('%s/%s/%s', free_after, purchased_after, reserved_after) AS found
   FROM entries WHERE least(free_after, purchased_after, reserved_after) < 0`,

  // Lines: the entries that change what the account owns, numbered without gaps.
  `SELECT account_id AS account, 'line of entry ' || version AS what, coalesce(expected::text, 'none') AS expected,
          coalesce(line::text, 'none') AS found
   FROM (
     SELECT account_id, version, line, CASE WHEN free_delta + purchased_delta + reserved_delta <> 0 THEN
              count(*) FILTER (WHERE free_delta + purchased_delta + reserved_delta <> 0)
                OVER (PARTITION BY account_id ORDER BY version)
            END AS expected
     FROM entries
   ) AS e
   WHERE expected IS DISTINCT FROM line`,

  `SELECT a.account_id AS account, 'lines of the account' AS what, coalesce(max(e.line), 0)::text AS expected,
          a.lines::text AS found
   FROM accounts AS a LEFT JOIN entries AS e USING (account_id)
   GROUP BY a.account_id HAVING coalesce(max(e.line), 0) <> a.lines`,

  `SELECT account_id AS account, 'entries without an account' AS what, '0' AS expected, count(*)::text AS found
   FROM entries AS e WHERE NOT EXISTS (SELECT FROM accounts AS a WHERE a.account_id = e.account_id)
   GROUP BY account_id`,

  // Monthly grants set the free bucket to 100, each month once, and months only go forward.
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
     WHEN 'debt_taken' THEN free_delta = 0 AND purchased_delta > 0 AND reserved_delta = 0
     WHEN 'debt_paid' THEN free_delta = 0 AND purchased_delta < 0 AND reserved_delta = 0
     WHEN 'dispute' THEN free_delta = 0 AND purchased_delta < 0 AND reserved_delta = 0
     ELSE true
   END`,
];
