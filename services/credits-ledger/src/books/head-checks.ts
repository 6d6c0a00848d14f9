/**
 * What must hold between the heads of the seals, accounts and what is newer than both. Cheap at any size: what is sealed was
 * compared when it was sealed, and is not read again. Every query answers breaches: account, what, expected, found.
 */
export const headChecks: readonly string[] = [
  // What an account was sealed with, and its entries since, are what it has.
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

  // What is held, as few are open at any time.
  `SELECT a.account_id AS account, 'reserved credits against open reservations' AS what,
          coalesce(r.held, 0)::text AS expected, a.reserved::text AS found
   FROM accounts AS a LEFT JOIN (
     SELECT account_id, sum(held_free + held_purchased) AS held FROM reservations WHERE resolved_at IS NULL GROUP BY account_id
   ) AS r USING (account_id)
   WHERE coalesce(r.held, 0) <> a.reserved`,
];
