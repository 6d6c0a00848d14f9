/** What must hold between reservations and entries. Every query answers breaches: account, what, expected, found. */
export const reservationChecks: readonly string[] = [
  `SELECT a.account_id AS account, 'reserved credits against open reservations' AS what,
          coalesce(sum(r.amount), 0)::text AS expected, a.reserved::text AS found
   FROM accounts AS a LEFT JOIN reservations AS r ON r.account_id = a.account_id AND r.state = 'open'
   GROUP BY a.account_id HAVING coalesce(sum(r.amount), 0) <> a.reserved`,

  // The entries that each reservation must have, and no others. A release gives free credits back only if their
  // month was still the account's and the clock's.
  `SELECT r.account_id AS account, 'entries of the reservation ' || r.ref AS what, x.expected, f.found
   FROM reservations AS r
   CROSS JOIN LATERAL (
     SELECT coalesce(string_agg(
              format('%s %s/%s/%s', kind, free_delta, purchased_delta, reserved_delta), ', ' ORDER BY version
            ), 'none') AS found,
            max(version) FILTER (WHERE kind = 'release') AS release_version
     FROM entries AS e
     WHERE e.account_id = r.account_id AND e.ref = r.ref AND e.kind IN ('reserve', 'settle', 'release')
   ) AS f
   CROSS JOIN LATERAL (
     SELECT CASE WHEN r.free_month = greatest(
              to_char(r.resolved_at AT TIME ZONE 'UTC', 'YYYY-MM'),
              (SELECT max(m.ref) FROM entries AS m WHERE m.account_id = r.account_id
               AND m.kind = 'monthly_grant' AND m.version < f.release_version)
            ) THEN r.from_free ELSE 0 END AS free_back
   ) AS g
   CROSS JOIN LATERAL (
     SELECT CASE WHEN r.account_id IS NULL THEN 'none' ELSE
              format('reserve %s/%s/%s', -r.from_free, -r.from_purchased, r.amount)
              || CASE r.state
                   WHEN 'settled' THEN format(', settle 0/0/%s', -r.amount)
                   WHEN 'released' THEN format(', release %s/%s/%s', g.free_back, r.from_purchased, -r.amount)
                   ELSE ''
                 END
            END AS expected
   ) AS x
   WHERE x.expected <> f.found`,

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
