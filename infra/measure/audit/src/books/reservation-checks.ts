/** For each ref, by its entries: held, charged, released, charged without being held, and refunded. */
const BOOKED = `
  SELECT account_id, ref,
         coalesce(-sum(free_delta) FILTER (WHERE kind = 'reserve'), 0) AS from_free,
         coalesce(-sum(purchased_delta) FILTER (WHERE kind = 'reserve'), 0) AS from_purchased,
         coalesce(-sum(reserved_delta) FILTER (WHERE kind = 'settle'), 0) AS settled,
         coalesce(-sum(reserved_delta) FILTER (WHERE kind = 'release'), 0) AS released,
         coalesce(-sum(free_delta + purchased_delta) FILTER (WHERE kind = 'charge'), 0) AS charged,
         coalesce(sum(purchased_delta) FILTER (WHERE kind = 'refund'), 0) AS refunded
  FROM entries WHERE kind IN ('reserve', 'settle', 'release', 'charge', 'refund') GROUP BY account_id, ref`;

/** Invariants between reservations and entries. Every query answers breaches: account, what, expected, found. */
export const reservationChecks: readonly string[] = [
  `SELECT a.account_id AS account, 'reserved credits against open reservations' AS what,
          coalesce(r.held, 0)::text AS expected, a.reserved::text AS found
   FROM accounts AS a LEFT JOIN (
     SELECT account_id, sum(held_free + held_purchased) AS held FROM reservations GROUP BY account_id
   ) AS r USING (account_id)
   WHERE coalesce(r.held, 0) <> a.reserved`,

  // The entries of a reservation add up to it, and no entry lacks a reservation.
  `SELECT coalesce(r.account_id, b.account_id) AS account, 'entries of the reservation ' || coalesce(r.ref, b.ref) AS what,
          coalesce(r.says, 'none') AS expected, coalesce(b.says, 'none') AS found
   FROM (
     SELECT account_id, ref, format(
              '%s held, %s charged, %s released, %s charged without, %s refunded', unit * bit_count(items),
              unit * count(*) FILTER (WHERE has_item(items, n) AND has_item(r.charged, n)),
              unit * count(*) FILTER (WHERE has_item(items, n) AND has_item(r.released, n)),
              unit * count(*) FILTER (WHERE NOT has_item(items, n) AND has_item(r.charged, n)),
              unit * bit_count(refunded)
            ) AS says
     FROM reservations AS r
     CROSS JOIN LATERAL generate_series(1, greatest(length(items), length(charged), length(released))) AS n
     WHERE account_id IS NOT NULL
     GROUP BY account_id, ref, unit, items, refunded
   ) AS r
   FULL JOIN (
     SELECT account_id, ref, format(
              '%s held, %s charged, %s released, %s charged without, %s refunded', from_free + from_purchased, settled,
              released, charged, refunded
            ) AS says
     FROM (${BOOKED}) AS b
   ) AS b USING (account_id, ref)
   WHERE r.says IS DISTINCT FROM b.says`,

  // Free credits are charged first and released last.
  `SELECT r.account_id AS account, 'what is held under ' || r.ref AS what,
          format('%s free, %s purchased', x.free, b.from_free + b.from_purchased - b.settled - b.released - x.free) AS expected,
          format('%s free, %s purchased', r.held_free, r.held_purchased) AS found
   FROM reservations AS r JOIN (${BOOKED}) AS b USING (account_id, ref)
   CROSS JOIN LATERAL (
     SELECT b.from_free - least(b.from_free, b.settled) - greatest(b.released - b.from_purchased, 0) AS free
   ) AS x
   WHERE (r.held_free, r.held_purchased)
      <> (x.free, b.from_free + b.from_purchased - b.settled - b.released - x.free)`,

  // A release gives purchased credits back first, and free ones only within their month.
  `SELECT account_id AS account, format('release %s of %s', version, ref) AS what,
          format('%s free, %s purchased', CASE WHEN is_its_month THEN credits - purchased ELSE 0 END, purchased) AS expected,
          format('%s free, %s purchased', free_delta, purchased_delta) AS found
   FROM (
     SELECT e.*, least(b.from_purchased, e.until) - least(b.from_purchased, e.until - e.credits) AS purchased,
            r.free_month = greatest(to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM'), (
              SELECT max(m.ref) FROM entries AS m
              WHERE m.account_id = e.account_id AND m.kind = 'monthly_grant' AND m.reserved_delta = 0 AND m.version < e.version
            )) AS is_its_month
     FROM (
       SELECT account_id, ref, version, created_at, free_delta, purchased_delta, -reserved_delta AS credits,
              sum(-reserved_delta) OVER (PARTITION BY account_id, ref ORDER BY version) AS until
       FROM entries WHERE kind = 'release'
     ) AS e
     JOIN (${BOOKED}) AS b USING (account_id, ref) JOIN reservations AS r USING (account_id, ref)
   ) AS e
   WHERE (free_delta, purchased_delta) <> (CASE WHEN is_its_month THEN credits - purchased ELSE 0 END, purchased)`,

  `SELECT r.account_id AS account, 'account of the reservation ' || r.ref AS what, 'an account' AS expected,
          'none' AS found
   FROM reservations AS r
   WHERE r.account_id IS NOT NULL
     AND NOT EXISTS (SELECT FROM accounts AS a WHERE a.account_id = r.account_id)`,
];

const numbers = (bits: string) => `array_to_string(items_of(${bits}), ' ')`;

/** The items in entries of some kinds, once for each entry. */
const booked = (kinds: string) => `(
  SELECT coalesce(string_agg(n::text, ' ' ORDER BY n), '') FROM entries AS e CROSS JOIN LATERAL unnest(e.items) AS n
  WHERE e.account_id = r.account_id AND e.ref = r.ref AND e.kind IN (${kinds}))`;

/** Invariants of the items of reservations. Every query answers breaches: account, what, expected, found. */
export const itemsChecks: readonly string[] = [
  // One entry charges, releases or refunds each item, and the reservation has all of them.
  `SELECT account_id AS account, what || ' items of ' || ref AS what, expected, found
   FROM reservations AS r CROSS JOIN LATERAL (
     VALUES ('charged', ${numbers('charged')}, ${booked(`'settle', 'charge'`)}),
            ('refunded', ${numbers('refunded')}, ${booked(`'refund'`)}),
            ('released', (
              SELECT coalesce(string_agg(n::text, ' ' ORDER BY n), '') FROM unnest(items_of(released)) AS n WHERE has_item(items, n)
            ), ${booked(`'release'`)})
   ) AS c (what, expected, found)
   WHERE account_id IS NOT NULL AND expected <> found`,

  `SELECT account_id AS account, 'items of ' || ref AS what, 'each charged or released, and refunded if charged' AS expected,
          format('charged %s, released %s, refunded %s', ${numbers('charged')}, ${numbers('released')}, ${numbers('refunded')})
            AS found
   FROM reservations
   WHERE EXISTS (SELECT FROM unnest(items_of(charged)) AS n WHERE has_item(released, n))
      OR EXISTS (SELECT FROM unnest(items_of(refunded)) AS n WHERE NOT has_item(charged, n))`,

  `SELECT e.account_id AS account, 'entry ' || e.version AS what,
          format('%s items of %s credits, job %s', cardinality(e.items), r.unit, r.job_id) AS expected,
          format('%s of %s credits, job %s', e.kind, x.credits, e.job_id) AS found
   FROM entries AS e JOIN reservations AS r USING (account_id, ref)
   CROSS JOIN LATERAL (
     SELECT CASE e.kind WHEN 'charge' THEN -e.free_delta - e.purchased_delta WHEN 'refund' THEN e.purchased_delta
                        ELSE -e.reserved_delta END AS credits
   ) AS x
   WHERE e.kind IN ('reserve', 'settle', 'release', 'charge', 'refund')
     AND (e.job_id IS DISTINCT FROM r.job_id
          OR (e.kind <> 'reserve' AND x.credits IS DISTINCT FROM r.unit * cardinality(e.items)))`,
];

/** Invariants between purchases and entries. Every query answers breaches: account, what, expected, found. */
export const blockChecks: readonly string[] = [
  // Granted under a block's refs, less what was taken back under them.
  `SELECT b.account_id AS account, 'what stands of the block ' || b.ref AS what, e.credits::text AS expected,
          b.net::text AS found
   FROM blocks AS b CROSS JOIN LATERAL (
     SELECT coalesce(sum(purchased_delta), 0) AS credits FROM entries
     WHERE account_id = b.account_id AND reserved_delta = 0 AND kind IN ('grant', 'purchase_refund', 'dispute')
       AND ref = ANY (b.ref || ARRAY(SELECT format('%s:%s', b.ref, n) FROM generate_series(1, b.changes) AS n))
   ) AS e
   WHERE e.credits <> b.net`,

  `SELECT account_id AS account, 'purchase ' || ref AS what, 'a block' AS expected, 'none' AS found
   FROM entries AS e
   WHERE kind = 'grant' AND reason = 'purchase' AND NOT EXISTS (SELECT FROM blocks AS b WHERE b.ref = e.ref)`,
];
