/** What must hold between purchases and entries. Every query answers breaches: account, what, expected, found. */
export const blockChecks: readonly string[] = [
  // What was granted under a block's refs, less what was taken back under them.
  `SELECT b.account_id AS account, 'what stands of the block ' || b.ref AS what, e.credits::text AS expected,
          b.standing::text AS found
   FROM blocks AS b CROSS JOIN LATERAL (
     SELECT coalesce(sum(purchased_delta), 0) AS credits FROM entries
     WHERE account_id = b.account_id AND reserved_delta = 0 AND kind IN ('grant', 'purchase_refund', 'dispute')
       AND ref = ANY (b.ref || ARRAY(SELECT format('%s:%s', b.ref, n) FROM generate_series(1, b.changes) AS n))
   ) AS e
   WHERE e.credits <> b.standing`,

  `SELECT account_id AS account, 'purchase ' || ref AS what, 'a block' AS expected, 'none' AS found
   FROM entries AS e
   WHERE kind = 'grant' AND reason = 'purchase' AND NOT EXISTS (SELECT FROM blocks AS b WHERE b.ref = e.ref)`,
];
