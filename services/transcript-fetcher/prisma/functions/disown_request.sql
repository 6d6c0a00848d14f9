-- Disowns a request. If it has no operation yet, a failed one takes its place, so that it never opens any. Answers the
-- operations whose charge is void now, its own or the one that it joined and was told: their credits are to be given back.
CREATE OR REPLACE FUNCTION disown_request(
  p_id uuid, p_account_id uuid, p_key_id uuid, p_video_id bpchar, p_language text, p_fallback boolean, p_format text,
  p_error jsonb
) RETURNS SETOF uuid LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_request(p_id::text);
  INSERT INTO operations AS o (
    id, account_id, key_id, video_id, language, fallback, format, state, settlement, error, ended_at, disowned_at
  ) VALUES (
    p_id, p_account_id, p_key_id, p_video_id, p_language, p_fallback, p_format, 'failed', 'released', p_error, now(), now()
  )
  ON CONFLICT (id) DO UPDATE SET disowned_at = now() WHERE o.account_id = p_account_id AND o.disowned_at IS NULL;
  RETURN QUERY
    UPDATE operations AS o SET charge = 0, charge_reported = false, charge_reported_to = NULL, settlement = 'pending'
    WHERE o.account_id = p_account_id AND o.charge > 0 AND (
      (o.id = p_id AND (NOT o.charge_reported OR o.charge_reported_to = p_id::text))
      OR (o.charge_reported_to = p_id::text
        AND o.transcript_id IN (SELECT t.id FROM transcripts AS t WHERE t.video_id = p_video_id)))
    RETURNING o.id;
END
$$;
