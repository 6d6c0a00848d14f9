-- The steps of a cold transcript, one statement and so one commit each: attach to a fetch, end the fetch, end the settlement.
-- Rows travel as JSON with the names of their columns.

-- Adds what an attempt has learnt. A null never replaces a value, and a failure that is no fact about the video never hides
-- an earlier delivery.
CREATE FUNCTION save_video(p_video jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO videos AS v SELECT * FROM jsonb_populate_record(NULL::videos, p_video)
  ON CONFLICT (id) DO UPDATE SET
    title = coalesce(excluded.title, v.title),
    channel_id = coalesce(excluded.channel_id, v.channel_id),
    channel_title = coalesce(excluded.channel_title, v.channel_title),
    published_at = coalesce(excluded.published_at, v.published_at),
    duration = coalesce(excluded.duration, v.duration),
    status = CASE WHEN excluded.fact IS NULL AND v.status = 'fetched' THEN 'fetched' ELSE excluded.status END,
    error_class = CASE WHEN excluded.fact IS NULL AND v.status = 'fetched' THEN NULL ELSE excluded.error_class END,
    fact = excluded.fact,
    fact_expires_at = excluded.fact_expires_at,
    caption_tracks = CASE WHEN excluded.caption_tracks = '[]' THEN v.caption_tracks ELSE excluded.caption_tracks END,
    selected_language = coalesce(excluded.selected_language, v.selected_language),
    selected_kind = coalesce(excluded.selected_kind, v.selected_kind),
    fetched_at = coalesce(excluded.fetched_at, v.fetched_at)
$$;

-- Remembers what a requested language leads to.
CREATE FUNCTION save_selection(p_selection jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO selections SELECT * FROM jsonb_populate_record(NULL::selections, p_selection)
  ON CONFLICT (video_id, language) DO UPDATE SET transcript_id = excluded.transcript_id,
    is_fallback = excluded.is_fallback, translation = excluded.translation, available = excluded.available,
    expires_at = excluded.expires_at
$$;

-- Attaches a reserved operation to the open fetch of its track, or to a new one, which gets its task (held, where p_lease_ms
-- is given). The fetch's row is locked until the commit, so an operation that attaches to it can never miss its end. Answers
-- no row where the operation has been ended meanwhile.
CREATE FUNCTION start_fetch(p_operation_id uuid, p_fetch_id uuid, p_headers jsonb, p_lease_ms double precision)
RETURNS TABLE (new_task_id uuid, new_payload jsonb) LANGUAGE plpgsql AS $$
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
    new_payload := jsonb_build_object('fetchId', v_fetch_id, 'wanted', jsonb_build_object(
      'videoId', v_operation.video_id, 'language', v_operation.language, 'fallback', v_operation.fallback,
      'format', v_operation.format));
    new_task_id := messaging.enqueue_held('fetch-track', new_payload, p_headers, p_lease_ms);
  END IF;
  RETURN NEXT;
END
$$;

-- Ends the task of a fetch with its track: saves what is new (p_transcript and p_file, or p_cached_id for a track that was
-- cached already), what the language leads to, and the end of every operation that waits, each with the task that settles
-- it; up to p_places of these are born held. Answers the operations; is_first is false where the same track had been saved
-- before: its first copy is kept, so its bytes never change.
CREATE FUNCTION deliver_fetch(
  p_task_id uuid, p_epoch bigint, p_fetch_id uuid, p_video jsonb, p_selection jsonb, p_transcript jsonb, p_file jsonb,
  p_cached_id uuid, p_headers jsonb, p_places integer, p_lease_ms double precision, p_hold_ms double precision
) RETURNS TABLE (ended_id uuid, is_first boolean, settle_task_id uuid, is_held boolean, event_id uuid)
LANGUAGE plpgsql AS $$
DECLARE
  v_transcript_id uuid := p_cached_id;
  v_charge integer := CASE WHEN p_transcript IS NULL THEN 0 ELSE 1 END;
  v_held integer := 0;
BEGIN
  PERFORM messaging.complete_task(p_task_id, p_epoch);
  IF p_transcript IS NOT NULL THEN
    INSERT INTO transcripts SELECT * FROM jsonb_populate_record(NULL::transcripts, p_transcript)
    ON CONFLICT (video_id, language_code, kind, translated) DO UPDATE SET video_id = excluded.video_id
    RETURNING id INTO v_transcript_id;
  END IF;
  is_first := v_transcript_id = (p_transcript ->> 'id')::uuid;
  IF is_first AND p_file IS NOT NULL THEN
    INSERT INTO rendered_files SELECT * FROM jsonb_populate_record(NULL::rendered_files, p_file);
  END IF;
  PERFORM save_selection(p_selection || jsonb_build_object('transcript_id', v_transcript_id));
  PERFORM save_video(p_video);
  UPDATE fetches SET state = 'done', ended_at = now() WHERE id = p_fetch_id AND state = 'open';
  IF NOT FOUND THEN RETURN; END IF;
  IF p_transcript IS NOT NULL THEN
    event_id := messaging.emit_held('evt.transcript-fetcher.transcript-fetched.v1', jsonb_build_object(
      'videoId', p_transcript -> 'video_id', 'languageCode', p_transcript -> 'language_code',
      'kind', p_transcript -> 'kind', 'translated', p_transcript -> 'translated'), p_headers, p_hold_ms);
  END IF;
  FOR ended_id IN
    UPDATE operations SET state = 'delivered', transcript_id = v_transcript_id, charge = v_charge,
      is_fallback = (p_selection ->> 'is_fallback')::boolean, translation = p_selection ->> 'translation', ended_at = now()
    WHERE fetch_id = p_fetch_id AND state = 'fetching' RETURNING id
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

-- Ends the task of a settlement that the ledger has confirmed. Answers the operation as it now is; no row where its credit
-- had been resolved before.
CREATE FUNCTION end_settlement(p_task_id uuid, p_epoch bigint, p_operation_id uuid, p_settlement text)
RETURNS SETOF operations LANGUAGE sql AS $$
  SELECT messaging.complete_task(p_task_id, p_epoch);
  UPDATE operations SET settlement = p_settlement WHERE id = p_operation_id AND settlement = 'pending' RETURNING *
$$;
