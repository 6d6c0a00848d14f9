/** What must hold of reservations in parts. Every query answers breaches: account, what, expected, found. */
export const partsChecks: readonly string[] = [
  // Each part is charged by one entry, and by none that the reservation does not know.
  `SELECT coalesce(p.account_id, e.account_id) AS account, 'charged parts of ' || coalesce(p.ref, e.ref) AS what,
          coalesce(p.charged, 'none') AS expected, coalesce(e.charged, 'none') AS found
   FROM (
     SELECT r.account_id, r.ref, (
       SELECT string_agg(n::text, ' ' ORDER BY n) FROM generate_series(1, length(p.charged)) AS n
       WHERE get_bit(p.charged, n - 1) = 1
     ) AS charged
     FROM reservation_parts AS p JOIN reservations AS r USING (ref)
   ) AS p
   FULL JOIN (
     SELECT account_id, ref, string_agg(n::text, ' ' ORDER BY n) AS charged
     FROM entries CROSS JOIN LATERAL unnest(parts) AS n GROUP BY account_id, ref
   ) AS e ON e.account_id = p.account_id AND e.ref = p.ref
   WHERE p.charged IS DISTINCT FROM e.charged`,

  `SELECT e.account_id AS account, 'entry ' || e.version AS what, format('a charge of %s parts', cardinality(e.parts)) AS expected,
          format('%s of %s credits', e.kind, -e.reserved_delta) AS found
   FROM entries AS e JOIN reservation_parts AS p USING (ref)
   WHERE e.parts IS NOT NULL AND (e.kind <> 'settle' OR -e.reserved_delta <> p.unit * cardinality(e.parts))`,

  // Of parts are those that say so, and all of them are resolved when nothing is left.
  `SELECT r.account_id AS account, 'parts of ' || ref AS what,
          CASE WHEN p.ref IS NULL THEN 'parts' ELSE format('%s credits, settled with the last part', r.amount) END AS expected,
          CASE WHEN p.ref IS NULL THEN 'none'
               ELSE format('%s credits, %s charged, %s', p.unit * length(p.charged), p.credits_charged, r.state) END AS found
   FROM reservations AS r LEFT JOIN reservation_parts AS p USING (ref)
   WHERE CASE WHEN p.ref IS NULL THEN r.state = 'in_parts'
              ELSE r.state = 'open' OR p.unit * length(p.charged) <> r.amount
                   OR (p.credits_charged = r.amount) <> (r.state = 'settled') END`,

  `SELECT NULL AS account, 'parts of ' || ref AS what, 'a reservation' AS expected, 'none' AS found
   FROM reservation_parts AS p WHERE NOT EXISTS (SELECT FROM reservations AS r WHERE r.ref = p.ref)`,
];
