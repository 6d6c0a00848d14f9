-- A transcript whose cues the object store has lost is fetched again, for nothing: by an operation that holds no credit and
-- is not counted, and at most once a minute, so that nobody makes the platform be asked for it all the time.
ALTER TABLE transcripts ADD COLUMN restore_begun_at timestamptz(3);

-- Opens such an operation and attaches it to the open fetch of its track, or to a new one; or answers the account's open
-- operation for the track. Where that was tried less than a minute ago, `wait_seconds` says for how long it is not again.
CREATE FUNCTION start_restoring(
  p_id uuid, p_account_id uuid, p_key_id uuid, p_video_id bpchar, p_language text, p_fallback boolean, p_format text,
  p_transcript_id uuid, p_fetch_id uuid, p_headers jsonb, p_lease_ms double precision
) RETURNS TABLE (opened_id uuid, wait_seconds integer, new_task_id uuid, new_payload jsonb) LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    SELECT o.id INTO opened_id FROM operations AS o
    WHERE o.account_id = p_account_id AND o.video_id = p_video_id AND o.language = p_language
      AND o.fallback = p_fallback AND o.state IN ('reserving', 'fetching');
    IF FOUND THEN RETURN NEXT; RETURN; END IF;

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

    INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, state, settlement)
    VALUES (p_id, p_account_id, p_key_id, p_video_id, p_language, p_fallback, p_format, 'reserving', 'released')
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

-- As before; but whoever holds no credit is charged none, and there is nothing to settle for it.
CREATE OR REPLACE FUNCTION deliver_fetch(
  p_task_id uuid, p_epoch bigint, p_fetch_id uuid, p_video jsonb, p_selection jsonb, p_transcript jsonb, p_file jsonb,
  p_cached_id uuid, p_told uuid, p_headers jsonb, p_places integer, p_lease_ms double precision, p_hold_ms double precision
) RETURNS TABLE (
  ended_id uuid, ended_format text, ended_charge integer, delivered_id uuid, is_first boolean, settle_task_id uuid,
  is_held boolean, event_id uuid
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_charge integer := CASE WHEN p_transcript IS NULL THEN 0 ELSE 1 END;
  v_held integer := 0;
  v_settlement text;
BEGIN
  PERFORM messaging.complete_task(p_task_id, p_epoch);
  delivered_id := p_cached_id;
  IF p_transcript IS NOT NULL THEN
    INSERT INTO transcripts SELECT * FROM jsonb_populate_record(NULL::transcripts, p_transcript)
    ON CONFLICT (video_id, language_code, kind, translated) DO UPDATE SET video_id = excluded.video_id
    RETURNING id INTO delivered_id;
  END IF;
  is_first := delivered_id = (p_transcript ->> 'id')::uuid;
  IF is_first AND p_file IS NOT NULL THEN
    INSERT INTO rendered_files SELECT * FROM jsonb_populate_record(NULL::rendered_files, p_file);
  END IF;
  PERFORM save_selection(p_selection || jsonb_build_object('transcript_id', delivered_id));
  PERFORM save_video(p_video);
  UPDATE fetches SET state = 'done', ended_at = now() WHERE id = p_fetch_id AND state = 'open';
  IF NOT FOUND THEN RETURN; END IF;
  IF p_transcript IS NOT NULL THEN
    event_id := messaging.emit_held('evt.transcript-fetcher.transcript-fetched.v1', jsonb_build_object(
      'videoId', p_transcript -> 'video_id', 'languageCode', p_transcript -> 'language_code',
      'kind', p_transcript -> 'kind', 'translated', p_transcript -> 'translated'), p_headers, p_hold_ms);
  END IF;
  FOR ended_id, ended_format, ended_charge, v_settlement IN
    UPDATE operations SET state = 'delivered', transcript_id = delivered_id,
      charge = CASE WHEN disowned_at IS NULL AND settlement = 'pending' THEN v_charge ELSE 0 END,
      is_fallback = (p_selection ->> 'is_fallback')::boolean, translation = p_selection ->> 'translation', ended_at = now(),
      charge_reported = v_charge > 0 AND disowned_at IS NULL AND settlement = 'pending' AND id IS NOT DISTINCT FROM p_told,
      charge_reported_to = CASE
        WHEN v_charge > 0 AND disowned_at IS NULL AND settlement = 'pending' AND id = p_told THEN p_told::text
      END
    WHERE fetch_id = p_fetch_id AND state = 'fetching' RETURNING id, format, charge, settlement
  LOOP
    settle_task_id := NULL;
    is_held := v_settlement = 'pending' AND v_held < p_places;
    IF v_settlement <> 'pending' THEN
      RETURN NEXT;
      CONTINUE;
    END IF;
    v_held := v_held + 1;
    settle_task_id := messaging.enqueue_held(
      'settle-operation', jsonb_build_object('operationId', ended_id, 'charge', ended_charge), p_headers,
      CASE WHEN is_held THEN p_lease_ms END);
    RETURN NEXT;
  END LOOP;
END
$$;
