const numbers = (bits: string) => `array_to_string(parts_of(${bits}), ' ')`;

/** The parts that entries of some kinds are about, each as often as it is. */
const booked = (kinds: string) => `(
  SELECT coalesce(string_agg(n::text, ' ' ORDER BY n), '') FROM entries AS e CROSS JOIN LATERAL unnest(e.parts) AS n
  WHERE e.account_id = r.account_id AND e.ref = r.ref AND e.kind IN (${kinds}))`;

/** What must hold of the parts of reservations. Every query answers breaches: account, what, expected, found. */
export const partsChecks: readonly string[] = [
  // Each part is charged, given back and refunded by one entry, and by none that the reservation does not know.
  `SELECT account_id AS account, what || ' parts of ' || ref AS what, expected, found
   FROM reservations AS r CROSS JOIN LATERAL (
     VALUES ('charged', ${numbers('charged')}, ${booked(`'settle', 'charge'`)}),
            ('refunded', ${numbers('refunded')}, ${booked(`'refund'`)}),
            ('given back', (
              SELECT coalesce(string_agg(n::text, ' ' ORDER BY n), '') FROM unnest(parts_of(given_back)) AS n WHERE has_part(parts, n)
            ), ${booked(`'release'`)})
   ) AS c (what, expected, found)
   WHERE account_id IS NOT NULL AND expected <> found`,

  `SELECT account_id AS account, 'parts of ' || ref AS what, 'each charged or given back, and refunded if charged' AS expected,
          format('charged %s, given back %s, refunded %s', ${numbers('charged')}, ${numbers('given_back')}, ${numbers('refunded')})
            AS found
   FROM reservations
   WHERE EXISTS (SELECT FROM unnest(parts_of(charged)) AS n WHERE has_part(given_back, n))
      OR EXISTS (SELECT FROM unnest(parts_of(refunded)) AS n WHERE NOT has_part(charged, n))`,

  `SELECT e.account_id AS account, 'entry ' || e.version AS what,
          format('%s parts of %s credits, job %s', cardinality(e.parts), r.unit, r.job_id) AS expected,
          format('%s of %s credits, job %s', e.kind, x.credits, e.job_id) AS found
   FROM entries AS e JOIN reservations AS r USING (account_id, ref)
   CROSS JOIN LATERAL (
     SELECT CASE e.kind WHEN 'charge' THEN -e.free_delta - e.purchased_delta WHEN 'refund' THEN e.purchased_delta
                        ELSE -e.reserved_delta END AS credits
   ) AS x
   WHERE e.kind IN ('reserve', 'settle', 'release', 'charge', 'refund')
     AND (e.job_id IS DISTINCT FROM r.job_id
          OR (e.kind <> 'reserve' AND x.credits IS DISTINCT FROM r.unit * cardinality(e.parts)))`,
];
