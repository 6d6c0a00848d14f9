-- As start_restoring, for many tracks whose cues the object store has lost, given as for open_batch; each row says which transcript
-- is to come back. What is opened costs nothing and is fetched behind what somebody waits for. Answers every row: the operation that
-- brings it back, its own or the account's open one, or for how long it is not tried again; a row with neither has to be looked at.
-- Transcripts are locked first, in the order of deliver_tracks: so one of two at once begins, and the other one sees its fetches.
CREATE OR REPLACE FUNCTION restore_batch(p_batch jsonb)
RETURNS TABLE (row_id uuid, opened_id uuid, wait_seconds integer, tasks integer) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_ids uuid[] := ARRAY(SELECT (given ->> 'transcript_id')::uuid FROM jsonb_array_elements(p_batch -> 'rows') AS given);
  v_begun uuid[];
  v_rows jsonb;
BEGIN
  PERFORM FROM transcripts WHERE id = ANY (v_ids)
  ORDER BY video_id, language_code, kind, translated FOR NO KEY UPDATE;

  WITH begun AS (
    UPDATE transcripts SET restore_begun_at = clock_timestamp()
    WHERE id = ANY (v_ids) AND (restore_begun_at IS NULL OR restore_begun_at < clock_timestamp() - interval '1 minute')
    RETURNING id
  )
  SELECT array_agg(id) INTO v_begun FROM begun;

  -- OFFSET 0: as in open_batch.
  SELECT coalesce(jsonb_agg(given ORDER BY (given ->> 'turn')::integer), '[]') INTO v_rows
  FROM jsonb_array_elements(p_batch -> 'rows') AS given
  WHERE (given ->> 'transcript_id')::uuid = ANY (v_begun) OR EXISTS (
    SELECT FROM fetches AS f
    WHERE f.video_id = (given ->> 'video_id')::char(11) AND f.language = p_batch ->> 'language'
      AND f.fallback = (p_batch ->> 'fallback')::boolean AND f.state = 'open' OFFSET 0);

  RETURN QUERY
    WITH opened AS MATERIALIZED (SELECT * FROM open_batch(p_batch || jsonb_build_object('rows', v_rows)))
    SELECT given.id, opened.opened_id, CASE WHEN opened.row_id IS NULL THEN
      greatest(1, ceil(extract(epoch FROM t.restore_begun_at + interval '1 minute' - clock_timestamp())))::integer END,
      opened.tasks
    FROM jsonb_to_recordset(p_batch -> 'rows') AS given (id uuid, transcript_id uuid)
    LEFT JOIN opened ON opened.row_id = given.id
    LEFT JOIN transcripts AS t ON t.id = given.transcript_id;
END
$$;
