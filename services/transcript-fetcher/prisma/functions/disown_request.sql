-- Disowns a request. If it has no operation yet, a failed one takes its place, so that it never opens any. The charges that are void by it, its
-- own or that of the read which it joined and was told, are given back: that is the due p_due, which is answered if there is one.
CREATE OR REPLACE FUNCTION disown_request(p_request jsonb, p_error jsonb, p_due uuid) RETURNS jsonb LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off AS $$
DECLARE
  v_given operations := jsonb_populate_record(NULL::operations, p_request);
  v_due jsonb;
BEGIN
  PERFORM lock_request(v_given.id::text);
  INSERT INTO operations AS o (
    id, lane, position, account_id, key_id, video_id, language, fallback, format, state, price, error, ended_at, disowned_at
  ) VALUES (
    v_given.id, 0, 0, v_given.account_id, v_given.key_id, v_given.video_id, v_given.language, v_given.fallback, v_given.format, 'failed',
    0, p_error, now(), now()
  )
  ON CONFLICT (id) DO UPDATE SET disowned_at = now() WHERE o.account_id = v_given.account_id AND o.disowned_at IS NULL;
  WITH voided AS (
    UPDATE operations AS o SET charge = 0, told_to = NULL
    FROM (
      SELECT v_given.id
      UNION
      -- By its track: nothing else leads from a request to the read that it joined.
      SELECT j.id FROM transcripts AS t JOIN operations AS j ON j.transcript_id = t.id
      WHERE t.video_id = v_given.video_id AND j.account_id = v_given.account_id AND j.told_to = v_given.id::text) AS concerned
    WHERE o.id = concerned.id AND o.account_id = v_given.account_id AND o.lane = 0 AND o.charge > 0
      AND (o.told_to IS NULL OR o.told_to = v_given.id::text)
    RETURNING o.*
  )
  INSERT INTO dues (id, rounds, due_at)
  SELECT p_due, jsonb_agg(jsonb_build_object('ref', ref, 'lane', lane, 'line_id', NULL, 'account_id', account_id, 'key_id', key_id,
    'charge', '[]'::jsonb, 'give_back', jsonb_build_array(part))), now() + interval '10 seconds'
  FROM voided WHERE ref IS NOT NULL HAVING count(*) > 0
  RETURNING rounds INTO v_due;
  RETURN v_due;
END
$$;
