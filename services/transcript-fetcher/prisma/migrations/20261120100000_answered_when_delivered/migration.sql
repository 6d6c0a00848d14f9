-- A charged operation is answered as soon as it is delivered: its settlement is a task of the same commit, and the ledger
-- holds the credit already. So the statement that delivers it also says to which request the charge is told.

-- As before; the task also names the operation that began the fetch.
CREATE OR REPLACE FUNCTION start_fetch(p_operation_id uuid, p_fetch_id uuid, p_headers jsonb, p_lease_ms double precision)
RETURNS TABLE (new_task_id uuid, new_payload jsonb) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_operation operations;
  v_fetch_id uuid;
BEGIN
  SELECT * INTO v_operation FROM operations WHERE id = p_operation_id AND state = 'reserving' FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO fetches (id, video_id, language, fallback)
  VALUES (p_fetch_id, v_operation.video_id, v_operation.language, v_operation.fallback)
  ON CONFLICT (video_id, language, fallback) WHERE state = 'open' DO UPDATE SET video_id = excluded.video_id
  RETURNING id INTO v_fetch_id;
  UPDATE operations SET state = 'fetching', fetch_id = v_fetch_id WHERE id = p_operation_id;
  IF v_fetch_id = p_fetch_id THEN
    new_payload := jsonb_build_object('fetchId', v_fetch_id, 'operationId', p_operation_id, 'wanted', jsonb_build_object(
      'videoId', v_operation.video_id, 'language', v_operation.language, 'fallback', v_operation.fallback,
      'format', v_operation.format));
    new_task_id := messaging.enqueue_held('fetch-track', new_payload, p_headers, p_lease_ms);
  END IF;
  RETURN NEXT;
END
$$;

-- Ends the task of a fetch with its track: saves what is new (p_transcript and p_file, or p_cached_id for a track that was
-- cached already), what the language leads to, and the end of every operation that waits, each with the task that settles
-- it; up to p_places of these are born held. p_told is the operation whose own request waits here and is told its charge;
-- NULL where none does. Answers the operations; is_first is false where the same track had been saved before: its first
-- copy is kept, so its bytes never change.
CREATE FUNCTION deliver_fetch(
  p_task_id uuid, p_epoch bigint, p_fetch_id uuid, p_video jsonb, p_selection jsonb, p_transcript jsonb, p_file jsonb,
  p_cached_id uuid, p_told uuid, p_headers jsonb, p_places integer, p_lease_ms double precision, p_hold_ms double precision
) RETURNS TABLE (
  ended_id uuid, ended_format text, delivered_id uuid, is_first boolean, settle_task_id uuid, is_held boolean, event_id uuid
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_charge integer := CASE WHEN p_transcript IS NULL THEN 0 ELSE 1 END;
  v_held integer := 0;
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
  FOR ended_id, ended_format IN
    UPDATE operations SET state = 'delivered', transcript_id = delivered_id, charge = v_charge,
      is_fallback = (p_selection ->> 'is_fallback')::boolean, translation = p_selection ->> 'translation', ended_at = now(),
      charge_reported = v_charge > 0 AND id IS NOT DISTINCT FROM p_told,
      charge_reported_to = CASE WHEN v_charge > 0 AND id = p_told THEN p_told::text END
    WHERE fetch_id = p_fetch_id AND state = 'fetching' RETURNING id, format
  LOOP
    is_held := v_held < p_places;
    v_held := v_held + 1;
    settle_task_id := messaging.enqueue_held(
      'settle-operation', jsonb_build_object('operationId', ended_id, 'charge', v_charge), p_headers,
      CASE WHEN is_held THEN p_lease_ms END);
    RETURN NEXT;
  END LOOP;
END
$$;

-- For the release before this one, while both are running.
CREATE OR REPLACE FUNCTION deliver_fetch(
  p_task_id uuid, p_epoch bigint, p_fetch_id uuid, p_video jsonb, p_selection jsonb, p_transcript jsonb, p_file jsonb,
  p_cached_id uuid, p_headers jsonb, p_places integer, p_lease_ms double precision, p_hold_ms double precision
) RETURNS TABLE (ended_id uuid, is_first boolean, settle_task_id uuid, is_held boolean, event_id uuid)
LANGUAGE sql AS $$
  SELECT ended_id, is_first, settle_task_id, is_held, event_id
  FROM deliver_fetch(p_task_id, p_epoch, p_fetch_id, p_video, p_selection, p_transcript, p_file, p_cached_id, NULL,
                     p_headers, p_places, p_lease_ms, p_hold_ms)
$$;
