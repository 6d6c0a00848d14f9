/** What must hold between reservations and entries. Every query answers breaches: account, what, expected, found. */
export const reservationChecks: readonly string[] = [
  `SELECT a.account_id AS account, 'reserved credits against open reservations' AS what,
          coalesce(sum(r.held), 0)::text AS expected, a.reserved::text AS found
   FROM accounts AS a LEFT JOIN (
     SELECT account_id, amount - coalesce(p.credits_charged, 0) AS held
     FROM reservations LEFT JOIN reservation_parts AS p USING (ref) WHERE resolved_at IS NULL
   ) AS r USING (account_id)
   GROUP BY a.account_id HAVING coalesce(sum(r.held), 0) <> a.reserved`,

  // The entries that each reservation must have, and no others; all that charge parts of it are one sum. A release gives free
  // credits back only if the account's month, and the clock's, was still theirs, and parts are charged with free ones first.
  `WITH of_reservations AS (
     SELECT account_id, ref, kind, min(version) AS version,
            sum(free_delta) AS free, sum(purchased_delta) AS purchased, sum(reserved_delta) AS reserved
     FROM entries WHERE kind IN ('reserve', 'settle', 'release') GROUP BY account_id, ref, kind
   ), found AS (
     SELECT account_id, ref, max(version) FILTER (WHERE kind = 'release') AS release_version,
            string_agg(format('%s %s/%s/%s', kind, free, purchased, reserved), ', ' ORDER BY version) AS found
     FROM of_reservations GROUP BY account_id, ref
   )
   SELECT r.account_id AS account, 'entries of the reservation ' || r.ref AS what, x.expected,
          coalesce(f.found, 'none') AS found
   FROM reservations AS r
   LEFT JOIN reservation_parts AS p USING (ref)
   LEFT JOIN found AS f ON f.account_id = r.account_id AND f.ref = r.ref
   CROSS JOIN LATERAL (
     SELECT coalesce(p.credits_charged, CASE WHEN r.state = 'settled' THEN r.amount ELSE 0 END) AS charged
   ) AS c
   CROSS JOIN LATERAL (
     SELECT CASE WHEN r.state = 'released' AND r.free_month = greatest(
              to_char(r.resolved_at AT TIME ZONE 'UTC', 'YYYY-MM'),
              (SELECT max(m.ref) FROM entries AS m WHERE m.account_id = r.account_id
               AND m.kind = 'monthly_grant' AND m.reserved_delta = 0 AND m.version < f.release_version)
            ) THEN greatest(r.from_free - c.charged, 0) ELSE 0 END AS free_back
   ) AS g
   CROSS JOIN LATERAL (
     SELECT CASE WHEN r.account_id IS NULL THEN 'none' ELSE
              format('reserve %s/%s/%s', -r.from_free, -r.from_purchased, r.amount)
              || CASE WHEN c.charged > 0 THEN format(', settle 0/0/%s', -c.charged) ELSE '' END
              || CASE WHEN r.state = 'released' THEN format(
                   ', release %s/%s/%s', g.free_back, r.amount - greatest(r.from_free, c.charged), c.charged - r.amount
                 ) ELSE '' END
            END AS expected
   ) AS x
   WHERE x.expected <> coalesce(f.found, 'none')`,

  `SELECT e.account_id AS account, 'entry ' || e.version || ' (' || e.kind || ' ' || e.ref || ')' AS what,
          'a reservation of this account' AS expected, 'none' AS found
   FROM entries AS e
   WHERE e.kind IN ('reserve', 'settle', 'release')
     AND NOT EXISTS (SELECT FROM reservations AS r WHERE r.ref = e.ref AND r.account_id = e.account_id)`,

  `SELECT r.account_id AS account, 'account of the reservation ' || r.ref AS what, 'an account' AS expected,
          'none' AS found
   FROM reservations AS r
   WHERE r.account_id IS NOT NULL
     AND NOT EXISTS (SELECT FROM accounts AS a WHERE a.account_id = r.account_id)`,
];
