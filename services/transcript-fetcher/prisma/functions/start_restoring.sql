-- For a transcript whose cues the object store has lost: opens an operation that holds no credit and costs nothing, and attaches
-- it to the open fetch of its track, or to a new one; or answers the account's open operation for the track, whose fetch is put in
-- front of what only batches wait for. If that was tried less than a minute ago, `wait_seconds` says for how long it is not tried
-- again.
CREATE OR REPLACE FUNCTION start_restoring(
  p_id uuid, p_account_id uuid, p_key_id uuid, p_video_id bpchar, p_language text, p_fallback boolean, p_format text,
  p_transcript_id uuid, p_fetch_id uuid, p_headers jsonb, p_lease_ms double precision
) RETURNS TABLE (opened_id uuid, wait_seconds integer, new_task_id uuid, new_payload jsonb) LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    SELECT o.id INTO opened_id FROM operations AS o
    WHERE o.account_id = p_account_id AND o.video_id = p_video_id AND o.language = p_language
      AND o.fallback = p_fallback AND o.state IN ('reserving', 'fetching');
    IF FOUND THEN
      SELECT h.new_task_id, h.new_payload INTO new_task_id, new_payload
      FROM hurry_fetch(opened_id, p_headers, p_lease_ms) AS h;
      RETURN NEXT;
      RETURN;
    END IF;

    IF NOT EXISTS (
      SELECT FROM fetches AS f
      WHERE f.video_id = p_video_id AND f.language = p_language AND f.fallback = p_fallback AND f.state = 'open'
    ) THEN
      UPDATE transcripts AS t SET restore_begun_at = clock_timestamp()
      WHERE t.id = p_transcript_id
        AND (t.restore_begun_at IS NULL OR t.restore_begun_at < clock_timestamp() - interval '1 minute');
      IF NOT FOUND THEN
        -- Whoever was faster may have opened the fetch meanwhile.
        CONTINUE WHEN EXISTS (
          SELECT FROM fetches AS f
          WHERE f.video_id = p_video_id AND f.language = p_language AND f.fallback = p_fallback AND f.state = 'open'
        );
        SELECT greatest(1, ceil(extract(epoch FROM t.restore_begun_at + interval '1 minute' - clock_timestamp())))
        INTO wait_seconds FROM transcripts AS t WHERE t.id = p_transcript_id;
        RETURN NEXT;
        RETURN;
      END IF;
    END IF;

    INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, price, state, settlement)
    VALUES (p_id, p_account_id, p_key_id, p_video_id, p_language, p_fallback, p_format, 0, 'reserving', 'released')
    ON CONFLICT (account_id, video_id, language, fallback) WHERE state IN ('reserving', 'fetching') DO NOTHING;
    CONTINUE WHEN NOT FOUND;
    opened_id := p_id;
    SELECT s.new_task_id, s.new_payload INTO new_task_id, new_payload
    FROM start_fetch(p_id, p_fetch_id, p_headers, p_lease_ms) AS s;
    RETURN NEXT;
    RETURN;
  END LOOP;
END
$$;
