/** What must hold between entries and their seals. Every query answers breaches: account, what, expected, found. */
export const sealChecks: readonly string[] = [
  // The first seal of each account that the entries do not explain; all later ones follow from it.
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
