-- Notes deliveries in the libraries of their accounts, given as [{account_id, transcript_id, job_id}]; without a job it was a read. What an
-- account has already keeps its time. Called in the statement that ends the operations, so that receipt is as durable as delivery.
CREATE OR REPLACE FUNCTION save_received(p_received jsonb) RETURNS void LANGUAGE sql AS $$
  WITH given AS (
    SELECT * FROM jsonb_to_recordset(p_received) AS g (account_id uuid, transcript_id uuid, job_id uuid) WHERE transcript_id IS NOT NULL
  ), of_jobs AS (
    INSERT INTO library_jobs (job_id, account_id, transcript_id)
    SELECT DISTINCT job_id, account_id, transcript_id FROM given WHERE job_id IS NOT NULL ORDER BY 1, 3
    ON CONFLICT DO NOTHING
  ), entries AS (
    INSERT INTO library_entries AS e (account_id, transcript_id, language_code, is_read)
    SELECT g.account_id, g.transcript_id, t.language_code, bool_or(g.job_id IS NULL)
    FROM given AS g JOIN transcripts AS t ON t.id = g.transcript_id
    GROUP BY g.account_id, g.transcript_id, t.language_code ORDER BY g.account_id, g.transcript_id
    ON CONFLICT (account_id, transcript_id) DO UPDATE SET is_read = true WHERE excluded.is_read AND NOT e.is_read
    RETURNING account_id, transcript_id, words
  ), watched AS (
    INSERT INTO unmatched_deliveries (transcript_id, monitor_id, account_id, job_id)
    SELECT DISTINCT ON (g.transcript_id, w.monitor_id) g.transcript_id, w.monitor_id, w.account_id, w.job_id
    FROM given AS g JOIN watched_jobs AS w USING (job_id) ORDER BY g.transcript_id, w.monitor_id
    ON CONFLICT DO NOTHING RETURNING transcript_id, account_id
  )
  -- An instance that indexes it at this moment may not know of this account, or of this monitor.
  INSERT INTO unindexed_transcripts (id, account_id)
  SELECT DISTINCT ON (transcript_id) transcript_id, account_id FROM (
    SELECT transcript_id, account_id FROM entries JOIN searched_libraries USING (account_id) WHERE words IS NULL
    UNION ALL SELECT transcript_id, account_id FROM watched) AS unindexed ORDER BY transcript_id
  ON CONFLICT (id) DO UPDATE SET due_at = clock_timestamp(), account_id = excluded.account_id
$$;

-- The keys of an account's lexemes in the index of all libraries: no two accounts share one, so a search reads its own account's part of the
-- index only. The hash is the one of hash partitions, which no release of Postgres changes.
CREATE OR REPLACE FUNCTION library_keys(p_account_id uuid, p_dictionary text, p_lexemes text[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(
    SELECT hashtextextended(lexeme, seed)
    FROM unnest(p_lexemes) AS lexeme, (SELECT hashtextextended(p_account_id::text || p_dictionary, 0) AS seed OFFSET 0) AS one)
$$;
